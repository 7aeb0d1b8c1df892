import type { JSX } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { en } from '../../locales/en.ts';
import { callIdOf } from '../../lib/state/calls.ts';
import type { ToolCall } from '../../lib/types.ts';
import { usePanel } from '../panel-context.ts';
import { pretty } from './tool-details.tsx';

/** Input is ignored for so long after an approval appears, so that a stray key or click cannot answer it. */
const GUARD_MS = 500;

/** The first of a message's calls that waits for permission. */
export function Approvals({ messageId, count }: { messageId: string; count: number }): JSX.Element | null {
  const { calls } = usePanel().chat.value;
  const waiting = Array.from({ length: count }, (_, position) => calls[callIdOf(messageId, position)]).filter(
    (call) => call?.wait === 'permission',
  );
  const [first] = waiting;
  return first ? <Approval key={first.callId} call={first} total={waiting.length} /> : null;
}

function Approval({ call, total }: { call: ToolCall; total: number }): JSX.Element {
  const panel = usePanel();
  const id = useId();
  const since = useRef(performance.now());
  const root = useRef<HTMLDivElement>(null);
  const answer = (decision: 'allow' | 'deny'): void => {
    if (performance.now() - since.current < GUARD_MS) return;
    // The card goes away: a focus that is in it goes where the person writes.
    if (root.current?.contains(document.activeElement)) {
      document.querySelector<HTMLElement>('.composer textarea')?.focus();
    }
    panel.resolveCall(call.callId, decision);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') answer('deny');
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) answer('allow');
    else return;
    event.preventDefault();
  };
  const server =
    panel.setup.value?.servers.find((other) => other.id === call.serverId)?.name ?? call.serverName;
  return (
    <div
      class="ask"
      ref={root}
      role="alertdialog"
      aria-modal="false"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-from`}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <div class="ask-head">
        <div class="top">
          <h2 class="grow" id={`${id}-title`}>
            {en.approval.verb} <code>{call.toolName}</code>
          </h2>
          {total > 1 && <span class="small subtle num">{en.approval.position(1, total)}</span>}
        </div>
        <p class="small subtle" id={`${id}-from`}>
          {call.serverId === null ? en.approval.ownTool : en.approval.from(server)}
        </p>
      </div>
      <div class="ask-body">
        <div class="field">
          <label class="small" for={`${id}-arguments`}>
            {en.tool.arguments}
          </label>
          <Arguments id={`${id}-arguments`} text={pretty(call.arguments)} />
        </div>
      </div>
      <div class="ask-foot choices">
        <button class="btn primary" aria-keyshortcuts="Control+Enter" onClick={() => answer('allow')}>
          {en.approval.allowOnce}
          <kbd aria-hidden="true">{en.approval.keyAllow}</kbd>
        </button>
        <button class="btn" aria-keyshortcuts="Escape" onClick={() => answer('deny')}>
          {en.approval.deny}
          <kbd aria-hidden="true">{en.approval.keyDeny}</kbd>
        </button>
      </div>
    </div>
  );
}

function Arguments({ id, text }: { id: string; text: string }): JSX.Element {
  const rows = Math.min(10, Math.max(2, text.split('\n').length));
  return <textarea class="area" id={id} rows={rows} readOnly spellcheck={false} value={text} />;
}
