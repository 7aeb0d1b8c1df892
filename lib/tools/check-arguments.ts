import {
  type SchemaDraft,
  validate,
  schemaArrayKeyword,
  schemaKeyword,
  schemaMapKeyword,
} from '@cfworker/json-schema';
import { isRecord, stringOf } from '../json.ts';
import { lookupOf } from '../schema-lookup.ts';
import { describeViolations } from './violations.ts';
import { isSafePattern } from '../safe-pattern.ts';

type Json = Record<string, unknown>;
type Check = (args: Json, timeoutMs: number) => string | undefined;

/** A schema or arguments with more parts than this are not checked here: a server checks its own. */
const MOST_PARTS = 20_000;
/** Characters of the arguments up to which patterns are tested. */
const SHORT = 200;
/** Milliseconds after which a schema that refers to itself in ever new ways is given up. */
const TIMEOUT_MS = 250;

const fits: Check = () => undefined;
const checks = new WeakMap<Json, { short?: Check; long?: Check }>();

/**
 * What a tool's JSON schema (2020-12, unless `$schema` says otherwise) says against arguments: one sentence with the
 * first few violations, undefined when they fit. Schemas come from servers, which may be careless or hostile: one that
 * is broken, refers elsewhere or takes too long counts as fitting. `format` is an annotation, as 2020-12 has it.
 * @param isOwn of a tool of Portside's own, whose arguments nothing else checks: what can't be checked does not fit
 */
export function checkArguments(schema: Json, args: Json, isOwn = false): string | undefined {
  const unchecked = isOwn ? 'they are too many, or too odd, to be checked' : undefined;
  try {
    const { parts, characters, isText } = weigh(args);
    if (!isText) return 'a name among them is not well-formed Unicode'; // the validator throws at it
    if (parts > MOST_PARTS) return unchecked;
    const size = characters <= SHORT ? 'short' : 'long';
    const known = checks.get(schema) ?? {};
    checks.set(schema, known);
    const check = (known[size] ??= createCheck(schema, size === 'short'));
    return check(args, isOwn ? Infinity : TIMEOUT_MS);
  } catch {
    return unchecked; // a schema that can't be read says nothing against anything
  }
}

function createCheck(schema: Json, short: boolean): Check {
  if (weigh(schema).parts > MOST_PARTS) return fits;
  const copy = plainSchema(schema, short);
  if (!copy) return fits;
  let deadline = Infinity;
  const checkDeadline = () => {
    if (performance.now() > deadline) throw new Error('The schema takes too long.');
  };
  const lookup = lookupOf(copy);
  for (const part of Object.values(lookup)) if (isRecord(part)) observe(part, checkDeadline);
  const draft = draftOf(schema);
  return (args, timeoutMs) => {
    deadline = performance.now() + timeoutMs;
    const { errors } = validate(args, copy, draft, lookup, false);
    return errors.length === 0 ? undefined : describeViolations(errors, copy, lookup, args);
  };
}

/** The validator reads this keyword at every schema that it comes by, and offers no other way to interrupt it. */
function observe(schema: Json, read: () => void): void {
  Object.defineProperty(schema, '$recursiveAnchor', { get: read, enumerable: false });
}

function draftOf({ $schema }: Json): SchemaDraft {
  const name = stringOf($schema);
  if (name.includes('draft-04')) return '4';
  if (name.includes('draft-06') || name.includes('draft-07')) return '7';
  return name.includes('2019-09') ? '2019-09' : '2020-12';
}

/** How many values there are, counted up to just over the limit, how many characters their texts and names have, and whether the names are text. */
function weigh(value: unknown): { parts: number; characters: number; isText: boolean } {
  const left: unknown[] = [value];
  let parts = 0;
  let characters = 0;
  let isText = true;
  while (left.length > 0 && parts <= MOST_PARTS) {
    const next = left.pop();
    parts += 1;
    if (typeof next === 'string') characters += next.length;
    if (typeof next !== 'object' || next === null) continue;
    for (const [key, part] of Object.entries(next)) {
      characters += key.length;
      isText &&= !/\p{Surrogate}/u.test(key);
      left.push(part);
    }
  }
  return { parts, characters, isText };
}

/** Keywords whose meaning turns around, or counts, what stands in them: there nothing may be left out. */
const exact = new Set(['not', 'oneOf', 'if', 'contains']);
const types = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);
const annotations = new Set(['title', 'description', 'default', 'examples', 'deprecated', '$comment']);
const plain = new Set(
  (
    '$id $schema $ref $anchor $recursiveRef enum const required dependentRequired maximum minimum ' +
    'exclusiveMaximum exclusiveMinimum multipleOf maxLength minLength maxItems minItems maxProperties minProperties ' +
    'minContains maxContains'
  ).split(' '),
);
/** Names are held against all of them before the deadline is looked at. */
const MOST_PATTERNS = 100;
const areSafe = (patterns: string[]): boolean =>
  patterns.length <= MOST_PATTERNS && patterns.every(isSafePattern);

/**
 * A copy of a JSON schema with nothing but what can be checked soundly and soon. What is left out makes it take more,
 * never less.
 * @param short the values are short: patterns and uniqueness can be afforded
 * @returns undefined when leaving something out could make it take less
 */
function plainSchema(schema: Json, short: boolean): Json | undefined {
  let leftOut = false;
  let mustBeWhole = false;

  const copy = (value: unknown): unknown => {
    if (!isRecord(value)) return value;
    const entries = Object.entries(value).flatMap(([key, part]): [string, unknown][] => {
      mustBeWhole ||= exact.has(key);
      if (isKept(key, part)) return [[key, copyPart(key, part)]];
      leftOut ||= !annotations.has(key);
      // Without its patterns a schema does not know which properties are additional.
      mustBeWhole ||= key === 'patternProperties';
      return [];
    });
    return Object.fromEntries(entries);
  };
  const copyPart = (key: string, part: unknown): unknown => {
    if (Array.isArray(part)) return schemaArrayKeyword[key] ? part.map(copy) : part;
    if (schemaMapKeyword[key] && isRecord(part)) {
      return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, copy(each)]));
    }
    return schemaKeyword[key] ? copy(part) : part;
  };
  const isKept = (key: string, part: unknown): boolean => {
    if (key === 'type') return [part].flat().every((type) => typeof type === 'string' && types.has(type));
    if (key === 'pattern') return short && typeof part === 'string' && isSafePattern(part);
    if (key === 'patternProperties') return short && isRecord(part) && areSafe(Object.keys(part));
    if (key === 'uniqueItems') return short;
    if (schemaMapKeyword[key] || schemaKeyword[key] || schemaArrayKeyword[key]) return true;
    return plain.has(key);
  };

  const copied = copy(schema);
  return isRecord(copied) && !(leftOut && mustBeWhole) ? copied : undefined;
}
