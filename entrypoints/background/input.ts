import { AppError } from '../../lib/errors.ts';
import { headerProblem } from '../../lib/mcp/settings.ts';
import type { ErrorWords } from '../../lib/types/error.ts';
import { t } from '../../locales/texts/errors.ts';

/** What a page sent does not make sense. */
export function invalid(words: ErrorWords): AppError {
  return new AppError({ code: 'invalid_input', ...words });
}

/** What a text is called in an error. */
type Field =
  | 'chat'
  | 'address'
  | 'name'
  | 'id'
  | 'model'
  | 'baseUrl'
  | 'title'
  | 'url'
  | 'clientId'
  | 'command';

/** @throws AppError `invalid_input` when the text is empty. @returns it trimmed */
export function requireText(value: unknown, name: Field): string {
  const text = typeof value === 'string' ? value.trim() : '';
  if (text === '')
    throw invalid(t(($) => $.errors.input.required, { field: t(($) => $.errors.input.fields[name]) }));
  return text;
}

/** @throws AppError `invalid_input` when it is empty, or longer than `most` characters. @returns it in one line */
export function requireName(value: unknown, most: number): string {
  const name = requireText(value, 'name').replace(/\s+/g, ' ');
  if (name.length > most) throw invalid(t(($) => $.errors.input.longName, { most }));
  return name;
}

/** @throws AppError `invalid_input` when it is no http or https address. @returns it trimmed */
export function requireHttpUrl(value: unknown, name: Field): string {
  const text = requireText(value, name);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const field = t(($) => $.errors.input.fields[name]);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw invalid(t(($) => $.errors.input.noAddress, { field }));
  if (url.username !== '' || url.password !== '') throw invalid(t(($) => $.errors.input.password, { field }));
  return text;
}

/**
 * Headers as the browser takes them; absent ones stay absent. What is wrong is said without the value, a secret.
 * @throws AppError `invalid_input`
 */
export function requireHeaders(value: unknown): Record<string, string> | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(t(($) => $.errors.input.headers));
  const bad = Object.entries(value)
    .map(headerProblem)
    .find((each) => each !== undefined);
  if (bad === undefined) return value as Record<string, string>;
  throw invalid(t(($) => $.errors.input.header, { what: bad }));
}

/** setTimeout’s own limit: above it a timer fires at once. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** @throws AppError `invalid_input` unless it is a whole number of milliseconds that a timer can wait */
export function requireTimeout(value: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= LONGEST_TIMEOUT_MS) return;
  throw invalid(t(($) => $.errors.input.timeout, { most: LONGEST_TIMEOUT_MS }));
}

/**
 * Keeps a stored secret from following its row to another address: it was given for the old one.
 * @throws AppError `secret_for_other_address` when the origins differ
 */
export function requireOwnSecret(
  before: string,
  after: string,
  secret: 'key' | 'headers' | 'clientSecret',
): void {
  const [old, next] = [new URL(before), new URL(after)];
  if (old.origin === next.origin) return;
  throw new AppError({
    code: 'secret_for_other_address',
    ...t(($) => $.errors.input.otherAddress[secret], { before: old.host, after: next.host }),
  });
}
