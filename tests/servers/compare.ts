import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../lib/json.ts';
import { LISTS, type Called, type Seen } from './client.ts';

/** What of an entry is shown to a user or a model, or goes along with a call. */
const SHOWN = [
  'title',
  'description',
  'inputSchema',
  'arguments',
  'mimeType',
  'size',
  'annotations',
  'problem',
];
const IDS = ['uriTemplate', 'uri', 'name'];

/** What Portside lists otherwise than the official client, a line each; none when both list the same. */
export function differences(portside: Seen, official: Seen): string[] {
  const found = LISTS.flatMap((list) => {
    const [ours, theirs] = [byId(portside[list]), byId(official[list])];
    return [...new Set([...ours.keys(), ...theirs.keys()])].flatMap((id) => {
      const [our, their] = [ours.get(id), theirs.get(id)];
      if (!our || !their)
        return [`${list}: ${id} is listed by ${our ? 'Portside' : 'the official client'} alone`];
      const keys = SHOWN.filter((key) => !isDeepStrictEqual(our[key], their[key]));
      return keys.length > 0 ? [`${list}: ${id} differs in ${keys.join(', ')}`] : [];
    });
  });
  if (portside.revision === official.revision) return found;
  return [...found, `revision: ${portside.revision} instead of ${official.revision}`];
}

/** Whether two clients got the same from a call. `varies`: only its shape. */
export function isSameResult(portside: Called, official: Called, varies: boolean): boolean {
  const [ours, theirs] = [portside, official].map(({ content, ...rest }) => {
    const result = plain({ content: Array.isArray(content) ? content.map(asKept) : content, ...rest });
    return varies ? shapeOf(result) : result;
  });
  return isDeepStrictEqual(ours, theirs);
}

/** What stands in place of values: their types, of a list those of its items. JSON that is text is looked into, too. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value))
    return [...new Set(value.map((each) => JSON.stringify(shapeOf(each))))].toSorted();
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each)]));
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return typeof value;
  try {
    return shapeOf(JSON.parse(value));
  } catch {
    return typeof value;
  }
}

/** A part of a result without what Portside has no use for. */
function asKept(part: unknown): unknown {
  const { annotations: _annotations, _meta, onlyForUser: _only, ...kept } = isRecord(part) ? part : {};
  return kept;
}

function byId(entries: object[]): Map<string, Record<string, unknown>> {
  return new Map(
    entries
      .map(plain)
      .filter(isRecord)
      .map((entry) => {
        const id = String(IDS.map((key) => entry[key]).find((value) => value !== undefined));
        const { annotations: hints = {}, description = '', arguments: given = [] } = entry;
        const title = entry['title'] ?? (isRecord(hints) ? hints['title'] : undefined);
        return [id, { ...entry, title, description, annotations: hints, arguments: argumentsIn(given) }];
      }),
  );
}

function argumentsIn(given: unknown): unknown[] {
  return [given]
    .flat()
    .filter(isRecord)
    .map(({ name, title, description = '', required = false }) => ({ name, title, description, required }));
}

/** As JSON: without what is undefined. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
