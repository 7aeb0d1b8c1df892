import type { JSX } from 'preact';
import { visible } from '../../../lib/state/shown-text.ts';
import type { ToolCall } from '../../../lib/types/tools/tool-call.ts';
import { usePanel } from '../../panel-context.ts';
import './unknown-outcome.css';
import { t } from '../../../locales/texts/panel.ts';

/** Whether the call was executed is unknown: only the user may repeat it. */
export function UnknownOutcome({ call }: { call: ToolCall }): JSX.Element {
  const panel = usePanel();
  return (
    <div class="unsure">
      <p>
        <strong>{t(($) => $.unknown.lead)}</strong>{' '}
        {t(($) => $.unknown.rest, { server: visible(call.serverName) })}
      </p>
      <div class="actions">
        <button class="btn" onClick={() => void panel.resolveCall(call.callId, { decision: 'allow' })}>
          {t(($) => $.unknown.runAgain)}
        </button>
        <button class="btn" onClick={() => void panel.resolveCall(call.callId, { decision: 'deny' })}>
          {t(($) => $.unknown.skip)}
        </button>
      </div>
    </div>
  );
}
