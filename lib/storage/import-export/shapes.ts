import { AppError } from '../../errors.ts';
import { t } from '../../../locales/texts/errors.ts';
import { units } from '../../../locales/units.ts';

/** Reads a value of a file that anybody may have written. `where`: what it is called in there. @throws AppError `bad_import` */
export type Shape<T> = (value: unknown, where: string) => T;

export type Shaped<S> = S extends Shape<infer T> ? T : never;

export function badImport(message: string, fix = t(($) => $.errors.import.chooseExport)): AppError {
  return new AppError({ code: 'bad_import', message, fix });
}

function misfit(where: string, wanted: string): AppError {
  return badImport(t(($) => $.errors.import.misfit, { where, wanted }));
}

export function text({ most = Infinity, least = 0 } = {}): Shape<string> {
  return (value, where) => {
    if (typeof value === 'string' && value.length <= most && value.length >= least) return value;
    throw misfit(
      where,
      most === Infinity
        ? t(($) => $.errors.import.shapes.text)
        : t(($) => $.errors.import.shapes.textOf, { least, most }),
    );
  };
}

export function number({ least = 0, most = Infinity, isWhole = false } = {}): Shape<number> {
  return (value, where) => {
    const isInside = Number.isFinite(value) && Number(value) >= least && Number(value) <= most;
    if (isInside && (!isWhole || Number.isSafeInteger(value))) return Number(value);
    throw misfit(
      where,
      most === Infinity
        ? t(($) => $.errors.import.shapes.number, { isWhole, least })
        : t(($) => $.errors.import.shapes.numberTo, { isWhole, least, most }),
    );
  };
}

export const truth: Shape<boolean> = (value, where) => {
  if (typeof value === 'boolean') return value;
  throw misfit(
    where,
    t(($) => $.errors.import.shapes.truth),
  );
};

export function oneOf<const T>(...values: T[]): Shape<T> {
  return (value, where) => {
    const found = values.find((each) => each === value);
    if (found !== undefined) return found;
    throw misfit(
      where,
      t(($) => $.errors.import.shapes.oneOf, {
        values: units.commas(values.map((each) => JSON.stringify(each))),
      }),
    );
  };
}

/** A time as `Date.prototype.toISOString` writes it: such ones are in order as texts, too. */
export const time: Shape<string> = (value, where) => {
  const at = typeof value === 'string' ? Date.parse(value) : NaN;
  if (!Number.isNaN(at)) return new Date(at).toISOString();
  throw misfit(
    where,
    t(($) => $.errors.import.shapes.time),
  );
};

export function list<T>(shape: Shape<T>, most = Infinity): Shape<T[]> {
  return (value, where) => {
    if (Array.isArray(value) && value.length <= most)
      return value.map((each, index) => shape(each, `${where}[${index}]`));
    throw misfit(
      where,
      most === Infinity
        ? t(($) => $.errors.import.shapes.list)
        : t(($) => $.errors.import.shapes.listOf, { most }),
    );
  };
}

export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return (value, where) => (value === null ? null : shape(value, where));
}

export const record: Shape<Record<string, unknown>> = (value, where) => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw misfit(
    where,
    t(($) => $.errors.import.shapes.object),
  );
};

/** Whatever JSON can hold. */
export const anything: Shape<unknown> = (value) => value;

type Fields = Record<string, Shape<unknown>>;
type Read<F extends Fields> = { [K in keyof F]: Shaped<F[K]> };

/** An object that must have the first fields and may have the others; whatever else it has is left out. */
export function fields<F extends Fields, O extends Fields = Record<never, never>>(
  needed: F,
  optional?: O,
): Shape<Read<F> & Partial<Read<O>>> {
  return (value, where) => {
    const given = record(value, where);
    const read = ([name, shape]: [string, Shape<unknown>]) => [name, shape(given[name], `${where}.${name}`)];
    const present = Object.entries(optional ?? {}).filter(([name]) => given[name] !== undefined);
    return Object.fromEntries([...Object.entries(needed), ...present].map(read)) as Read<F> &
      Partial<Read<O>>;
  };
}

/** An object that one of its fields tells apart. */
export function union<T>(tag: string, shapes: Record<string, Shape<T>>): Shape<T> {
  return (value, where) => {
    const name = String(record(value, where)[tag]);
    const shape = Object.hasOwn(shapes, name) ? shapes[name] : undefined;
    if (shape) return shape(value, where);
    throw misfit(
      `${where}.${tag}`,
      t(($) => $.errors.import.shapes.oneOf, { values: units.commas(Object.keys(shapes)) }),
    );
  };
}
