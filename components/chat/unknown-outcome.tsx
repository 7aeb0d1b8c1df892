import type { JSX } from 'preact';
import { en } from '../../locales/en.ts';
import type { ToolCall } from '../../lib/types/tool.ts';
import { usePanel } from '../panel-context.ts';
import './unknown-outcome.css';

/** Nobody knows whether the call was executed: only the person may repeat it. */
export function UnknownOutcome({ call }: { call: ToolCall }): JSX.Element {
  const panel = usePanel();
  return (
    <div class="unsure">
      <p>
        <strong>{en.unknown.lead}</strong> {en.unknown.rest(call.serverName)}
      </p>
      <div class="actions">
        <button class="btn" onClick={() => void panel.resolveCall(call.callId, { decision: 'allow' })}>
          {en.unknown.runAgain}
        </button>
        <button class="btn" onClick={() => void panel.resolveCall(call.callId, { decision: 'deny' })}>
          {en.unknown.skip}
        </button>
      </div>
    </div>
  );
}
