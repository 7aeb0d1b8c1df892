import { nextTime, readCron } from '../../../lib/cron.ts';
import type { Rhythm, Schedule } from '../../../lib/types/schedule.ts';

/** When it is due next, in milliseconds since the epoch, by this computer's clock and time zone; undefined when that is over. */
export function timeAfter(rhythm: Rhythm, after: number): number | undefined {
  if ('cron' in rhythm) {
    const read = readCron(rhythm.cron);
    return 'cron' in read ? nextTime(read.cron, after) : undefined;
  }
  const at = Date.parse(rhythm.once);
  return at > after ? at : undefined;
}

export function withNext({ next: _next, ...schedule }: Schedule, next: number | undefined): Schedule {
  return next === undefined ? schedule : { ...schedule, next };
}

/** The computer's time zone may be another one since `next` was written, which is then no time of its cron line. */
export function inThisZone(schedule: Schedule, now: number): Schedule {
  const { rhythm, next } = schedule;
  if (next === undefined || 'once' in rhythm) return schedule;
  const due = timeAfter(rhythm, Math.min(next - 1, now));
  return due === next ? schedule : withNext(schedule, due);
}
