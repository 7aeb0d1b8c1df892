import { isRecord, listOf } from '../../json.ts';
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
  const plain = walk(hasPlainTop(schema) ? schema : foldTop(schema), 0);
  const result = dialect === 'gemini' ? toGeminiSchema(plain) : plain;
  written[dialect].set(schema, result);
  return result;
}

// ── The top ───────────────────────────────────────────────────────────────────────────────────────────

const ALTERNATIVES = ['anyOf', 'oneOf'] as const;
const NOT_AT_THE_TOP = ['$ref', 'oneOf', 'anyOf', 'allOf', 'enum', 'const', 'not', 'nullable'];

/** Alternatives may multiply by what they refer to: a top of more schemas and properties than this may be anything. */
const MAX_NODES = 5_000;
/** Deeper than a schema written by hand; it guards the stack. */
const MAX_DEPTH = 60;

function hasPlainTop(schema: Schema): boolean {
  return (
    schema.type === 'object' &&
    isRecord(schema.properties) &&
    NOT_AT_THE_TOP.every((name) => schema[name] === undefined)
  );
}

/** A schema of the top. `within`: the references that lead to it; `nodes`: how many more may be looked at. */
type Part = { schema: Schema; root: Schema; within: string[]; depth: number; nodes: { left: number } };

/** The top as one object: OpenAI and Anthropic take no alternatives, references or negations there. */
function foldTop(root: Schema): Schema {
  const nodes = { left: MAX_NODES };
  const folded = fold({ schema: root, root, within: [], depth: 0, nodes });
  return nodes.left < 0 ? { type: 'object', properties: {} } : folded;
}

function fold(part: Part): Schema {
  const parts = sameTime(part);
  if (parts.length === 0) return {};
  const result: Schema = Object.fromEntries(
    Object.entries(part.schema).filter(([name]) => !NOT_AT_THE_TOP.includes(name)),
  );
  result.type = 'object';
  result.properties = Object.fromEntries(parts.toReversed().flatMap(({ schema }) => propertiesOf(schema)));
  const required = new Set(parts.flatMap(({ schema }) => requiredOf(schema)));
  for (const name of ALTERNATIVES) {
    const branches = parts.flatMap((each) => partsIn(each, name)).map(fold);
    if (branches.length === 0) continue;
    result.properties = { ...united(branches), ...(result.properties as Schema) };
    const [first, ...others] = branches.map((branch) => new Set(requiredOf(branch)));
    for (const each of first ?? []) if (others.every((other) => other.has(each))) required.add(each);
  }
  if (required.size > 0) result.required = [...required];
  else delete result.required;
  return result;
}

/** A schema and what holds together with it: what it refers to, unless it lies in that, and its `allOf`. */
function sameTime(part: Part): Part[] {
  const { schema, root, within, depth, nodes } = part;
  if (depth > MAX_DEPTH || nodes.left < 0) return [];
  nodes.left -= 1 + propertiesOf(schema).length;
  const { $ref: ref } = schema;
  const referred = typeof ref === 'string' && !within.includes(ref) && resolveRef(root, ref);
  if (!referred) return [part, ...partsIn(part, 'allOf').flatMap(sameTime)];
  const here = { ...part, within: [...within, ref] };
  const there = { ...here, schema: referred, depth: depth + 1 };
  return [here, ...[there, ...partsIn(here, 'allOf')].flatMap(sameTime)];
}

function partsIn(part: Part, name: 'allOf' | 'anyOf' | 'oneOf'): Part[] {
  return schemasIn(part.schema[name]).map((schema) => ({ ...part, schema, depth: part.depth + 1 }));
}

/** The properties of alternatives; one that differs between them may be any of its forms. */
function united(branches: Schema[]): Schema {
  const forms = new Map<string, Map<string, unknown>>();
  for (const [name, property] of branches.flatMap(propertiesOf)) {
    const known = forms.get(name) ?? new Map<string, unknown>();
    forms.set(name, known.set(JSON.stringify(property), property));
  }
  return Object.fromEntries(
    [...forms].map(([name, known]) => {
      const [first, ...others] = known.values();
      return [name, others.length === 0 ? first : { anyOf: [first, ...others] }];
    }),
  );
}

function schemasIn(list: unknown): Schema[] {
  return listOf(list).filter(isRecord);
}

function propertiesOf({ properties }: Schema): [string, unknown][] {
  return isRecord(properties) ? Object.entries(properties) : [];
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

/** Whether it is an object without properties, or an array without items. */
function lacks({ type, properties, items, additionalProperties }: Schema): boolean {
  if (type === 'object') return properties === undefined && additionalProperties === undefined;
  return includesType(type, 'array') && !isRecord(items);
}

function walk(schema: unknown, depth: number): Schema {
  if (!isRecord(schema) || depth > MAX_DEPTH) return {};
  const result = mapValues(schema, (value, name) => walkPart(name, value, depth + 1));
  if (!lacks(result)) return result;
  const lacking = result.type === 'object' ? { properties: {} } : { items: tupleItems(schema, depth) };
  return { ...result, ...lacking };
}

/** What stands under a name, undefined for what can stand there nowhere. */
function walkPart(name: string, value: unknown, depth: number): unknown {
  const holds = name === 'additionalProperties' && isRecord(value) ? 'one' : HOLDS.get(name);
  switch (holds) {
    case 'map':
      return isRecord(value) ? mapValues(value, (each) => walk(each, depth)) : undefined;
    case 'list': {
      if (!Array.isArray(value) || value.length === 0) return undefined;
      const walked = value.map((each) => walk(each, depth));
      return walked.every((each, at) => each === value[at]) ? value : walked;
    }
    case 'one':
      return Array.isArray(value) ? undefined : walk(value, depth);
    default:
      return name === 'required' && !Array.isArray(value) ? undefined : value;
  }
}

/** Without what becomes undefined. The same object where nothing changes, as in most of a set of thousands of tools. */
function mapValues(map: Schema, change: (value: unknown, name: string) => unknown): Schema {
  const names = Object.keys(map);
  const values = names.map((name) => change(map[name], name));
  if (names.every((name, at) => map[name] === values[at])) return map;
  // Names are a server's: `__proto__` is one like any other.
  return Object.fromEntries(
    names.flatMap((name, at) => (values[at] === undefined ? [] : [[name, values[at]]])),
  );
}

/** Draft 7's list of items, one for each place, as one for all. */
function tupleItems({ items }: Schema, depth: number): Schema {
  const forms = schemasIn(items).map((each) => walk(each, depth + 1));
  return forms.length === 0 ? {} : { anyOf: forms };
}
