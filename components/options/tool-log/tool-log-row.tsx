import { ChevronDown, ChevronRight } from 'lucide';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { OWN_CALLS } from '../../../lib/protocol/chats.ts';
import type { LoggedCall } from '../../../lib/protocol/tools.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import { callIcons } from '../../ui/call-icons.ts';
import { Icon } from '../../ui/icon.tsx';
import { useNow } from '../../ui/use-now.ts';
import { ToolLogDetails } from './tool-log-details.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { t } from '../../../locales/texts/settings.ts';
import { units } from '../../../locales/units.ts';
import { dates } from '../../../locales/dates.ts';

/** One call of the log, and under it, when it is open, what was sent and what came back. `isWanted`: it is what was asked for. */
export function ToolLogRow({ line, isWanted }: { line: LoggedCall; isWanted: boolean }): JSX.Element {
  const [open, setOpen] = useState(isWanted);
  const { status, createdAt } = line;
  const chat = line.conversationId === OWN_CALLS ? t(($) => $.toolLog.byHand) : visible(line.chatTitle ?? '');
  return (
    <>
      <tr class={open ? 'open' : undefined}>
        <td class="num small subtle time">
          {/* When the model asked for it: the log's order, in which a call that waited for approval keeps its place. */}
          <time dateTime={createdAt}>{dates.nearSecond(createdAt, new Date())}</time>
        </td>
        <td class="what">
          <code>{visible(line.toolName)}</code>
        </td>
        <td class="small cut server">{visible(line.serverName)}</td>
        <td class="status">
          <span class="state" data-status={status}>
            <Icon of={callIcons[status]} spins={status === 'running'} />
            {t(($) => $.tool.status[status])}
          </span>
        </td>
        <td class="r num small subtle duration">
          <Duration line={line} />
        </td>
        <td class="small subtle cut chat" title={chat}>
          {chat}
        </td>
        <td class="r edit">
          <IconButton
            icon={open ? ChevronDown : ChevronRight}
            small
            label={open ? t(($) => $.toolLog.hide) : t(($) => $.toolLog.show)}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          />
        </td>
      </tr>
      {open && (
        <tr class="detail">
          <td colSpan={7}>
            <ToolLogDetails callId={line.callId} status={status} />
          </td>
        </tr>
      )}
    </>
  );
}

/** How long it ran, or has been running; nothing for a call that never did. */
function Duration({ line }: { line: LoggedCall }): JSX.Element | null {
  const { status, startedAt, durationMs } = line;
  const now = useNow(status === 'running');
  if (startedAt === undefined) return null;
  if (status === 'running') return <>{units.elapsed(now - Date.parse(startedAt))}</>;
  return durationMs === undefined ? null : <>{units.duration(durationMs)}</>;
}
