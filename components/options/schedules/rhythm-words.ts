import type { Cron, CronFault } from '../../../lib/cron.ts';
import { written } from '../../../locales/dates.ts';
import { t } from '../../../locales/texts/settings.ts';
import { units } from '../../../locales/units.ts';

/** More times of a day than these are told by their hours and minutes. */
const MOST_TIMES = 6;

/** What a cron line says, in words: at which times of the day, on which days, in which months. */
export function cronWords(cron: Cron): string {
  const { months } = cron;
  const inMonths =
    months.length < 12 && t(($) => $.schedules.words.months, { months: listed(months, monthName) });
  return [...timeWords(cron), dayWords(cron), ...(inMonths ? [inMonths] : [])].join(' · ');
}

function timeWords({ minutes, hours }: Cron): string[] {
  if (minutes.length * hours.length <= MOST_TIMES) {
    const times = hours.flatMap((hour) => minutes.map((minute) => clock(hour, minute)));
    return [t(($) => $.schedules.words.at, { times: units.listed(times) })];
  }
  const [first = 0, second = 60] = minutes;
  const step = second - first;
  const isEven = first === 0 && 60 % step === 0 && minutes.length === 60 / step;
  const ofHour =
    isEven && minutes.length > 1
      ? t(($) => $.schedules.words.everyMinutes, { minutes: step })
      : t(($) => $.schedules.words.minutes, { minutes: listed(minutes, String) });
  const ofDay =
    hours.length < 24 &&
    t(($) => $.schedules.words.hours, { hours: listed(hours, (hour) => clock(hour, 0)) });
  return [ofHour, ...(ofDay ? [ofDay] : [])];
}

function dayWords({ days, weekdays, isEitherDay }: Cron): string {
  const ofMonth = days.length < 31 && t(($) => $.schedules.words.days, { days: listed(days, String) });
  const isWorkdays = weekdays.join() === '1,2,3,4,5';
  const ofWeek =
    weekdays.length < 7 &&
    (isWorkdays
      ? t(($) => $.schedules.rhythms.weekdays)
      : t(($) => $.schedules.words.weekdays, { weekdays: listed(weekdays, weekdayName) }));
  if (isEitherDay && ofMonth && ofWeek)
    return t(($) => $.schedules.words.either, { days: ofMonth, weekdays: ofWeek });
  // Where neither is enough by itself, both have to fit.
  return isEitherDay || (!ofMonth && !ofWeek)
    ? t(($) => $.schedules.words.daily)
    : [ofMonth, ofWeek].filter(Boolean).join(' · ');
}

const listed = (values: number[], name: (value: number) => string): string => units.listed(values.map(name));

const clock = (hour: number, minute: number): string =>
  written(new Date(2026, 0, 1, hour, minute), { hour: '2-digit', minute: '2-digit' });

const monthName = (month: number): string => written(new Date(2026, month - 1, 1), { month: 'long' });

/** 0 is Sunday. */
export const weekdayName = (day: number): string => written(new Date(2026, 1, 1 + day), { weekday: 'long' });

/** What is wrong with a cron line, and what fits. */
export function faultWords(fault: CronFault): string {
  if (fault.type === 'count') return t(($) => $.schedules.invalid.count);
  if (fault.type === 'never') return t(($) => $.schedules.invalid.never);
  const { part, least, most } = fault;
  return t(($) => $.schedules.invalid.part, { part, least, most });
}
