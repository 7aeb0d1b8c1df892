import { isRecord, listOf, recordOf } from '../../json.ts';
import { includesType, resolveRef, type Schema } from './schema-ref.ts';

/** What Gemini's Schema has (https://ai.google.dev/api/caching#Schema); it refuses every other name. */
const KEPT = [
  'description',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
];
const FORMATS = new Set(['enum', 'date-time', 'int32', 'int64', 'float', 'double']);
const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
/** References may multiply, and what they refer to may be long: more than this is not written out. */
const MAX_NODES = 2_000;
/** Characters of what is referred to that count as one. */
const NODE = 250;

type WriteContext = { root: Schema; within: string[]; nodes: { left: number } };

/** A schema in Gemini's subset of OpenAPI 3.0: references written out, one type each, `nullable` for null. */
export function toGeminiSchema(root: Schema): Schema {
  return write(root, { root, within: [], nodes: { left: MAX_NODES } });
}

function write(value: unknown, place: WriteContext): Schema {
  if (!isRecord(value) || place.nodes.left-- <= 0) return { type: 'string' };
  const { schema, within } = inlined(value, place);
  const inner = { ...place, within };
  const alternatives = [schema.anyOf, schema.oneOf].flatMap(listOf);
  const types = typesOf(schema).filter((type) => type !== 'null');
  const nullable =
    schema.nullable === true ||
    includesType(schema.type, 'null') ||
    alternatives.some((each) => isRecord(each) && each.type === 'null');
  const rest = alternatives.filter((each) => !isRecord(each) || each.type !== 'null');
  const base = { ...kept(schema), ...(nullable && { nullable }) };
  if (rest.length === 1) return { ...write(rest[0], inner), ...base };
  if (rest.length > 1) return { ...base, anyOf: rest.map((each) => write(each, inner)) };
  if (types.length > 1) {
    return { ...base, anyOf: types.map((type) => write({ ...schema, type, description: undefined }, inner)) };
  }
  return { ...base, ...typed(schema, types[0] ?? guessType(schema), inner) };
}

/** With what it refers to and its `allOf` written into it. A reference to something it lies in is cut. */
function inlined(value: Schema, { root, within, nodes }: WriteContext): { schema: Schema; within: string[] } {
  if (value.$ref === undefined && value.allOf === undefined) return { schema: value, within };
  let { $ref: ref, allOf, ...schema } = value;
  const seen = [...within];
  while (typeof ref === 'string') {
    const target = nodes.left <= 0 || seen.includes(ref) ? undefined : resolveRef(root, ref);
    nodes.left -= 1 + JSON.stringify(target ?? {}).length / NODE;
    seen.push(ref);
    const { $ref: next, ...found }: Schema = target ?? { type: 'object' };
    schema = { ...found, ...schema };
    ref = next;
  }
  for (const part of listOf(allOf).filter(isRecord)) {
    const { schema: other, within: more } = inlined(part, { root, within: seen, nodes });
    seen.push(...more.slice(seen.length));
    schema = {
      ...other,
      ...schema,
      ...(isRecord(other.properties) && {
        properties: { ...other.properties, ...(isRecord(schema.properties) && schema.properties) },
      }),
      ...(Array.isArray(other.required) && {
        required: [...other.required, ...listOf(schema.required)],
      }),
    };
  }
  return { schema, within: seen };
}

function kept(schema: Schema): Schema {
  const result: Schema = {};
  for (const name of KEPT) if (schema[name] !== undefined) result[name] = schema[name];
  return result;
}

function typed(schema: Schema, type: string, place: WriteContext): Schema {
  if (type === 'object') {
    const properties = recordOf(schema.properties);
    const names = Object.keys(properties);
    const required = Array.isArray(schema.required)
      ? [...new Set(schema.required)].filter((name) => typeof name === 'string' && names.includes(name))
      : [];
    return {
      type,
      properties: Object.fromEntries(names.map((name) => [name, write(properties[name], place)])),
      ...(required.length > 0 && { required }),
    };
  }
  if (type === 'array') {
    const items =
      isRecord(schema.items) && Object.keys(schema.items).length > 0 ? schema.items : { type: 'string' };
    return { type, items: write(items, place) };
  }
  const choices = 'const' in schema ? [schema.const] : listOf(schema.enum);
  const words = choices.filter((each) => each !== null && each !== '').map(wordOf);
  const format = typeof schema.format === 'string' && FORMATS.has(schema.format) ? schema.format : undefined;
  // Only strings may be enumerated.
  if (type !== 'string' && words.length > 0) {
    return {
      type,
      description: [schema.description, `One of: ${words.join(', ')}.`].filter(Boolean).join(' '),
    };
  }
  return { type, ...(format && { format }), ...(words.length > 0 && { enum: [...new Set(words)] }) };
}

function wordOf(choice: unknown): string {
  return typeof choice === 'string' ? choice : JSON.stringify(choice);
}

function typesOf({ type }: Schema): string[] {
  const list: unknown[] = Array.isArray(type) ? type : [type];
  return [...new Set(list.filter((each) => typeof each === 'string'))].filter((each) => TYPES.has(each));
}

/** Gemini wants a type everywhere. */
function guessType(schema: Schema): string {
  if (isRecord(schema.properties)) return 'object';
  if (schema.items !== undefined) return 'array';
  const sample: unknown = 'const' in schema ? schema.const : Array.isArray(schema.enum) ? schema.enum[0] : '';
  return typeof sample === 'number' || typeof sample === 'boolean' ? typeof sample : 'string';
}
