import './granting-browser.ts';
import { render } from 'preact';
import { viewsFrom } from '../../components/ui/lazy.tsx';
import '../../components/ui/tokens.css';
import '../../components/ui/base.css';
import '../../components/options/options.css';
import { OptionsApp } from '../../components/options/options-app.tsx';
import { watchRoute } from '../../components/options/route.ts';
import type { WorkerLink } from '../../lib/state/panel-port.ts';
import { createSetup } from '../../lib/state/settings/setup.ts';
import { optionsLink } from './options-link.ts';
import { optionsStates } from './options-states.ts';
import { speakIn } from './language.ts';
import { pause, press, settle } from './press.ts';

viewsFrom(() => import('../../components/views.ts'));

/**
 * `options.html?state=models-none&theme=dark&language=de`: a state of the settings; `options.html?empty#models`, `?servers`: a page
 * whose commands take their time.
 */
const query = new URLSearchParams(location.search);
const theme = query.get('theme');
if (theme) document.documentElement.dataset['theme'] = theme;

const root = document.getElementById('app') ?? document.body;
/** Long enough to see that something works. */
const DELAY_MS = 300;

function open(link: WorkerLink): void {
  render(null, root);
  const state = createSetup(link);
  state.use();
  render(<OptionsApp state={state} route={watchRoute()} />, root);
}

/** Draws a state in the place of what is there; resolves when nothing more comes by itself. */
async function show(name: string): Promise<void> {
  const state = optionsStates[name];
  if (!state) return open(optionsLink(query, DELAY_MS));
  render(null, root);
  location.hash = state.route;
  open(optionsLink(new URLSearchParams(state.query), 0));
  // What the pages ask for at once is answered by then.
  await pause(100);
  await press(state.press ?? []);
  await pause(state.press ? 200 : 0);
  await settle();
}

// For tests, which look at one after the other.
Object.assign(window, { show, speakIn });
await speakIn(query.get('language') ?? 'en');
await show(query.get('state') ?? '');
