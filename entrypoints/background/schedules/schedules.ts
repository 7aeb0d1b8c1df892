import { browser } from 'wxt/browser';
import { createSerial } from '../../../lib/async.ts';
import { AppError } from '../../../lib/errors.ts';
import type { Request } from '../../../lib/protocol/commands.ts';
import type { Runs } from '../../../lib/runs/runs.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { loadSetting } from '../../../lib/storage/configuration/settings.ts';
import {
  isUsedUp,
  limitOf,
  type PassedOver,
  type Schedule,
  type Rhythm,
} from '../../../lib/types/schedule.ts';
import { t } from '../../../locales/texts/errors.ts';
import { requireSchedule } from './schedule-input.ts';
import { sha256 } from '../../../lib/sha256.ts';
import { nextTime, readCron } from '../../../lib/cron.ts';

/** The alarm that wakes the worker for the next of them. */
export const SCHEDULE_ALARM = 'schedules';
/** A time that is longer ago was missed: the browser was closed, or the computer asleep. */
const MISSED_MS = 5 * 60_000;
/** A run that could not be started is tried again after this time. */
const RETRY_MS = 60_000;

type Deps = { start: Runs['start']; changed: () => Promise<void>; now: () => number };

/** Prompts that are asked at certain times. A time's run has ids of its own, so that it begins once, whatever dies. */
export function createSchedules(db: Database, { start, changed, now }: Deps) {
  const serial = createSerial();
  const all = (): Promise<Schedule[]> => db.getAll('schedules');
  const put = async (schedule: Schedule): Promise<void> => void (await db.put('schedules', schedule));

  /** Starts the runs that are due, and sets the alarm for the next one; when a worker starts, and when the alarm goes off. */
  const startDue = (): Promise<void> =>
    serial(async () => {
      const isPaused = await loadSetting(db, 'schedulesPaused');
      let hasChanged = false;
      for (const schedule of await all()) {
        const known = await countUsage(schedule);
        const before = inThisZone(known, now());
        if (before !== known) await put(before);
        hasChanged ||= before.next !== schedule.next;
        if (isPaused || before.next === undefined || before.next > now()) continue;
        hasChanged = true;
        await startOrPassOver(before, before.next).catch((error: unknown) =>
          console.warn('A schedule could not begin its run.', error),
        );
      }
      await setAlarm(isPaused);
      if (hasChanged) await changed();
    });

  async function setAlarm(isPaused: boolean): Promise<void> {
    const times = (await all()).flatMap(({ next }) => next ?? []);
    if (isPaused || times.length === 0) return void (await browser.alarms.clear(SCHEDULE_ALARM));
    const when = Math.min(...times);
    await createAlarm(when > now() ? when : now() + RETRY_MS);
  }

  async function startOrPassOver(before: Schedule, due: number): Promise<void> {
    const next = timeAfter(before.rhythm, now());
    const schedule = withNext(before, next);
    if (now() - due > MISSED_MS && before.missed === 'skip')
      return put(withPassedOver(schedule, due, 'closed'));
    if (before.last?.live) return put(withPassedOver(schedule, due, 'busy'));
    return startRun(schedule, due);
  }

  /** Starts a run, in a chat of its own, unless the month's limit is reached. */
  async function startRun(schedule: Schedule, at: number): Promise<void> {
    const { id, key, name, text, providerId, model, settings, tools, allows } = schedule;
    const used = spentIn(schedule, monthOf(now()));
    if (isUsedUp(schedule.perMonth, used)) return put(withPassedOver(schedule, at, 'limit'));
    const conversationId = await sha256(`${key} ${at}`);
    const readsOnly = allows === 'reads' && { readsOnly: true as const };
    const asked = { providerId, model, settings, ...(tools && { tools }) };
    const row = { ...asked, title: name, titledBy: 'person' as const, schedule: { id, name, ...readsOnly } };
    const message = { id: `${conversationId}-message`, text };
    const limit = limitOf(schedule, used);
    await start({ conversationId, runId: conversationId, message }, { row, limit });
    const { passedOver: _over, ...rest } = schedule;
    const after: Schedule = { ...rest, last: { at: new Date(at).toISOString(), conversationId, live: true } };
    await put(after);
    await countUsage(after); // it may have ended before it stood there
  }

  /** Counts the usage of the latest run, once that has ended. */
  async function countUsage(schedule: Schedule): Promise<Schedule> {
    const { last } = schedule;
    const run = last?.live && (await db.get('runs', last.conversationId));
    if (!last?.live || (run && run.status !== 'ended')) return schedule;
    const { live: _live, ...ended } = last;
    const usage = (await db.get('conversations', last.conversationId))?.usage;
    const month = monthOf(Date.parse(last.at));
    const spent = spentIn(schedule, month);
    const after = {
      ...schedule,
      last: ended,
      spent: {
        month,
        tokens: spent.tokens + (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0),
        cost: spent.cost + (usage?.cost ?? 0),
      },
    };
    await put(after);
    return after;
  }

  /** A run has ended in this chat. */
  const onRunEnded = (conversationId: string): Promise<void> =>
    serial(async () => {
      const schedule = (await all()).find(({ last }) => last?.live && last.conversationId === conversationId);
      if (!schedule) return;
      await countUsage(schedule);
      await changed();
    });

  /** Changes or adds one, and starts what is due by now. */
  async function update(
    id: number | undefined,
    to: (before: Schedule | undefined) => Schedule,
  ): Promise<number> {
    const saved = await serial(async () => {
      const before = id === undefined ? undefined : await db.get('schedules', id);
      const after = to(before);
      return db.put('schedules', after);
    });
    await startDue();
    await changed();
    return saved;
  }

  /** @throws AppError `invalid_input` */
  async function save(input: Request<'saveSchedule'>): Promise<{ id: number }> {
    const said = requireSchedule(input);
    const next = timeAfter(said.rhythm, now());
    if (next === undefined) throw timeGone();
    return {
      id: await update(input.id, (before) => {
        const { isOff, last, passedOver, spent } = before ?? {};
        const kept = { ...(last && { last }), ...(passedOver && { passedOver }), ...(spent && { spent }) };
        const key = before?.key ?? crypto.randomUUID();
        const own = { ...said, ...kept, key, ...(before && { id: before.id }) } as Schedule;
        return isOff ? { ...own, isOff } : withNext(own, next);
      }),
    };
  }

  async function switchTo({ id, isOff }: { id: number; isOff: boolean }): Promise<void> {
    await update(id, (before) => {
      if (!before) throw scheduleGone();
      const { isOff: _isOff, next: _next, ...rest } = before;
      return isOff ? { ...rest, isOff } : withNext(rest, timeAfter(rest.rhythm, now()));
    });
  }

  async function remove({ id }: { id: number }): Promise<void> {
    await serial(() => db.delete('schedules', id));
    await startDue();
    await changed();
  }

  /** @throws AppError `schedule_busy` */
  async function runNow({ id }: { id: number }): Promise<void> {
    await serial(async () => {
      const found = await db.get('schedules', id);
      if (!found) throw scheduleGone();
      const schedule = await countUsage(found);
      if (schedule.last?.live)
        throw new AppError({ code: 'schedule_busy', ...t(($) => $.errors.schedules.busy) });
      await startRun(schedule, now());
    });
    await changed();
  }

  /** The pause of all began or ended: times that passed meanwhile are not made up for. */
  async function onPauseChanged(): Promise<void> {
    await serial(async () => {
      for (const schedule of await all())
        if (schedule.next !== undefined && schedule.next <= now())
          await put(withNext(schedule, timeAfter(schedule.rhythm, now())));
    });
    await startDue();
  }

  return { startDue, onRunEnded, save, switchTo, remove, runNow, onPauseChanged };
}

