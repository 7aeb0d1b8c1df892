import type { StandardSchemaV1 } from '@modelcontextprotocol/client';

import { t } from '../../../locales/texts/errors.ts';
import { isRecord } from '../../json.ts';

export type Raw = Record<string, unknown>;

/** Where `keepResults` (tap-results.ts) leaves what a server really answered. */
export const KEPT = Symbol('result');

/**
 * The result schema for every request whose result is read here, entry by entry: the client's own would refuse the
 * whole of it for one entry that it does not like.
 */
export const anyObject: StandardSchemaV1<unknown, Raw> = {
  '~standard': {
    version: 1,
    vendor: 'portside',
    validate: (value) =>
      isRecord(value) ? { value: kept(value) } : { issues: [{ message: t(($) => $.errors.mcp.noObject) }] },
  },
};

/** A result as the server sent it. */
export function kept(result: Raw): Raw {
  const whole = (result as { [KEPT]?: unknown })[KEPT];
  return isRecord(whole) ? whole : result;
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** The text, or none; what is longer than `most` characters is cut. */
export function cut(value: unknown, most: number): string {
  if (!isText(value)) return '';
  return value.length > most ? `${value.slice(0, most)}…` : value;
}

/** Those of the optional fields that are there and are text. */
export function texts<K extends string>(value: Raw, ...keys: K[]): Partial<Record<K, string>> {
  const found: Partial<Record<K, string>> = {};
  for (const key of keys) {
    const field = value[key];
    if (isText(field)) found[key] = field;
  }
  return found;
}
