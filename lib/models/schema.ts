import { isRecord } from './json.ts';
import { toGeminiSchema } from './schema-gemini.ts';
import { includesType, resolveRef, type Schema } from './schema-ref.ts';

export type Dialect = 'plain' | 'gemini';

const written: Record<Dialect, WeakMap<Schema, Schema>> = { plain: new WeakMap(), gemini: new WeakMap() };

/**
 * A tool's JSON schema as model servers accept it: an object with properties, no alternatives at its top, arrays with
 * items; for Gemini also its subset of OpenAPI. It may say less than the original, which the arguments are checked
 * against all the same. Each schema is rewritten once: the same object comes back as long as the original lives.
 */
export function toolSchema(schema: Schema, dialect: Dialect): Schema {
  const known = written[dialect].get(schema);
  if (known) return known;
  const plain = hasPlainTop(schema) && isPlain(schema, 0) ? schema : walk(fold(schema, schema, 0), 0);
  const result = dialect === 'gemini' ? toGeminiSchema(plain) : plain;
  written[dialect].set(schema, result);
  return result;
}

// ── The top ───────────────────────────────────────────────────────────────────────────────────────────

const ALTERNATIVES = ['anyOf', 'oneOf'] as const;
const NOT_AT_THE_TOP = ['$ref', 'oneOf', 'anyOf', 'allOf', 'enum', 'const', 'not', 'nullable'];

/** Alternatives within alternatives, and references to references, are followed this far. */
const MAX_FOLDS = 6;

function hasPlainTop(schema: Schema): boolean {
  return (
    schema.type === 'object' &&
    isRecord(schema.properties) &&
    NOT_AT_THE_TOP.every((name) => schema[name] === undefined)
  );
}

/** The top as one object: OpenAI and Anthropic take no alternatives, references or negations there. */
function fold(schema: Schema, root: Schema, depth: number): Schema {
  const parts = [schema, ...sameTime(root, schema, depth)];
  const result: Schema = Object.fromEntries(
    Object.entries(schema).filter(([name]) => !NOT_AT_THE_TOP.includes(name)),
  );
  result.type = 'object';
  result.properties = Object.assign(
    {},
    ...parts
      .map((part) => part.properties)
      .filter(isRecord)
      .toReversed(),
  );
  const required = new Set(parts.flatMap(requiredOf));
  for (const name of depth > MAX_FOLDS ? [] : ALTERNATIVES) {
    const branches = parts
      .flatMap((part) => schemasIn(part[name]))
      .map((branch) => fold(branch, root, depth + 1));
    if (branches.length === 0) continue;
    result.properties = { ...united(branches), ...(result.properties as Schema) };
    const [first, ...others] = branches.map((branch) => new Set(requiredOf(branch)));
    for (const each of first ?? []) if (others.every((other) => other.has(each))) required.add(each);
  }
  if (required.size > 0) result.required = [...required];
  else delete result.required;
  return result;
}

/** The schemas that hold together with one: what it refers to, and its `allOf`. */
function sameTime(root: Schema, schema: Schema, depth: number): Schema[] {
  if (depth > MAX_FOLDS) return [];
  const referred = resolveRef(root, schema.$ref);
  const parts = [...(referred ? [referred] : []), ...schemasIn(schema.allOf)];
  return parts.flatMap((part) => [part, ...sameTime(root, part, depth + 1)]);
}

/** The properties of alternatives; one that differs between them may be any of its forms. */
function united(branches: Schema[]): Schema {
  const forms = new Map<string, Map<string, unknown>>();
  for (const { properties } of branches) {
    for (const [name, property] of Object.entries(isRecord(properties) ? properties : {})) {
      const known = forms.get(name) ?? new Map<string, unknown>();
      forms.set(name, known.set(JSON.stringify(property), property));
    }
  }
  return Object.fromEntries(
    [...forms].map(([name, known]) => {
      const [first, ...others] = known.values();
      return [name, others.length === 0 ? first : { anyOf: [first, ...others] }];
    }),
  );
}

function schemasIn(list: unknown): Schema[] {
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

function requiredOf({ required }: Schema): string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

// ── Below the top ─────────────────────────────────────────────────────────────────────────────────────

/** What stands under a name: schemas by name, several, or one. */
const HOLDS: ReadonlyMap<string, 'map' | 'list' | 'one'> = new Map([
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'].map(
    (name) => [name, 'map'] as const,
  ),
  ...['anyOf', 'oneOf', 'allOf', 'prefixItems'].map((name) => [name, 'list'] as const),
  ...['items', 'contains', 'not', 'if', 'then', 'else', 'propertyNames'].map(
    (name) => [name, 'one'] as const,
  ),
]);
/** Nobody writes deeper ones by hand, and a stack has its end. */
const MAX_DEPTH = 60;

/** True when `walk` would change nothing. Most schemas are such, and looking is several times faster than copying. */
function isPlain(schema: unknown, depth: number): boolean {
  if (!isRecord(schema) || depth > MAX_DEPTH || lacks(schema)) return false;
  for (const name in schema) {
    const value = schema[name];
    const holds = HOLDS.get(name);
    if (holds === 'one' || (name === 'additionalProperties' && isRecord(value))) {
      if (!isPlain(value, depth + 1)) return false;
    } else if (holds === 'list') {
      if (!Array.isArray(value) || value.length === 0) return false;
      if (!value.every((each) => isPlain(each, depth + 1))) return false;
    } else if (holds === 'map') {
      if (!isRecord(value)) return false;
      for (const key in value) if (!isPlain(value[key], depth + 1)) return false;
    } else if (name === 'required' && !Array.isArray(value)) return false;
  }
  return true;
}

/** Whether it is an object without properties, or an array without items. */
function lacks({ type, properties, items, additionalProperties }: Schema): boolean {
  if (type === 'object') return properties === undefined && additionalProperties === undefined;
  return includesType(type, 'array') && !isRecord(items);
}

function walk(schema: unknown, depth: number): Schema {
  if (!isRecord(schema) || depth > MAX_DEPTH) return {};
  const result: Schema = {};
  for (const [name, value] of Object.entries(schema)) {
    const holds = HOLDS.get(name);
    if (holds === 'map') {
      if (isRecord(value)) result[name] = mapValues(value, depth);
    } else if (holds === 'list') {
      if (Array.isArray(value) && value.length > 0) result[name] = value.map((each) => walk(each, depth + 1));
    } else if (holds === 'one' || (name === 'additionalProperties' && isRecord(value))) {
      if (!Array.isArray(value)) result[name] = walk(value, depth + 1);
    } else if (name !== 'required' || Array.isArray(value)) result[name] = value;
  }
  if (lacks(result))
    Object.assign(
      result,
      result.type === 'object' ? { properties: {} } : { items: tupleItems(schema, depth) },
    );
  return result;
}

function mapValues(map: Schema, depth: number): Schema {
  const result: Schema = {};
  for (const name of Object.keys(map)) result[name] = walk(map[name], depth + 1);
  return result;
}

/** Draft 7's list of items, one for each place, as one for all. */
function tupleItems({ items }: Schema, depth: number): Schema {
  const forms = schemasIn(items).map((each) => walk(each, depth + 1));
  return forms.length === 0 ? {} : { anyOf: forms };
}
