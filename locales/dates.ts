import { t } from './texts/shared.ts';
import { language } from './translate.ts';

export const written = (at: Date, options: Intl.DateTimeFormatOptions): string =>
  at.toLocaleString(language(), options);
const clock = { hour: '2-digit', minute: '2-digit' } as const;
const day = { day: 'numeric', month: 'short' } as const;
const isSameDay = (at: Date, now: Date): boolean => at.toDateString() === now.toDateString();

/** Times, in the chosen language and where the browser is; each takes a time as `Date.prototype.toISOString` writes it. */
export const dates = {
  /** 14:05 */
  time: (iso: string): string => written(new Date(iso), clock),
  /** 14:05:20 */
  second: (iso: string): string => written(new Date(iso), { ...clock, second: '2-digit' }),
  /** 14:05:20.071 */
  millisecond: (iso: string): string =>
    written(new Date(iso), { ...clock, second: '2-digit', fractionalSecondDigits: 3 }),
  /** 14:05; of another day than `now`, 2 Nov, 14:05. */
  near: (iso: string, now = new Date()): string => {
    const at = new Date(iso);
    return isSameDay(at, now) ? dates.time(iso) : `${written(at, day)}, ${dates.time(iso)}`;
  },
  /** 14:05:20; of another day than `now`, 2 Nov, 14:05. */
  nearSecond: (iso: string, now: Date): string =>
    isSameDay(new Date(iso), now) ? dates.second(iso) : dates.near(iso, now),
  /** Today 19:43; of another day 14 Nov; of another year 14 Nov 2025. */
  day: (iso: string, now: Date): string => {
    const at = new Date(iso);
    if (isSameDay(at, now)) return t(($) => $.dates.today, { time: dates.time(iso) });
    return written(at, at.getFullYear() === now.getFullYear() ? day : { ...day, year: 'numeric' });
  },
  /** Fri */
  weekday: (iso: string): string => written(new Date(iso), { weekday: 'short' }),
  /** 14 Nov */
  dayOfMonth: (iso: string): string => written(new Date(iso), day),
  /** November; of another year November 2025. With a capital letter, as a heading, in every language. */
  month: (iso: string, isThisYear: boolean): string => {
    const month = written(new Date(iso), { month: 'long', ...(!isThisYear && { year: 'numeric' }) });
    return month.charAt(0).toLocaleUpperCase(language()) + month.slice(1);
  },
  /** 14 Nov 2025 */
  date: (iso: string): string => written(new Date(iso), { dateStyle: 'medium' }),
  /** 14 Nov 2025, 19:43 */
  moment: (iso: string): string => written(new Date(iso), { dateStyle: 'medium', timeStyle: 'short' }),
};
