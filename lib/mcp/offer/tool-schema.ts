import { dereference, schemaArrayKeyword, schemaKeyword, schemaMapKeyword } from '@cfworker/json-schema';
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
  if (!isRecord(schema)) return 'The server gives no JSON schema for its arguments.';
  const weight = excess(schema);
  if (weight !== undefined) return `The schema of its arguments is ${weight}.`;
  if (schema['type'] !== undefined && schema['type'] !== 'object') {
    return 'The schema of its arguments does not describe an object.';
  }
  const flaw = firstFlaw(schema, []);
  if (flaw !== undefined) return `The schema of its arguments is broken: ${flaw}.`;
  return unresolved(schema);
}

/** The first place where something stands that is no schema, or a type that there is not. */
function firstFlaw(schema: unknown, path: string[]): string | undefined {
  const here = path.length === 0 ? 'its top' : `“${path.join('.')}”`;
  if (typeof schema === 'boolean') return undefined;
  if (!isRecord(schema)) return `${here} is no schema`;
  for (const [key, part] of Object.entries(schema)) {
    const at = [...path, key];
    if (key === 'type' && ![part].flat().every((type) => TYPES.has(type))) {
      return `${here} has a type that there is not`;
    }
    if (key === 'enum' && !Array.isArray(part)) return `“${at.join('.')}” is no list`;
    if ((key === '$ref' || key === '$id') && typeof part !== 'string')
      return `“${at.join('.')}” is no address`;
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
    if (!isRecord(part)) return `“${path.join('.')}” does not hold schemas by name`;
    return first(Object.entries(part), ([name, each]) => firstFlaw(each, [...path, name]));
  }
  if (schemaKeyword[key]) return firstFlaw(part, path);
  return schemaArrayKeyword[key] ? `“${path.join('.')}” is no list of schemas` : undefined;
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
        return `The schema of its arguments refers to “${part['$ref'].slice(0, 200)}”, which is not in it.`;
      }
    }
    return undefined;
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return `The schema of its arguments can’t be read: ${words.slice(0, 200)}`;
  }
}
