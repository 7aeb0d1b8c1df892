import * as z from 'zod/mini';
import { AppError } from '../../errors.ts';
import { t } from '../../../locales/texts/errors.ts';
import { units } from '../../../locales/units.ts';

// Extension pages forbid `eval`, with which zod would compile its parsers: https://zod.dev/api?id=jitless
z.config({ jitless: true });

export type Shape<T> = z.ZodMiniType<T>;

export const badImport = (message: string): AppError =>
  new AppError({ code: 'bad_import', message, fix: t(($) => $.errors.import.chooseExport) });

/**
 * Reads a value of a file that anyone may have written.
 * @param where what it is called in the error
 * @throws AppError `bad_import` that says what in it is wrong
 */
export function readShape<T>(shape: Shape<T>, value: unknown, where: string): T {
  const { data, error } = z.safeParse(shape, value, { error: wantedBy });
  const [issue] = error?.issues ?? [];
  if (!issue) return data as T;
  const path = issue.path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`));
  const place = where + path.join('');
  const { message } = issue;
  throw badImport(
    issue.code === 'custom' && issue.params?.['isWhole']
      ? t(($) => $.errors.import.at, { where: place, why: message })
      : t(($) => $.errors.import.misfit, { where: place, wanted: message }),
  );
}

/** What stands in the place of what a shape without words of its own refuses. */
function wantedBy(issue: z.core.$ZodRawIssue): string {
  const { values, options } = issue as { values?: unknown[]; options?: unknown[] };
  if (issue.code === 'invalid_value') return oneOf(values?.map((each) => JSON.stringify(each)));
  if (issue.code === 'invalid_union') return oneOf(options?.map(String));
  const expected = issue.code === 'too_small' ? issue.origin : 'expected' in issue && issue.expected;
  switch (expected) {
    case 'string':
      return t(($) => $.errors.import.shapes.text);
    case 'boolean':
      return t(($) => $.errors.import.shapes.truth);
    case 'array':
      return t(($) => $.errors.import.shapes.list);
    default:
      return t(($) => $.errors.import.shapes.object);
  }
}

const oneOf = (values: string[] = []): string =>
  t(($) => $.errors.import.shapes.oneOf, { values: units.commas(values) });

export function text(most: number, least = 0) {
  const wanted = { error: () => t(($) => $.errors.import.shapes.textOf, { least, most }) };
  return z.string(wanted).check(z.minLength(least, wanted), z.maxLength(most, wanted));
}

export function number(least = 0, most = Infinity, isWhole = false) {
  const error = (): string =>
    most === Infinity
      ? t(($) => $.errors.import.shapes.number, { isWhole, least })
      : t(($) => $.errors.import.shapes.numberTo, { isWhole, least, most });
  const bounded = z.number({ error }).check(z.minimum(least, { error }), z.maximum(most, { error }));
  return isWhole ? bounded.check(z.refine(Number.isSafeInteger, { error })) : bounded;
}

export const whole = (least = 0, most?: number) => number(least, most, true);

const timeWanted = { error: () => t(($) => $.errors.import.shapes.time) };

/**
 * A time as `Date.prototype.toISOString` writes it: such ones are in order as texts, too. None is to come: the tool log would
 * not be kept to its size any more.
 */
export const time = z.pipe(
  z.string(timeWanted).check(z.refine((at) => !Number.isNaN(Date.parse(at)), timeWanted)),
  z.transform((at) => new Date(Math.min(Date.parse(at), Date.now())).toISOString()),
);

export function list<S extends z.core.SomeType>(shape: S, most: number) {
  const wanted = { error: () => t(($) => $.errors.import.shapes.listOf, { most }) };
  return z.array(shape, wanted).check(z.maxLength(most, wanted));
}

export const record = z.record(z.string(), z.unknown());

/** A shape from a check of what pages send, whose words it keeps. */
export function checked<T>(check: (value: unknown) => T) {
  return z.pipe(
    z.unknown(),
    z.transform((value, context): T => {
      try {
        return check(value);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const params = { isWhole: true };
        context.issues.push({ code: 'custom', message: error.message, input: value, params });
        return z.NEVER;
      }
    }),
  );
}

type Fields = Readonly<Record<string, z.core.SomeType>>;

/** An object that must have the first fields and may have the others; whatever else it has is left out. */
export function fields<F extends Fields, O extends Fields = Record<never, never>>(needed: F, optional?: O) {
  const optionals = Object.entries(optional ?? {}).map(([key, shape]) => [key, z.exactOptional(shape)]);
  return z.object({ ...needed, ...(Object.fromEntries(optionals) as Optionals<O>) });
}

type Optionals<O extends Fields> = { [K in keyof O]: z.ZodMiniExactOptional<O[K]> };
