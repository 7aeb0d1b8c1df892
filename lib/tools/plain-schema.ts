import { schemaArrayKeyword, schemaKeyword, schemaMapKeyword } from '@cfworker/json-schema';
import { isSafePattern } from '../safe-pattern.ts';
import { isRecord } from '../json.ts';

type Json = Record<string, unknown>;

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
export function plainSchema(schema: Json, short: boolean): Json | undefined {
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
