import './granting-browser.ts';
import { render, type JSX } from 'preact';
import '../../components/ui/tokens.css';
import '../../components/ui/base.css';
import { PanelApp } from '../../components/panel-app.tsx';
import { loadViews, viewsFrom } from '../../components/ui/lazy.tsx';
import { createPanel } from '../../lib/state/panel.ts';
import { allPanelStates } from './opened-states.ts';
import { optionsStates } from './options-states.ts';
import { speakIn } from './language.ts';
import { pause, press, settle } from './press.ts';
import { scriptedLink } from './scripted-link.ts';

/** `?state=name` draws a state of the panel, `&theme=dark` in the dark, `&language=de` in German. */
const query = new URLSearchParams(location.search);
const theme = query.get('theme');
if (theme) document.documentElement.dataset['theme'] = theme;

viewsFrom(() => import('../../components/views.ts'));

const root = document.getElementById('app') ?? document.body;

/** Draws a state in the place of what is there; resolves when nothing more comes by itself. */
async function show(name: string): Promise<void> {
  render(null, root);
  const script = allPanelStates[name];
  if (!script) return void render(<Contents />, root);
  Object.assign(globalThis, { LanguageModel: script.languageModel });
  await loadViews();
  const panel = createPanel(scriptedLink(script), { ownWindow: async () => 1, store: null });
  panel.start();
  render(<PanelApp panel={panel} />, root);
  // After the snapshot, and once the panel listens.
  await pause(100);
  script.act?.(panel);
  await press(script.press ?? []);
  // What is typed is looked for after a pause.
  await pause(script.press ? 300 : 20);
  await settle();
}

// For tests, which look at one after the other.
Object.assign(window, { show, speakIn });
await speakIn(query.get('language') ?? 'en');
await show(query.get('state') ?? '');

function Contents(): JSX.Element {
  return (
    <ul>
      {Object.keys(allPanelStates).map((name) => (
        <li key={name}>
          <a href={`?state=${name}`}>{name}</a>
        </li>
      ))}
      {Object.keys(optionsStates).map((name) => (
        <li key={name}>
          <a href={`options.html?state=${name}`}>settings: {name}</a>
        </li>
      ))}
    </ul>
  );
}
