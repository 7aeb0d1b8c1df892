import { Check, Copy, Pause, Play, X } from 'lucide';
import type { JSX, RefObject } from 'preact';
import { useLayoutEffect, useRef, useState, useEffect } from 'preact/hooks';
import {
  filterLog,
  type LogFilter,
  logText,
  follows,
  oncePerFrame,
  withEntry,
} from '../../../lib/state/settings/wire-log.ts';
import type { Server } from '../../../lib/types/server.ts';
import { LOG_LEVELS, type WireEntry } from '../../../lib/types/wire-log.ts';
import { Icon } from '../../ui/icon.tsx';
import { Segments } from '../../ui/fields.tsx';
import { useSetupState } from '../options-context.ts';
import { TableHead } from '../form/table-head.tsx';
import { Problem } from '../form/problem.tsx';
import { useAction } from '../form/use-action.ts';
import { LogRow } from './log-row.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { t } from '../../../locales/texts/settings.ts';
import { toWire } from '../../../lib/errors.ts';
import type { WireError } from '../../../lib/types/error.ts';

const columns = ['time', 'kind', 'message', 'id', 'took', 'size'] as const;

/** What went to a server and came back, live. `canLog`: the server logs things itself and can be told how much. */
export function ServerLog({ server, canLog }: { server: Server; canLog: boolean }): JSX.Element {
  const { log, error } = useServerLog(server.id);
  const [frozen, setFrozen] = useState<WireEntry[] | null>(null);
  const [filter, setFilter] = useState<LogFilter>({ show: 'all', text: '' });
  const all = frozen ?? log ?? [];
  const shown = filterLog(all, filter);
  const last = frozen?.at(-1);
  const foot = useFollowing<HTMLParagraphElement>(shown);
  const news = frozen && log ? log.length - 1 - log.findLastIndex((entry) => entry === last) : 0;
  return (
    <>
      <div class="toolbar bar">
        <SearchField
          label={t(($) => $.wireLog.search)}
          hint={t(($) => $.wireLog.searchHint)}
          value={filter.text}
          set={(text) => setFilter({ ...filter, text })}
        />
        <Segments
          label={t(($) => $.wireLog.show)}
          value={filter.show}
          options={t(($) => $.wireLog.filters)}
          set={(show) => setFilter({ ...filter, show })}
        />
        {canLog && <Level server={server} />}
        <span class="grow" />
        {frozen && <span class="small subtle num">{t(($) => $.wireLog.paused, { count: news })}</span>}
        <button type="button" class="btn quiet s" onClick={() => setFrozen(frozen ? null : (log ?? []))}>
          <Icon of={frozen ? Play : Pause} small />
          {frozen ? t(($) => $.wireLog.resume) : t(($) => $.wireLog.pause)}
        </button>
        <CopyAll log={shown} />
      </div>
      {error && <Problem error={error} />}
      {shown.length > 0 ? (
        <Lines log={shown} />
      ) : (
        <p class="blank muted">
          {log === null
            ? !error && t(($) => $.wireLog.reading)
            : all.length > 0
              ? t(($) => $.wireLog.noMatch)
              : t(($) => $.wireLog.empty)}
        </p>
      )}
      <p class="help" ref={foot}>
        {t(($) => $.wireLog.lead)}
      </p>
    </>
  );
}

function Lines({ log }: { log: WireEntry[] }): JSX.Element {
  return (
    <table class="grid framed wire" aria-label={t(($) => $.wireLog.title)}>
      <TableHead
        columns={columns}
        names={t(($) => $.wireLog.columns)}
        end={['took', 'size']}
        visuallyHidden={['kind']}
      />
      <tbody>
        {log.map((entry) => (
          <LogRow key={`${entry.at} ${entry.seq}`} entry={entry} />
        ))}
      </tbody>
    </table>
  );
}

/** From which severity on the server logs. Its own default is unknown. */
function Level({ server: { id, logLevel } }: { server: Server }): JSX.Element {
  const { command } = useSetupState();
  const action = useAction();
  const choose = (value: string): void =>
    action.run(() =>
      command('setLogLevel', { id, level: LOG_LEVELS.find((each) => each === value) ?? null }),
    );
  return (
    <>
      <select
        class="select level"
        aria-label={t(($) => $.wireLog.level)}
        value={logLevel ?? ''}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        <option value="">{t(($) => $.wireLog.levelUnset)}</option>
        {LOG_LEVELS.map((each) => (
          <option key={each} value={each}>
            {t(($) => $.wireLog.levels[each])}
          </option>
        ))}
      </select>
      {action.error && <Problem error={action.error} />}
    </>
  );
}

function CopyAll({ log }: { log: WireEntry[] }): JSX.Element {
  const [worked, setWorked] = useState<boolean | null>(null);
  const copy = (): void =>
    void navigator.clipboard.writeText(logText(log)).then(
      () => setWorked(true),
      () => setWorked(false),
    );
  return (
    <>
      <button type="button" class="btn quiet s" onClick={copy}>
        <Icon of={worked === null ? Copy : worked ? Check : X} small />
        {t(($) => $.wireLog.copyAll)}
      </button>
      <span class="sr" role="status">
        {worked !== null && (worked ? t(($) => $.wireLog.copied) : t(($) => $.wireLog.copyFailed))}
      </span>
    </>
  );
}

/** Closer to the end than this, in pixels, counts as being at the end. */
const NEAR = 32;

/**
 * Keeps the page at its end while a list in it grows, as long as the reader is there. A page that was never scrolled
 * is read from its top.
 * @returns for an element on the page
 */
function useFollowing<Part extends HTMLElement>(list: readonly unknown[]): RefObject<Part | null> {
  const part = useRef<Part>(null);
  const view = part.current?.closest('.content');
  // The page is still as it was before this rendering.
  const wasAtEnd =
    view && view.scrollTop > 0 && view.scrollHeight - view.scrollTop - view.clientHeight < NEAR;
  useLayoutEffect(() => {
    if (wasAtEnd) view.scrollTop = view.scrollHeight;
  }, [list]);
  return part;
}

/** The log of a server, live as long as this is on the page; null until it was read. */
function useServerLog(serverId: number): { log: WireEntry[] | null; error: WireError | null } {
  const { command, watchLog } = useSetupState();
  const [log, setLog] = useState<WireEntry[] | null>(null);
  const [error, setError] = useState<WireError | null>(null);
  useEffect(() => {
    let known: WireEntry[] | null = null;
    let isWanted = true;
    /** Told while the log is read: they may be missing in it. */
    let early: WireEntry[] | null = null;
    const draw = oncePerFrame(
      (latest: WireEntry[]) => isWanted && setLog(latest),
      (paint) => requestAnimationFrame(paint),
    );
    const show = (next: WireEntry[]): void => {
      known = next;
      draw(next);
    };
    const read = async (): Promise<void> => {
      const meanwhile: WireEntry[] = (early = []);
      try {
        const whole = await command('serverLog', { serverId });
        if (isWanted) show(meanwhile.reduce(withEntry, whole));
      } catch (failure) {
        if (isWanted) setError(toWire(failure));
      }
      early = null;
    };
    const forget = watchLog(serverId, (entry) => {
      if (early) early.push(entry);
      else if (known && follows(known, entry)) show(withEntry(known, entry));
      else void read();
    });
    void read();
    return () => {
      isWanted = false;
      forget();
    };
  }, [serverId]);
  return { log, error };
}
