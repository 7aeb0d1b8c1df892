import { useComputed, useSignal } from '@preact/signals';
import {
  ChevronRight,
  Hand,
  Plug,
  RotateCw,
  ShieldQuestionMark,
  Unplug,
  Wrench,
  type IconNode,
} from 'lucide';
import type { JSX } from 'preact';
import { kindOf, titleOf, withNames } from '../../../lib/state/chat/call-names.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import { messagesAfter } from '../../../lib/state/chat/turns.ts';
import type { CallProgress } from '../../../lib/types/tools/call-tool.ts';
import {
  type CallStatus,
  isEnded,
  mayRunAgain,
  resultIdOf,
  type ToolCall,
} from '../../../lib/types/tools/tool-call.ts';
import { lacksAccess } from '../../../lib/types/tools/tool-result.ts';
import { usePanel } from '../../panel-context.ts';
import { callIcons } from '../../ui/call-icons.ts';
import { Icon } from '../../ui/icon.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { useNow } from '../../ui/use-now.ts';
import { ConfirmAgain, UnknownOutcome } from './unknown-outcome.tsx';
import { ResultPictures } from './result-pictures.tsx';
import './tool-call.css';
import { IconButton } from '../../ui/icon-button.tsx';
import { t } from '../../../locales/texts/panel.ts';
import { units } from '../../../locales/units.ts';

const ToolDetails = lazy((views) => views.ToolDetails);
export const ToolAccess = lazy((views) => views.ToolAccess);

const kinds: Record<ReturnType<typeof kindOf>, IconNode> = { mcp: Plug, 'built-in': Wrench, none: Unplug };

/**
 * One call as a line that opens to its arguments and result. `fallback` stands in until its ledger row is here;
 * `writing`: the model still writes its arguments.
 */
export function ToolCallView(props: { callId: string; fallback: ToolCall; writing: boolean }): JSX.Element {
  const panel = usePanel();
  const row = useComputed(() => panel.chat.value.calls[props.callId]).value;
  const progress = useComputed(() => panel.chat.value.progress[props.callId]).value;
  const live = panel.live.value;
  const call = withNames(row ?? props.fallback, panel.setup.value);
  // A call that the run never came to, seen after the run. Those of apps run beside it.
  const isLost = !live && call.byApp === undefined && !call.wait && !isEnded(call.status);
  const status = isLost ? 'cancelled' : call.status;
  const asks = call.wait === 'unknown';
  const isRequested = useComputed(() =>
    panel.chat.value.requests.some(({ callId }) => callId === props.callId),
  ).value;
  const requested = isRequested || call.wait === 'hand_over';
  const title = titleOf(call, panel.setup.value);
  const kind = kindOf(call);
  const lacks = lacksAccess(call);
  const opened = useSignal<boolean | null>(null);
  const sought = panel.found.value?.id === resultIdOf(props.callId);
  const open = opened.value ?? (asks || sought);
  const asking = useSignal(false);
  const runAgain = (): void => {
    asking.value = false;
    void panel.runAgain(props.callId);
  };
  const press = (): void => {
    if (messagesAfter(panel.chat.peek().messages, call.messageId) > 0) asking.value = true;
    else runAgain();
  };
  const repeatable = row !== undefined && !live && mayRunAgain(row);
  const confirms = repeatable && asking.value;
  const again = repeatable && !confirms ? press : null;
  return (
    <div
      class="tool"
      role="group"
      aria-label={t(($) => $.tool.group, { name: call.toolName })}
      data-status={lacks ? 'pending' : status}
      data-sought={sought}
    >
      <div class="tool-line">
        {requested ? (
          <Icon of={Hand} />
        ) : (
          <Icon of={lacks ? ShieldQuestionMark : callIcons[status]} spins={status === 'running'} />
        )}
        <span class="tool-kind" data-kind={kind}>
          <Icon of={kinds[kind]} small />
        </span>
        <span class="tool-what">
          <Name name={call.toolName} word={wordOf(call, status)} />
          {title !== '' && <span class="tool-title">{title}</span>}
          <span class="tool-server">{visible(call.serverName)}</span>
        </span>
        <State call={call} status={status} progress={progress} requested={requested} />
        {again && !open && status !== 'success' && (
          <IconButton icon={RotateCw} small label={t(($) => $.tool.runAgain)} class="again" onClick={again} />
        )}
        <button
          class="icon-btn reveal"
          aria-label={open ? t(($) => $.tool.hide) : t(($) => $.tool.show)}
          title={open ? t(($) => $.tool.hide) : t(($) => $.tool.show)}
          aria-expanded={open}
          onClick={() => (opened.value = !open)}
        >
          <Icon of={ChevronRight} small class="turn" />
        </button>
      </div>
      {props.writing && live && !open && call.arguments !== '' && (
        <p class="tool-note cut written" aria-hidden="true">
          <code>{visible(call.arguments.slice(-WRITTEN))}</code>
        </p>
      )}
      {status === 'running' && progress?.message && <p class="tool-note cut">{visible(progress.message)}</p>}
      {status === 'running' && progress?.total !== undefined && (
        <progress
          class="bar-track"
          max={progress.total}
          value={progress.progress}
          aria-label={t(($) => $.tool.progress, { name: call.toolName })}
        />
      )}
      {repeatable && lacksAccess(row) && <ToolAccess call={row} allowed={press} />}
      {!open && <ResultPictures calls={[row]} />}
      {(open || asks || confirms) && (
        <div class="tool-body">
          {asks && <UnknownOutcome call={call} />}
          {open && <ToolDetails call={call} status={status} again={again} />}
          {confirms && (
            <ConfirmAgain
              messageId={call.messageId}
              runAgain={runAgain}
              keep={() => (asking.value = false)}
            />
          )}
        </div>
      )}
    </div>
  );
}

