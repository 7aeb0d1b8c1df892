import { render } from 'preact';
import '../../components/ui/tokens.css';
import '../../components/ui/base.css';
import { PanelApp } from '../../components/panel-app.tsx';
import { applyTheme } from '../../components/ui/apply-theme.ts';
import { openEventPort, sendCommand } from '../../lib/messaging.ts';
import { createPanel } from '../../lib/state/panel.ts';

const panel = createPanel({ send: sendCommand, open: openEventPort });
applyTheme(panel.setup);
panel.start();
render(<PanelApp panel={panel} />, document.getElementById('app') ?? document.body);
