import { isRecord, listOf, recordOf } from '../../json.ts';

/** The part of JSON Schema that the demo model understands. Everything comes from a server, so nothing is certain. */
export type Schema = {
  type?: string;
  description?: string;
  format?: string;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  items?: Schema;
  properties: Record<string, Schema>;
  required: string[];
};

function firstType(type: unknown): string | undefined {
  const types = Array.isArray(type) ? type : [type];
  return types.find((name): name is string => typeof name === 'string' && name !== 'null');
}

/** A union counts as its first variant that is not null. */
function firstVariant(value: Record<string, unknown>): Record<string, unknown> {
  const variants = [value['anyOf'], value['oneOf']].find((list): list is unknown[] => Array.isArray(list));
  const variant = variants?.filter(isRecord).find((entry) => entry['type'] !== 'null');
  return variant ? { ...value, ...variant } : value;
}

/** Reads any value as a schema; what it does not understand it leaves out. */
export function readSchema(value: unknown): Schema {
  const raw = firstVariant(recordOf(value));
  const properties = recordOf(raw['properties']);
  const required = listOf(raw['required']);
  const type = firstType(raw['type']);
  return {
    ...(type !== undefined && { type }),
    ...(typeof raw['description'] === 'string' && { description: raw['description'] }),
    ...(typeof raw['format'] === 'string' && { format: raw['format'] }),
    ...(typeof raw['minimum'] === 'number' && { minimum: raw['minimum'] }),
    ...(typeof raw['maximum'] === 'number' && { maximum: raw['maximum'] }),
    ...('const' in raw && { enum: [raw['const']] }),
    ...(Array.isArray(raw['enum']) && { enum: raw['enum'] }),
    ...(raw['items'] !== undefined && { items: readSchema(raw['items']) }),
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, item]) => [name, readSchema(item)]),
    ),
    required: required.filter((name): name is string => typeof name === 'string'),
  };
}
