import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createSchedules, SCHEDULE_ALARM } from '../../entrypoints/background/schedules/schedules.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import { saveSettings } from '../../lib/storage/configuration/settings.ts';
import type { Database } from '../../lib/storage/schema.ts';
import type { ScheduleInput } from '../../lib/types/schedule.ts';
import { calls, prepared, says, scriptedModel } from '../fakes/scripted-model.ts';
import { offered } from '../fakes/rows.ts';
import { isWaiting, runEvent, startWorker, type WorkerOptions } from '../fakes/worker.ts';
import { sha256 } from '../../lib/sha256.ts';

const fake = vi.hoisted(() => ({ alarms: { create: vi.fn(), clear: vi.fn() } }));
vi.mock('wxt/browser', () => ({ browser: fake }));

const at = (time: string): number => new Date(`2026-11-${time}`).getTime();
const daily: ScheduleInput = {
  name: 'News',
  text: 'What is new?',
  providerId: null,
  model: null,
  settings: {},
  rhythm: { cron: '30 8 * * *' },
  missed: 'run',
  allows: 'reads',
  perRun: {},
  perMonth: {},
};

let db: Database;
let now: number;

beforeEach(async () => {
  fake.alarms.create.mockReset();
  fake.alarms.clear.mockReset();
  db = await openDatabase(crypto.randomUUID());
  now = at('27T08:00');
});

/** One life of the worker. */
function live(options: Partial<WorkerOptions> = {}) {
  const worker = startWorker({
    db,
    model: scriptedModel(says('One'), says('Two'), says('Three')).model,
    now: () => now,
    ...options,
  });
  const schedules = createSchedules(db, {
    start: worker.runs.start,
    changed: async () => {},
    now: () => now,
  });
  /** Resolves when the run of that time has ended and is counted. */
  const ended = async (time: string) => {
    const id = await idAt(time);
    await worker.until(runEvent('run_end', id));
    await schedules.onRunEnded(id);
  };
  return { ...worker, schedules, ended };
}

const stored = async () => db.get('schedules', 1);
/** The id of the first schedule's chat of that time. */
const idAt = async (time: string) => sha256(`${(await stored())?.key} ${at(time)}`);
const chats = async () => (await db.getAllKeys('conversations')).toSorted();

