/** What a cron line says: each field's values, in order; of weekdays 0 is Sunday. */
export type Cron = {
  minutes: number[];
  hours: number[];
  days: number[];
  months: number[];
  weekdays: number[];
  /** Both days and weekdays are named: one of them is enough (crontab(5)). */
  isEitherDay: boolean;
};

/** What is wrong with a line: it has not five fields, or the part of one is none of its values, or it names no date. */
export type CronFault =
  | { type: 'count' }
  | { type: 'part'; part: string; least: number; most: number }
  | { type: 'never' };

type Field = { least: number; most: number; names?: string[] };

const FIELDS: readonly [Field, Field, Field, Field, Field] = [
  { least: 0, most: 59 },
  { least: 0, most: 23 },
  { least: 1, most: 31 },
  { least: 1, most: 12, names: ' jan feb mar apr may jun jul aug sep oct nov dec'.split(' ') },
  { least: 0, most: 7, names: 'sun mon tue wed thu fri sat'.split(' ') },
];

/** The 29th of February is up to eight years away. */
const MOST_DAYS = 8 * 366;

/** Reads a line of five fields: `*`, values, ranges, lists and steps, months and weekdays also by their English names. */
export function readCron(line: string): { cron: Cron } | { fault: CronFault } {
  const typed = line.trim().toLowerCase().split(/\s+/);
  if (typed.length !== FIELDS.length) return { fault: { type: 'count' } };
  const values: number[][] = [];
  for (const [index, field] of FIELDS.entries()) {
    const found = new Set<number>();
    for (const part of (typed[index] ?? '').split(',')) {
      const of = readPart(part, field);
      if (!of) return { fault: { type: 'part', part, least: field.least, most: field.most } };
      of.forEach((value) => found.add(value));
    }
    values.push([...found].toSorted((a, b) => a - b));
  }
  const [minutes = [], hours = [], days = [], months = [], all = []] = values;
  const weekdays = [...new Set(all.map((day) => day % 7))].toSorted((a, b) => a - b);
  const isEitherDay = !typed[2]?.startsWith('*') && !typed[4]?.startsWith('*');
  const cron = { minutes, hours, days, months, weekdays, isEitherDay };
  return nextTime(cron, 0) === undefined ? { fault: { type: 'never' } } : { cron };
}

/** The values of `*`, `3`, `1-5`, and with a step each; undefined for anything else. */
function readPart(part: string, { least, most, names = [] }: Field): number[] | undefined {
  const [range = '', step, ...more] = part.split('/');
  const [from = '', to, ...rest] = range.split('-');
  const numberOf = (text: string): number =>
    /^\d{1,2}$/.test(text) ? Number(text) : text === '' ? -1 : names.indexOf(text);
  const isAll = from === '*' && to === undefined;
  const first = isAll ? least : numberOf(from);
  const last = isAll || (to === undefined && step !== undefined) ? most : numberOf(to ?? from);
  const every = step === undefined ? 1 : /^\d{1,2}$/.test(step) ? Number(step) : 0;
  if (more.length + rest.length > 0 || first < least || last > most || first > last || every < 1)
    return undefined;
  return Array.from({ length: Math.floor((last - first) / every) + 1 }, (_, index) => first + index * every);
}

/**
 * The first time after `after` that the line names, on this computer's clock; undefined where there is none. What the
 * change to summer time leaves out comes an hour later, what that back repeats comes once.
 * @param after milliseconds since the epoch, as is what is returned
 */
export function nextTime(cron: Cron, after: number): number | undefined {
  const start = new Date(after);
  for (let ahead = 0; ahead <= MOST_DAYS; ahead += 1) {
    const day = new Date(start.getFullYear(), start.getMonth(), start.getDate() + ahead);
    if (!isOnDay(cron, day)) continue;
    for (const hour of cron.hours) {
      for (const minute of cron.minutes) {
        const time = new Date(day.getFullYear(), day.getMonth(), day.getDate(), hour, minute).getTime();
        if (time > after) return time;
      }
    }
  }
  return undefined;
}

function isOnDay({ months, days, weekdays, isEitherDay }: Cron, day: Date): boolean {
  if (!months.includes(day.getMonth() + 1)) return false;
  const [ofMonth, ofWeek] = [days.includes(day.getDate()), weekdays.includes(day.getDay())];
  return isEitherDay ? ofMonth || ofWeek : ofMonth && ofWeek;
}
