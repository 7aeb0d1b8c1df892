import { isRecord, listOf } from '../../../lib/json.ts';

/** Deeper than this an object stays empty. */
const DEEPEST = 4;

/** JSON text to start from: what the schema requires, and what it has defaults for. The schema is a server's. */
export function exampleArguments(schema: Record<string, unknown>): string {
  return JSON.stringify(objectOf(schema, schema, 0), null, 2);
}

type Json = Record<string, unknown>;

function objectOf(schema: Json, root: Json, depth: number): Json {
  const properties = schema['properties'];
  if (!isRecord(properties) || depth > DEEPEST) return {};
  const required = listOf(schema['required']);
  const wanted = Object.entries(properties).filter(
    ([name, property]) => required.includes(name) || (isRecord(property) && 'default' in property),
  );
  return Object.fromEntries(wanted.map(([name, property]) => [name, valueOf(property, root, depth + 1)]));
}

function valueOf(given: unknown, root: Json, depth: number): unknown {
  if (!isRecord(given) || depth > DEEPEST) return null;
  if ('default' in given) return given['default'];
  if ('const' in given) return given['const'];
  const [first] = [...listOf(given['examples']), ...listOf(given['enum'])];
  if (first !== undefined) return first;
  const other =
    referredTo(given['$ref'], root) ?? listOf(given['anyOf'] ?? given['oneOf'] ?? given['allOf'])[0];
  return other === undefined ? plainOf(given, root, depth) : valueOf(other, root, depth + 1);
}

/** `#/$defs/Name`, the form in which schema generators name their parts. */
function referredTo(ref: unknown, root: Json): unknown {
  const [, table, name] =
    typeof ref === 'string' ? (/^#\/(\$defs|definitions)\/([^/]+)$/.exec(ref) ?? []) : [];
  const parts = table === undefined ? undefined : root[table];
  return isRecord(parts) && name !== undefined && Object.hasOwn(parts, name) ? parts[name] : undefined;
}

function plainOf(schema: Json, root: Json, depth: number): unknown {
  const [type] = [schema['type']].flat();
  switch (type) {
    case 'string':
      return '';
    case 'number':
    case 'integer':
      return typeof schema['minimum'] === 'number' ? schema['minimum'] : 0;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'object':
      return objectOf(schema, root, depth);
    default:
      return null;
  }
}
