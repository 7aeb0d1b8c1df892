import { recordOf } from '../json.ts';
import { isForbidden } from '../header-names.ts';
import type { TextLocation, Questions } from './questions.ts';
import { t } from '../../locales/texts/errors.ts';

/** One server of a file while it is read: its fields as they came, and what is found wrong with them. */
export type ServerEntry = {
  readonly fields: Record<string, unknown>;
  readonly problems: string[];
  usable: boolean;
  /** A text with its variables as questions; those that the user can't answer are noted. */
  readonly ask: (text: string, place?: TextLocation) => string;
  /** Whether what answers this question, which was asked before, is a secret. */
  readonly isSecret: (id: string) => boolean;
};

export function createEntry(value: unknown, questions: Questions): ServerEntry {
  const problems: string[] = [];
  return {
    fields: recordOf(value),
    problems,
    usable: true,
    ask(written, place = 'other') {
      const { text, unknown } = questions.ask(written, place);
      if (unknown.length > 0) {
        problems.push(t(($) => $.errors.configFile.entry.unknown, { names: listed(unknown) }));
      }
      return text;
    },
    isSecret: (id) => questions.all().some((question) => question.id === id && question.secret),
  };
}

export function refuse(entry: ServerEntry, why: string): void {
  entry.usable = false;
  entry.problems.push(why);
}

/** RFC 9110, field names and values. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/;
// oxlint-disable-next-line no-control-regex
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
// oxlint-disable-next-line no-control-regex
const ENV = /^[^=\x00]+$/;
// oxlint-disable-next-line no-control-regex
const ENV_VALUE = /^[^\x00]*$/;

const isAllowed = (place: 'header' | 'env', name: string, value: string): boolean =>
  place === 'header'
    ? HEADER_NAME.test(name) && HEADER_VALUE.test(value)
    : ENV.test(name) && ENV_VALUE.test(value);

/** Headers or environment; what is no text, is not allowed, or would not be sent is left out and noted. */
export function textsByName(
  entry: ServerEntry,
  place: 'header' | 'env',
  given: unknown,
): Record<string, string> | undefined {
  const texts: [string, string][] = [];
  const unfit: string[] = [];
  const unsent: string[] = [];
  for (const [name, value] of Object.entries(recordOf(given))) {
    const text = plain(value);
    if (text === null || !isAllowed(place, name, text)) unfit.push(name);
    else if (place === 'header' && isForbidden(name)) unsent.push(name);
    else texts.push([name, entry.ask(text, place)]);
  }
  const field =
    place === 'header'
      ? t(($) => $.errors.configFile.entry.headers)
      : t(($) => $.errors.configFile.entry.environment);
  if (unfit.length > 0)
    entry.problems.push(t(($) => $.errors.configFile.entry.unfit, { field, names: listed(unfit) }));
  if (unsent.length > 0) {
    entry.problems.push(t(($) => $.errors.configFile.entry.unsent, { names: listed(unsent) }));
  }
  if (given !== undefined && given !== null && recordOf(given) !== given) {
    entry.problems.push(t(($) => $.errors.configFile.entry.noValues, { field }));
  }
  return texts.length > 0 ? Object.fromEntries(texts) : undefined;
}

/** A text, or a number or truth as one; null for anything else. */
export function plain(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

const MOST_LISTED = 6;
const LONGEST = 60;

/** Names as a file has them, in words; of many only the first. */
export function listed(names: string[]): string {
  const shown = names
    .slice(0, MOST_LISTED)
    .map((name) => (name.length > LONGEST ? `${name.slice(0, LONGEST)}…` : name));
  const more = names.length - shown.length;
  return more > 0
    ? t(($) => $.errors.configFile.entry.more, { shown: shown.join(', '), more })
    : shown.join(', ');
}
