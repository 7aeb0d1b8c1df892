import { readCron } from '../../../lib/cron.ts';
import { promptVariables } from '../../../lib/state/composer/saved-prompts.ts';
import type { UsageLimit } from '../../../lib/types/message.ts';
import type { Rhythm, Schedule, ScheduleInput } from '../../../lib/types/schedule.ts';
import type { ToolOverrides } from '../../../lib/types/conversation.ts';
import { t } from '../../../locales/texts/settings.ts';
import { units } from '../../../locales/units.ts';
import { choiceKey, choiceOf } from '../assistants/assistant-input.ts';
import { faultWords } from './rhythm-words.ts';

export type RhythmKind = 'once' | 'daily' | 'weekdays' | 'weekly' | 'cron';

const LIMITS = ['runTokens', 'runCost', 'monthTokens', 'monthCost'] as const;
type LimitField = (typeof LIMITS)[number];

/** The form as it is typed; an empty limit is none. */
export type ScheduleDraft = Pick<Schedule, 'name' | 'text' | 'missed' | 'allows'> &
  Record<LimitField, string> & {
    kind: RhythmKind;
    /** As a browser's fields have them: 2026-11-27T08:30 and 08:30. */
    at: string;
    time: string;
    /** 0 is Sunday. */
    weekday: string;
    cron: string;
    /** As `choiceKey` writes it. */
    choice: string;
    tools: ToolOverrides;
  };

export type ScheduleFaults = Partial<Record<'name' | 'text' | 'at' | 'time' | 'cron' | LimitField, string>>;

export function draftOf(schedule: Schedule | null): ScheduleDraft {
  const { name = '', text = '', missed = 'run', allows = 'reads', rhythm } = schedule ?? {};
  const { perRun = {}, perMonth = {}, tools = {} } = schedule ?? {};
  const limits = {
    runTokens: String(perRun.tokens ?? ''),
    runCost: String(perRun.cost ?? ''),
    monthTokens: String(perMonth.tokens ?? ''),
    monthCost: String(perMonth.cost ?? ''),
  };
  const choice = choiceKey(schedule ?? { providerId: null, model: null });
  return { name, text, missed, allows, ...limits, ...rhythmDraft(rhythm), choice, tools };
}

const PLAIN = { at: '', time: '08:00', weekday: '1', cron: '0 8 * * *' };

function rhythmDraft(rhythm: Rhythm | undefined) {
  if (!rhythm) return { ...PLAIN, kind: 'daily' as const };
  if ('once' in rhythm) return { ...PLAIN, kind: 'once' as const, at: localTime(new Date(rhythm.once)) };
  const { cron } = rhythm;
  const [, minute = '', hour = '', days = ''] = /^(\d\d?) (\d\d?) \* \* (\*|1-5|[0-6])$/.exec(cron) ?? [];
  if (days === '') return { ...PLAIN, kind: 'cron' as const, cron };
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  if (days === '*' || days === '1-5')
    return { ...PLAIN, kind: days === '*' ? ('daily' as const) : ('weekdays' as const), time, cron };
  return { ...PLAIN, kind: 'weekly' as const, time, weekday: days, cron };
}

const localTime = (at: Date): string =>
  new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

/** The rhythm that is typed, or which field is wrong and why. */
export function rhythmOf(draft: ScheduleDraft, now: number): { rhythm: Rhythm } | { faults: ScheduleFaults } {
  const { kind, at, time, weekday, cron } = draft;
  if (kind === 'once') {
    const when = Date.parse(at);
    return when > now
      ? { rhythm: { once: new Date(when).toISOString() } }
      : { faults: { at: t(($) => $.schedules.invalid.at) } };
  }
  if (kind === 'cron') {
    const read = readCron(cron);
    return 'fault' in read ? { faults: { cron: faultWords(read.fault) } } : { rhythm: { cron: cron.trim() } };
  }
  if (!/^\d\d:\d\d$/.test(time)) return { faults: { time: t(($) => $.schedules.invalid.time) } };
  const [hour, minute] = time.split(':').map(Number);
  const days = { daily: '*', weekdays: '1-5', weekly: weekday }[kind];
  return { rhythm: { cron: `${minute} ${hour} * * ${days}` } };
}

/** The draft as a command, or what is wrong with it, by field. */
export function checkSchedule(
  draft: ScheduleDraft,
  { id, settings = {} }: Partial<Schedule>,
  now: number,
): { input: ScheduleInput } | { faults: ScheduleFaults } {
  const [name, text] = [draft.name.trim(), draft.text.trim()];
  const asked = promptVariables(text).map((each) => each.name);
  const timed = rhythmOf(draft, now);
  const numbers = LIMITS.map((field): [LimitField, number | undefined] => [field, amountOf(draft[field])]);
  const wrong = numbers.filter(([field, amount]) => {
    const isTokens = field.endsWith('Tokens');
    return amount !== undefined && !(amount > 0 && (!isTokens || Number.isSafeInteger(amount)));
  });
  const faults: ScheduleFaults = {
    ...(name === '' && { name: t(($) => $.prompts.invalid.name) }),
    ...(text === '' && { text: t(($) => $.prompts.invalid.text) }),
    ...(asked.length > 0 && { text: t(($) => $.schedules.invalid.asks, { names: units.commas(asked) }) }),
    ...('faults' in timed && timed.faults),
    ...Object.fromEntries(wrong.map(([field]) => [field, t(($) => $.schedules.invalid.limit)])),
  };
  if (Object.keys(faults).length > 0 || 'faults' in timed) return { faults };
  const [runTokens, runCost, monthTokens, monthCost] = numbers.map(([, amount]) => amount);
  return {
    input: {
      ...(id !== undefined && { id }),
      name,
      text,
      rhythm: timed.rhythm,
      missed: draft.missed,
      allows: draft.allows,
      ...choiceOf(draft.choice),
      settings,
      ...(Object.keys(draft.tools).length > 0 && { tools: draft.tools }),
      perRun: limit(runTokens, runCost),
      perMonth: limit(monthTokens, monthCost),
    },
  };
}

const amountOf = (typed: string): number | undefined => (typed.trim() === '' ? undefined : Number(typed));

const limit = (tokens: number | undefined, cost: number | undefined): UsageLimit => ({
  ...(tokens !== undefined && { tokens }),
  ...(cost !== undefined && { cost }),
});
