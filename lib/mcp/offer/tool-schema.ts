import { schemaArrayKeyword, schemaKeyword, schemaMapKeyword } from '@cfworker/json-schema';
import { excess } from '../content/excess.ts';
import { isRecord } from '../../json.ts';
import { lookupOf } from '../../schema-lookup.ts';
import type { Raw } from '../content/raw.ts';
import { t } from '../../../locales/texts/errors.ts';

const TYPES: ReadonlySet<unknown> = new Set([
  'array',
  'boolean',
  'integer',
  'null',
  'number',
  'object',
  'string',
]);

/**
 * Why a tool can't be called whose arguments are described like this, as a sentence; undefined when it is a JSON schema
 * (2020-12 or an earlier draft) of an object. What it does not say about its type is taken for an object's.
 */
export function schemaProblem(schema: unknown): string | undefined {
  if (!isRecord(schema)) return t(($) => $.errors.offer.schema.missing);
  const weight = excess(schema);
  if (weight !== undefined) return t(($) => $.errors.offer.schema.excess, { weight });
  if (schema['type'] !== undefined && schema['type'] !== 'object') {
    return t(($) => $.errors.offer.schema.noObject);
  }
  const flaw = firstFlaw(schema, []);
  if (flaw !== undefined) return t(($) => $.errors.offer.schema.broken, { flaw });
  return unresolved(schema);
}

/** The first place where something stands that is no schema, or a type that there is not. */
function firstFlaw(schema: unknown, path: string[]): string | undefined {
  const here = (): string =>
    path.length === 0 ? t(($) => $.errors.offer.schema.top) : `“${path.join('.')}”`;
  if (typeof schema === 'boolean') return undefined;
  if (!isRecord(schema)) return t(($) => $.errors.offer.schema.noSchema, { here: here() });
  for (const [key, part] of Object.entries(schema)) {
    const at = [...path, key];
    if (key === 'type' && ![part].flat().every((type) => TYPES.has(type))) {
      return t(($) => $.errors.offer.schema.noType, { here: here() });
    }
    if (key === 'enum' && !Array.isArray(part))
      return t(($) => $.errors.offer.schema.noList, { at: at.join('.') });
    if ((key === '$ref' || key === '$id') && typeof part !== 'string')
      return t(($) => $.errors.offer.schema.noAddress, { at: at.join('.') });
    const flaw = flawIn(key, part, at);
    if (flaw !== undefined) return flaw;
  }
  return undefined;
}

function flawIn(key: string, part: unknown, path: string[]): string | undefined {
  if (Array.isArray(part) && schemaArrayKeyword[key]) {
    return first(part, (each, index) => firstFlaw(each, [...path, String(index)]));
  }
  if (schemaMapKeyword[key]) {
    if (!isRecord(part)) return t(($) => $.errors.offer.schema.noMap, { at: path.join('.') });
    return first(Object.entries(part), ([name, each]) => firstFlaw(each, [...path, name]));
  }
  if (schemaKeyword[key]) return firstFlaw(part, path);
  return schemaArrayKeyword[key]
    ? t(($) => $.errors.offer.schema.noSchemas, { at: path.join('.') })
    : undefined;
}

function first<T>(list: T[], find: (each: T, index: number) => string | undefined): string | undefined {
  for (const [index, each] of list.entries()) {
    const found = find(each, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A reference that leads nowhere in the schema. Nothing is fetched for one that leads elsewhere. */
function unresolved(schema: Raw): string | undefined {
  try {
    // The validator writes into what it reads.
    const lookup = lookupOf(structuredClone(schema));
    for (const part of Object.values(lookup)) {
      if (!isRecord(part) || typeof part['$ref'] !== 'string') continue;
      if (lookup[String(part['__absolute_ref__'])] === undefined) {
        return t(($) => $.errors.offer.schema.noReference, { to: part['$ref'].slice(0, 200) });
      }
    }
    return undefined;
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return t(($) => $.errors.offer.schema.unreadable, { why: words.slice(0, 200) });
  }
}
