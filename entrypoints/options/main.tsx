import { render } from 'preact';
import { viewsFrom } from '../../components/ui/lazy.tsx';
import '../../components/ui/tokens.css';
import '../../components/ui/base.css';
import '../../components/options/options.css';
import { OptionsApp } from '../../components/options/options-app.tsx';
import { watchRoute } from '../../components/options/route.ts';
import { applyLanguage, applyTheme } from '../../components/ui/apply-settings.ts';
import { announcements } from '../../lib/broadcasts.ts';
import { openEventPort, sendCommand } from '../../lib/messaging.ts';
import { createSetup } from '../../lib/state/settings/setup.ts';

viewsFrom(() => import('../../components/views.ts'));

const state = createSetup({
  send: sendCommand,
  open: openEventPort,
  announcements: announcements.listen,
});
applyTheme(state.setup);
state.use();
await applyLanguage(state.setup);
render(<OptionsApp state={state} route={watchRoute()} />, document.getElementById('app') ?? document.body);
