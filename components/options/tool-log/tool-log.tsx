import { Download } from 'lucide';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { LoggedCall } from '../../../lib/protocol/tools.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import { CALL_STATUSES, type CallStatus } from '../../../lib/types/tools/tool-call.ts';
import { Icon } from '../../ui/icon.tsx';
import { download } from '../../ui/download.ts';
import { useSetup, useSetupState } from '../options-context.ts';
import { TableHead } from '../form/table-head.tsx';
import { Problem } from '../form/problem.tsx';
import { go } from '../route.ts';
import { ToolLogRow } from './tool-log-row.tsx';
import { useAction } from '../form/use-action.ts';
import { useToolLog } from './use-tool-log.ts';
import { WorkButton } from '../form/work-button.tsx';
import './tool-log.css';
import { PageHead } from '../page-head.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { t } from '../../../locales/texts/settings.ts';

const columns = ['time', 'tool', 'server', 'status', 'duration', 'chat', 'details'] as const;

/** The page Tool log. `serverId`: only the calls of this server; `callId`: only this call, open. */
export function ToolLogPage(props: { serverId: number | null; callId?: string }): JSX.Element {
  const { serverId, callId } = props;
  const { settings } = useSetup();
  const [text, setText] = useState('');
  const [status, setStatus] = useState<CallStatus>();
  const { listed, error, more, isReadingMore } = useToolLog({
    text,
    ...(serverId !== null && { serverId }),
    ...(status !== undefined && { status }),
    ...(callId !== undefined && { callId }),
  });
  const isFiltered = text.trim() !== '' || serverId !== null || status !== undefined;
  const calls = listed?.calls ?? [];
  return (
    <>
      <PageHead
        title={t(($) => $.toolLog.title)}
        lead={t(($) => $.toolLog.lead, { most: settings.maxLoggedCalls })}
      >
        <ExportCalls calls={calls} />
      </PageHead>
      <div class="toolbar log-bar">
        {callId === undefined ? (
          <Filters {...{ text, setText, serverId, status, setStatus }} />
        ) : (
          <a class="btn" href="#tool-log">
            {t(($) => $.toolLog.all)}
          </a>
        )}
        <span class="grow" />
        <span class="small subtle num" role="status">
          {listed && t(($) => $.toolLog.listed, { count: calls.length, hasMore: listed.hasMore })}
        </span>
      </div>
      {error && <Problem error={error} />}
      {calls.length > 0 ? (
        <Calls calls={calls} wanted={callId} />
      ) : (
        <p class="blank muted">
          {!listed
            ? t(($) => $.toolLog.reading)
            : isFiltered
              ? t(($) => $.toolLog.noMatch)
              : callId === undefined
                ? t(($) => $.toolLog.empty)
                : t(($) => $.toolLog.gone)}
        </p>
      )}
      {listed?.hasMore && (
        <WorkButton class="load-more" busy={isReadingMore} press={more}>
          {t(($) => $.toolLog.more)}
        </WorkButton>
      )}
    </>
  );
}

/** What narrows the list. */
function Filters(props: {
  text: string;
  setText: (text: string) => void;
  serverId: number | null;
  status: CallStatus | undefined;
  setStatus: (status: CallStatus | undefined) => void;
}): JSX.Element {
  const { text, setText, serverId, status, setStatus } = props;
  const { servers } = useSetup();
  return (
    <>
      <SearchField
        label={t(($) => $.toolLog.search)}
        hint={t(($) => $.toolLog.searchHint)}
        value={text}
        set={setText}
      />
      <select
        class="select"
        aria-label={t(($) => $.toolLog.server)}
        value={serverId ?? ''}
        onChange={({ currentTarget: { value } }) =>
          void go('tool-log', value === '' ? undefined : Number(value))
        }
      >
        <option value="">{t(($) => $.toolLog.allServers)}</option>
        {servers.map(({ id, name }) => (
          <option key={id} value={id}>
            {visible(name)}
          </option>
        ))}
      </select>
      <select
        class="select"
        aria-label={t(($) => $.toolLog.status)}
        value={status ?? ''}
        onChange={({ currentTarget: { value } }) => setStatus(CALL_STATUSES.find((each) => each === value))}
      >
        <option value="">{t(($) => $.toolLog.anyStatus)}</option>
        {CALL_STATUSES.map((each) => (
          <option key={each} value={each}>
            {t(($) => $.tool.status[each])}
          </option>
        ))}
      </select>
    </>
  );
}

function Calls({ calls, wanted }: { calls: LoggedCall[]; wanted: string | undefined }): JSX.Element {
  return (
    <table class="grid framed log" aria-label={t(($) => $.toolLog.title)}>
      <TableHead
        columns={columns}
        names={{ ...t(($) => $.toolLog.columns), details: t(($) => $.toolLog.details) }}
        end={['duration']}
        visuallyHidden={['details']}
      />
      <tbody>
        {calls.map((call) => (
          <ToolLogRow key={call.callId} line={call} isWanted={call.callId === wanted} />
        ))}
      </tbody>
    </table>
  );
}

/** Saves the listed calls with all that a page gets of them. */
function ExportCalls({ calls }: { calls: LoggedCall[] }): JSX.Element {
  const { command } = useSetupState();
  const action = useAction();
  const save = (): void =>
    action.run(async () => {
      const whole = await Promise.all(calls.map(({ callId }) => command('loggedCall', { callId })));
      download(
        'tool-log.json',
        JSON.stringify(
          whole.filter((call) => call !== null),
          null,
          2,
        ),
      );
    });
  return (
    <div class="actions">
      <WorkButton
        busy={action.busy}
        disabled={calls.length === 0}
        help={t(($) => $.toolLog.exportHelp)}
        press={save}
      >
        <Icon of={Download} />
        {t(($) => $.toolLog.export)}
      </WorkButton>
      {action.error && <Problem error={action.error} />}
    </div>
  );
}
