import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { withNames } from '../../../lib/state/chat/call-names.ts';
import type { CallDraft } from '../../../lib/state/chat/streams.ts';
import type { AssistantMessage } from '../../../lib/types/message.ts';
import { callIdOf, isEnded, newCall, type ToolCall } from '../../../lib/types/tools/tool-call.ts';
import { usePanel } from '../../panel-context.ts';
import { CallApp, type CallView } from './call-app.tsx';

/** The apps that show a message's calls: once these run, or while they are written where each of them would be allowed. */
export function CallApps(props: {
  message: AssistantMessage;
  written: CallDraft[];
  CallView: CallView;
}): JSX.Element {
  const { message, written, CallView } = props;
  const { chat, setup } = usePanel();
  const calls = useComputed(() => chat.value.calls).value;
  const off = new Set(setup.value?.servers.flatMap(({ id, withoutApps }) => (withoutApps ? id : [])));
  /** Each of its tool's calls is allowed, as far as it is known here. */
  const isEarly = ({ serverId, toolName, status }: ToolCall): boolean =>
    !isEnded(status) &&
    setup.value?.tools.some(
      (tool) => tool.showsWritten && tool.serverId === serverId && tool.name === toolName,
    ) === true;
  const byApps = Object.values(calls)
    .filter(({ messageId, byApp }) => messageId === message.id && byApp !== undefined)
    .toSorted((a, b) => a.position - b.position);
  return (
    <>
      {written.map((draft, position) => {
        const row = calls[callIdOf(message.id, position)];
        const call = row ?? withNames(newCall(message, position, draft), setup.value);
        if (call.serverId === null || off.has(call.serverId)) return null;
        if (row ? row.app === undefined || !(hasRun(row) || isEarly(row)) : !isEarly(call)) return null;
        const made = byApps.filter(({ byApp }) => byApp === position);
        const isWritten = row === undefined;
        // An answer that is written anew has the ids of the one before.
        const key = `${call.callId} ${call.namespacedName}`;
        return <CallApp key={key} call={call} isWritten={isWritten} made={made} CallView={CallView} />;
      })}
    </>
  );
}

/** What was refused, or never began, shows nothing. */
const hasRun = ({ status, startedAt }: ToolCall): boolean =>
  status === 'running' || (isEnded(status) && startedAt !== undefined);