/** Characters of the arguments that are seen while they are written: the last ones. */
const WRITTEN = 120;

/** What is said of a call right after its tool's name. */
export const wordOf = (call: ToolCall, status: CallStatus = call.status): string => {
  if (status === 'running') return t(($) => $.tool.running);
  const failed = !lacksAccess(call) && (status === 'error' || status === 'timeout');
  return failed ? t(($) => $.tool.failed) : '';
};

/** The name is cut where it does not fit, the word after it never; both are one text in one line. */
function Name({ name, word }: { name: string; word: string }): JSX.Element {
  return (
    <span class="tool-name">
      <span class="cut" style={`--word: ${word.length}ch`}>
        {visible(name)}
      </span>
      {word}
    </span>
  );
}

/** How long a finished call ran, in words; null for one that never did. */
export function ranFor({ durationMs, startedAt }: ToolCall): string | null {
  const ran = durationMs !== undefined && (durationMs > 0 || startedAt !== undefined);
  return ran ? units.duration(durationMs) : null;
}

function State(props: {
  call: ToolCall;
  status: CallStatus;
  progress: CallProgress | undefined;
  requested: boolean;
}): JSX.Element {
  const { call, status, progress, requested } = props;
  const now = useNow(status === 'running');
  const done = status === 'running' && !requested ? progress?.progress : undefined;
  const since = status === 'running' && call.startedAt;
  const time = requested
    ? t(($) => $.tool.waitsForYou)
    : since
      ? units.elapsed(now - Date.parse(since))
      : ranFor(call);
  return (
    <span class="tool-state num">
      <b>{lacksAccess(call) ? t(($) => $.tool.needsAccess) : t(($) => $.tool.status[status])}</b>
      {done !== undefined && (
        <span class="count">
          {t(($) => $.tool.progressOf, {
            done,
            total: progress?.total === undefined ? 'none' : String(progress.total),
          })}
          {time && ','}
        </span>
      )}
      {time && <span class="took">{time}</span>}
    </span>
  );
}
