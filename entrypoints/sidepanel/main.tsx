import { render } from 'preact';
import '../../components/ui/tokens.css';
import '../../components/ui/base.css';
import { PanelApp } from '../../components/panel-app.tsx';
import { applyLanguage, applyTheme } from '../../components/ui/apply-settings.ts';
import { loadViews, viewsFrom } from '../../components/ui/lazy.tsx';
import { announcements } from '../../lib/broadcasts.ts';
import { openEventPort, sendCommand } from '../../lib/messaging.ts';
import { createPanel } from '../../lib/state/panel.ts';
import { startInPlace } from '../../lib/state/place.ts';

declare global {
  /** What the panel shows only when it is asked for. */
  type PanelViews = typeof import('../../components/views.ts');
}
viewsFrom(() => import('../../components/views.ts'));

const panel = createPanel({
  send: sendCommand,
  open: openEventPort,
  announcements: announcements.listen,
});
applyTheme(panel.setup);
void startInPlace(panel);
await applyLanguage(panel.setup);
render(<PanelApp panel={panel} />, document.getElementById('app') ?? document.body);
// What is not needed to write and read comes when that is there.
requestIdleCallback(() => void loadViews());
