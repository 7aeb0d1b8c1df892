import { render, type JSX } from 'preact';
import '../../components/ui/tokens.css';
import '../../components/ui/base.css';
import { OptionsApp } from '../../components/options/options-app.tsx';
import { watchRoute } from '../../components/options/route.ts';
import { createPanel } from '../../lib/state/panel.ts';
import { createSetup } from '../../lib/state/setup.ts';
import { scriptedLink } from './scripted-link.ts';
import { emptySetup, fullSetup } from './setups.ts';
import { panelStates } from './states.ts';

/** `?state=name` draws a state of the panel, `?page=options#servers` a settings page, `&theme=dark` in the dark. */
const query = new URLSearchParams(location.search);
const theme = query.get('theme');
if (theme) document.documentElement.dataset['theme'] = theme;

const root = document.getElementById('app') ?? document.body;
const state = query.get('state') ?? '';
const script = panelStates[state];

if (query.get('page') === 'options') {
  await import('../../components/options/options.css');
  const setup = createSetup(scriptedLink({ setup: state === 'empty' ? emptySetup : fullSetup }));
  setup.use();
  render(<OptionsApp state={setup} route={watchRoute()} />, root);
} else if (script) {
  // Its styles are not those of the settings.
  const { PanelApp } = await import('../../components/panel-app.tsx');
  const panel = createPanel(scriptedLink(script), { ownWindow: async () => 1 });
  panel.start();
  render(<PanelApp panel={panel} />, root);
} else {
  render(<Contents />, root);
}

function Contents(): JSX.Element {
  return (
    <ul>
      {Object.keys(panelStates).map((name) => (
        <li key={name}>
          <a href={`?state=${name}`}>{name}</a>
        </li>
      ))}
      {['servers', 'servers/add', 'servers/1', 'models', 'models/add', 'models/2', 'general'].map((page) => (
        <li key={page}>
          <a href={`?page=options#${page}`}>options: {page}</a>
        </li>
      ))}
    </ul>
  );
}
