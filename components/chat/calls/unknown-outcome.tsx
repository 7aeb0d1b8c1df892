import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { givenName } from '../../../lib/state/shown-text.ts';
import type { ToolCall } from '../../../lib/types/tools/tool-call.ts';
import { usePanel } from '../../panel-context.ts';
import { useGuard } from '../use-guard.ts';
import './unknown-outcome.css';
import { t } from '../../../locales/texts/panel.ts';
import { messagesAfter } from '../../../lib/state/chat/turns.ts';
import { useLayer } from '../../ui/overlay/layers.ts';

/** Whether the call was executed is unknown: only the user may repeat it. */
export function UnknownOutcome({ call }: { call: ToolCall }): JSX.Element {
  const { resolveCall } = usePanel();
  const { root, guarded } = useGuard();
  const runAgain = () => resolveCall(call.callId, { decision: 'allow' });
  return (
    <div class="unsure" ref={root}>
      <p>
        <strong>{t(($) => $.unknown.lead)}</strong>{' '}
        {t(($) => $.unknown.rest, { server: givenName(call.serverName) })}
      </p>
      <div class="actions">
        <button class="btn again" onClick={() => void guarded(runAgain)}>
          {t(($) => $.unknown.runAgain)}
        </button>
        <button class="btn" onClick={() => void resolveCall(call.callId, { decision: 'deny' })}>
          {t(($) => $.unknown.skip)}
        </button>
      </div>
    </div>
  );
}

/** The question that stands before a second run of an earlier answer's call: the chat goes on from there. */
export function ConfirmAgain(props: {
  messageId: string;
  runAgain: () => void;
  keep: () => void;
}): JSX.Element {
  const question = t(($) => $.tool.leaves, {
    messages: messagesAfter(usePanel().chat.value.messages, props.messageId),
  });
  const root = useRef<HTMLDivElement>(null);
  const keep = (): void => {
    root.current?.closest('.tool')?.querySelector<HTMLElement>('.reveal')?.focus();
    props.keep();
  };
  useLayer(true, keep);
  useLayoutEffect(() => root.current?.querySelector<HTMLElement>('.quiet')?.focus(), []);
  return (
    <div class="unsure" role="group" aria-label={question} ref={root}>
      <p>{question}</p>
      <div class="actions">
        <button class="btn" onClick={props.runAgain}>
          {t(($) => $.tool.runAgain)}
        </button>
        <button class="btn quiet" onClick={keep}>
          {t(($) => $.tool.keep)}
        </button>
      </div>
    </div>
  );
}