/** Asks the browser to keep the alarm when it closes; one that doesn't know that option refuses it. */
async function createAlarm(when: number): Promise<void> {
  try {
    await browser.alarms.create(SCHEDULE_ALARM, { when, persistAcrossSessions: true } as { when: number });
  } catch {
    await browser.alarms.create(SCHEDULE_ALARM, { when });
  }
}

const withPassedOver = (schedule: Schedule, at: number, why: PassedOver): Schedule => ({
  ...schedule,
  passedOver: { at: new Date(at).toISOString(), why },
});

/** Such as 2026-11, on this computer's calendar. */
function monthOf(time: number): string {
  const at = new Date(time);
  return `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}`;
}

function spentIn({ spent }: Schedule, month: string): { tokens: number; cost: number } {
  return spent?.month === month ? spent : { tokens: 0, cost: 0 };
}

const timeGone = (): AppError =>
  new AppError({ code: 'invalid_input', ...t(($) => $.errors.schedules.past) });

const scheduleGone = (): AppError =>
  new AppError({ code: 'no_schedule', ...t(($) => $.errors.schedules.gone) });

/** When it is due next, in milliseconds since the epoch, by this computer's clock and time zone; undefined when that is over. */
function timeAfter(rhythm: Rhythm, after: number): number | undefined {
  if ('cron' in rhythm) {
    const read = readCron(rhythm.cron);
    return 'cron' in read ? nextTime(read.cron, after) : undefined;
  }
  const at = Date.parse(rhythm.once);
  return at > after ? at : undefined;
}

function withNext({ next: _next, ...schedule }: Schedule, next: number | undefined): Schedule {
  return next === undefined ? schedule : { ...schedule, next };
}

/** The computer's time zone may be another one since `next` was written, which is then no time of its cron line. */
function inThisZone(schedule: Schedule, now: number): Schedule {
  const { rhythm, next } = schedule;
  if (next === undefined || 'once' in rhythm) return schedule;
  const due = timeAfter(rhythm, Math.min(next - 1, now));
  return due === next ? schedule : withNext(schedule, due);
}
