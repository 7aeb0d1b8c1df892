import type { UsageLimit } from './message.ts';
import type { ChatChoice } from './conversation.ts';

/** When it runs: once, as ISO 8601, or by a cron line, in this computer's time. */
export type Rhythm = { once: string } | { cron: string };

/** Why a time began no run: the browser was closed, the run before had not ended, the month's limit was reached. */
export type PassedOver = 'closed' | 'busy' | 'limit';

/** A prompt that is asked at certain times, each time in a chat of its own, in the way of its choice. */
export type Schedule = ChatChoice & {
  id: number;
  /** Random: no file can bring a chat of the id that one of its runs will have. */
  key: string;
  name: string;
  text: string;
  rhythm: Rhythm;
  /** What becomes of times at which the browser was closed: they run once when it starts, or are skipped. */
  missed: 'run' | 'skip';
  /** What its chats do without asking: reads alone, or what is allowed in every chat. */
  allows: 'reads' | 'usual';
  perRun: UsageLimit;
  perMonth: UsageLimit;
  isOff?: true;
  /** Milliseconds since the epoch; absent: no time is left, or it is off. */
  next?: number;
  /** The latest run's chat, whose usage is not counted while it is `live`. */
  last?: { at: string; conversationId: string; live?: true };
  /** The latest time that began no run, if it came after the latest run. */
  passedOver?: { at: string; why: PassedOver };
  /** What its runs of a month, such as 2026-11, have used. */
  spent?: { month: string; tokens: number; cost: number };
};

/** What the user says of one. */
export type ScheduleInput = Omit<
  Schedule,
  'id' | 'key' | 'isOff' | 'next' | 'last' | 'passedOver' | 'spent'
> & {
  id?: number;
};

/** What a run may use in all, of what is left for it; undefined where nothing limits it. */
export function limitOf(
  { perRun, perMonth }: Pick<Schedule, 'perRun' | 'perMonth'>,
  spent: Required<UsageLimit>,
) {
  const least = (name: keyof UsageLimit): UsageLimit => {
    const left = perMonth[name] === undefined ? Infinity : perMonth[name] - spent[name];
    const most = Math.min(perRun[name] ?? Infinity, left);
    return most === Infinity ? {} : { [name]: most };
  };
  const limit = { ...least('tokens'), ...least('cost') };
  return Object.keys(limit).length > 0 ? limit : undefined;
}

/** Whether that much was used. */
export const isUsedUp = ({ tokens, cost }: UsageLimit, used: Required<UsageLimit>): boolean =>
  (tokens !== undefined && used.tokens >= tokens) || (cost !== undefined && used.cost >= cost);
