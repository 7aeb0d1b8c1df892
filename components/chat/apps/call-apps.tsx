import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { APP_CALLS, callIdOf, isEnded, type ToolCall } from '../../../lib/types/tool.ts';
import { usePanel } from '../../panel-context.ts';
import { CallApp, type CallView } from './call-app.tsx';

/** The apps that show a message's calls, as far as these have begun to run. */
export function CallApps(props: { messageId: string; count: number; CallView: CallView }): JSX.Element {
  const { messageId, count, CallView } = props;
  const { chat, setup } = usePanel();
  const calls = useComputed(() => chat.value.calls).value;
  const off = new Set(setup.value?.servers.flatMap(({ id, withoutApps }) => (withoutApps ? id : [])));
  const byApps: ToolCall[] = [];
  for (let position = APP_CALLS; ; position += 1) {
    const call = calls[callIdOf(messageId, position)];
    if (!call) break;
    byApps.push(call);
  }
  return (
    <>
      {Array.from({ length: count }, (_, position) => {
        const call = calls[callIdOf(messageId, position)];
        if (call?.app === undefined || call.serverId === null || off.has(call.serverId)) return null;
        if (!hasRun(call)) return null;
        const made = byApps.filter(({ byApp }) => byApp === position);
        return <CallApp key={call.callId} call={call} made={made} CallView={CallView} />;
      })}
    </>
  );
}

/** What was refused, or never began, shows nothing. */
const hasRun = ({ status, startedAt }: ToolCall): boolean =>
  status === 'running' || (isEnded(status) && startedAt !== undefined);
