import { dereference, schemaArrayKeyword, schemaKeyword, schemaMapKeyword } from '@cfworker/json-schema';
import * as offerProblems from '../../../locales/errors/offer.ts';
import { excess } from '../content/excess.ts';
import { isRecord } from '../content/raw.ts';
import type { Raw } from '../content/raw.ts';

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
 * Why nobody can call a tool whose arguments are described like this, as a sentence; undefined when it is a JSON schema
 * (2020-12 or an earlier draft) of an object. What it does not say about its type is taken for an object's.
 */
export function schemaProblem(schema: unknown): string | undefined {
  if (!isRecord(schema)) return offerProblems.schema.missing;
  const weight = excess(schema);
  if (weight !== undefined) return offerProblems.schema.excess(weight);
  if (schema['type'] !== undefined && schema['type'] !== 'object') {
    return offerProblems.schema.noObject;
  }
  const flaw = firstFlaw(schema, []);
  if (flaw !== undefined) return offerProblems.schema.broken(flaw);
  return unresolved(schema);
}

/** The first place where something stands that is no schema, or a type that there is not. */
function firstFlaw(schema: unknown, path: string[]): string | undefined {
  const here = path.length === 0 ? offerProblems.schema.top : `“${path.join('.')}”`;
  if (typeof schema === 'boolean') return undefined;
  if (!isRecord(schema)) return offerProblems.schema.noSchema(here);
  for (const [key, part] of Object.entries(schema)) {
    const at = [...path, key];
    if (key === 'type' && ![part].flat().every((type) => TYPES.has(type))) {
      return offerProblems.schema.noType(here);
    }
    if (key === 'enum' && !Array.isArray(part)) return offerProblems.schema.noList(at.join('.'));
    if ((key === '$ref' || key === '$id') && typeof part !== 'string')
      return offerProblems.schema.noAddress(at.join('.'));
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
    if (!isRecord(part)) return offerProblems.schema.noMap(path.join('.'));
    return first(Object.entries(part), ([name, each]) => firstFlaw(each, [...path, name]));
  }
  if (schemaKeyword[key]) return firstFlaw(part, path);
  return schemaArrayKeyword[key] ? offerProblems.schema.noSchemas(path.join('.')) : undefined;
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
    const lookup: Record<string, unknown> = dereference(structuredClone(schema));
    for (const part of Object.values(lookup)) {
      if (!isRecord(part) || typeof part['$ref'] !== 'string') continue;
      if (lookup[String(part['__absolute_ref__'])] === undefined) {
        return offerProblems.schema.noReference(part['$ref'].slice(0, 200));
      }
    }
    return undefined;
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return offerProblems.schema.unreadable(words.slice(0, 200));
  }
}