describe('a schedule', () => {
  it('has an alarm set for its next time, and begins a chat of its own then, once, whatever dies', async () => {
    const { schedules, ended } = live();
    await schedules.save(daily);
    expect(fake.alarms.create).toHaveBeenLastCalledWith(SCHEDULE_ALARM, {
      when: at('27T08:30'),
      persistAcrossSessions: true,
    });
    const before = await stored();
    now = at('27T08:30:10');
    await schedules.startDue();
    await ended('27T08:30');
    expect(await stored()).toMatchObject({ next: at('28T08:30') });
    // The worker died before that was written down: the same time is due again.
    if (before) await db.put('schedules', before);
    await live().schedules.startDue();
    expect(await chats()).toEqual([await idAt('27T08:30')]);
    expect(await db.getAll('conversations')).toMatchObject([
      { title: 'News', titledBy: 'person', schedule: { id: 1, name: 'News', readsOnly: true } },
    ]);
    expect(await db.count('runs')).toBe(1);
  });

  it('leaves what the user typed and chose for the next new chat alone', async () => {
    const { schedules, ended, begun } = live();
    await db.put('drafts', 'What is new?', 'new');
    await db.put('settings', { providerId: 7, model: 'big', settings: { temperature: 1 } }, 'newChat');
    await schedules.save(daily);
    now = at('27T08:30');
    await schedules.startDue();
    await ended('27T08:30');
    expect(await db.getAll('drafts')).toEqual(['What is new?']);
    expect(await db.get('settings', 'newChat')).toMatchObject({ settings: { temperature: 1 } });
    expect(await db.getAll('conversations')).toMatchObject([{ providerId: null, settings: {} }]);
    expect(begun).toEqual([]);
  });

  it('runs the times that it missed once, or skips them and says so', async () => {
    const { schedules, ended } = live();
    await schedules.save(daily);
    await schedules.save({ ...daily, missed: 'skip' });
    now = at('30T09:00');
    await schedules.startDue();
    await ended('27T08:30');
    expect(await chats()).toEqual([await idAt('27T08:30')]);
    const skipped = { at: new Date(at('27T08:30')).toISOString(), why: 'closed' };
    expect(await db.get('schedules', 2)).toMatchObject({
      passedOver: skipped,
      next: new Date('2026-12-01T08:30').getTime(),
    });
  });

  it('goes by the time zone that the computer is in now', async () => {
    const { schedules } = live();
    await schedules.save(daily);
    // As it stands once the user came from where it was an hour later, in time and asleep until after that.
    for (const [start, next] of [
      [at('27T07:00'), at('27T08:30')],
      [at('27T07:40'), at('27T08:30')],
      [at('27T08:00'), at('27T08:30')],
    ] as const) {
      await db.put('schedules', { ...(await stored())!, next: at('27T07:30') });
      now = start;
      await schedules.startDue();
      expect((await stored())?.next).toBe(next);
      expect(fake.alarms.create.mock.lastCall?.[1]).toMatchObject({ when: next });
    }
    expect(await chats()).toEqual([]);
  });

  it('passes a time over while the run before waits for the user', async () => {
    const { schedules, until } = live({
      model: scriptedModel(calls(['mcp__1__note', {}])).model,
      permission: 'ask',
    });
    await schedules.save(daily);
    now = at('27T08:30');
    await schedules.startDue();
    await until(isWaiting);
    await expect(schedules.runNow({ id: 1 })).rejects.toMatchObject({ code: 'schedule_busy' });
    now = at('28T08:30');
    await schedules.startDue();
    expect(await stored()).toMatchObject({ passedOver: { why: 'busy' }, next: at('29T08:30') });
    expect(await chats()).toHaveLength(1);
  });

  it('runs once where it is to, and can be saved for a time to come alone', async () => {
    const { schedules, ended } = live();
    const once = (time: string) => ({ ...daily, rhythm: { once: new Date(at(time)).toISOString() } });
    await expect(schedules.save(once('27T07:00'))).rejects.toMatchObject({ code: 'invalid_input' });
    await schedules.save(once('27T09:00'));
    now = at('27T09:00');
    await schedules.startDue();
    await ended('27T09:00');
    expect(await stored()).not.toHaveProperty('next');
    expect(fake.alarms.clear).toHaveBeenLastCalledWith(SCHEDULE_ALARM);
  });

  it('begins no run that the month’s limit leaves nothing for, until the next month', async () => {
    const { schedules, ended } = live();
    await schedules.save({ ...daily, perRun: { tokens: 80 }, perMonth: { tokens: 100 } });
    const saved = await stored();
    if (saved) await db.put('schedules', { ...saved, spent: { month: '2026-11', tokens: 70, cost: 0 } });
    now = at('27T08:30');
    await schedules.startDue();
    await ended('27T08:30');
    expect(await db.getAll('runs')).toMatchObject([{ limit: { tokens: 30 } }]);
    const counted = await stored();
    if (counted) await db.put('schedules', { ...counted, spent: { month: '2026-11', tokens: 100, cost: 0 } });
    now = at('28T08:30');
    await schedules.startDue();
    expect(await stored()).toMatchObject({ passedOver: { why: 'limit' } });
    now = new Date('2026-12-01T08:30').getTime();
    await schedules.startDue();
    expect(await chats()).toHaveLength(2);
  });

  it('asks no more once a run’s money is used up, and counts it for the month', async () => {
    const usage = { inputTokens: 500_000, outputTokens: 0 };
    const turn = calls(['mcp__1__look', {}]).map((event) =>
      event.type === 'end' ? { ...event, turn: { ...event.turn, usage } } : event,
    );
    const script = scriptedModel(turn, turn, says('Never said'));
    const { schedules, ended } = live({
      prepare: async () => ({
        ...prepared(script.model, [offered('look')], { price: { input: 2, output: 2 } }),
        missing: [],
        unfit: [],
      }),
    });
    await schedules.save({ ...daily, perRun: { cost: 2 }, perMonth: { cost: 2 } });
    now = at('27T08:30');
    await schedules.startDue();
    await ended('27T08:30');
    expect(script.requests).toHaveLength(2);
    expect(await db.getAll('runs')).toMatchObject([{ error: { code: 'used_up' } }]);
    expect(await stored()).toMatchObject({ spent: { month: '2026-11', cost: 2 } });
    now = at('28T08:30');
    await schedules.startDue();
    expect(await stored()).toMatchObject({ passedOver: { why: 'limit' } });
  });

  it('does nothing while all are paused, and makes up for nothing after', async () => {
    const { schedules } = live();
    await schedules.save(daily);
    await saveSettings(db, { schedulesPaused: true });
    now = at('28T09:00');
    await schedules.startDue();
    expect(fake.alarms.clear).toHaveBeenLastCalledWith(SCHEDULE_ALARM);
    await saveSettings(db, { schedulesPaused: false });
    await schedules.onPauseChanged();
    expect(await stored()).toMatchObject({ next: at('29T08:30') });
    expect(await chats()).toEqual([]);
  });

  it('sets its alarm where the browser does not know how to keep one', async () => {
    fake.alarms.create.mockImplementationOnce(() => {
      throw new TypeError('Unexpected property: persistAcrossSessions.');
    });
    await live().schedules.save(daily);
    expect(fake.alarms.create).toHaveBeenLastCalledWith(SCHEDULE_ALARM, { when: at('27T08:30') });
  });

  it.each([
    { rhythm: { cron: '61 * * * *' } },
    { rhythm: { once: 'soon' } },
    { rhythm: {} },
    { missed: 'later' },
    { allows: 'all' },
    { perRun: { tokens: 0 } },
    { perMonth: { cost: -1 } },
    { text: ' ' },
  ])('with %j is refused', async (wrong) => {
    await expect(live().schedules.save({ ...daily, ...wrong } as ScheduleInput)).rejects.toMatchObject({
      code: 'invalid_input',
    });
    expect(await db.count('schedules')).toBe(0);
  });
});
