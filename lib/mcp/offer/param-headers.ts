import { isRecord } from '../../json.ts';
import { isText, type Raw } from '../content/raw.ts';
import { t } from '../../../locales/texts/errors.ts';

/** An argument that is repeated as a header: where it stands, and the header's name without `Mcp-Param-`. */
type Mirrored = { path: string[]; header: string };

const KEY = 'x-mcp-header';
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);
/** Deeper than this nothing is looked at; such a schema is refused as a whole (tool-schema.ts). */
const DEEPEST = 100;

/**
 * The `Mcp-Param-*` headers of a call, for servers of the 2026-07-28 revision (basic/transports, "Custom headers from
 * tool parameters"). The client's own `callTool` would make them too, but not in Firefox, whose event page it takes
 * for a web page, and it refuses results that do not fit the tool's output schema after the tool has run.
 */
export function paramHeaders(inputSchema: Raw, args: Raw): Record<string, string> {
  const { found, problem } = scan(inputSchema);
  if (problem !== undefined) return {};
  return Object.fromEntries(
    found.flatMap(({ path, header }) => {
      const value = written(valueAt(args, path));
      return value === undefined ? [] : [[`Mcp-Param-${header}`, encoded(value)]];
    }),
  );
}

/** Why a tool must not be called on the 2026-07-28 revision: it wants headers that cannot be made. */
export function headerProblem(inputSchema: Raw): string | undefined {
  return scan(inputSchema).problem;
}

function scan(inputSchema: Raw): { found: Mirrored[]; problem?: string } {
  const found: Mirrored[] = [];
  const names = new Set<string>();
  let problem: string | undefined;

  const visit = (schema: unknown, path: string[], reachable: boolean, depth: number): void => {
    if (problem !== undefined || depth > DEEPEST || typeof schema !== 'object' || schema === null) return;
    if (Array.isArray(schema)) {
      for (const each of schema) visit(each, path, false, depth + 1);
      return;
    }
    const node = schema as Raw;
    if (Object.hasOwn(node, KEY)) addHeader(node, path, reachable);
    for (const [key, part] of Object.entries(node)) {
      if (DATA.has(key)) continue;
      const named = NAMED.has(key) && isRecord(part);
      if (!named) visit(part, path, false, depth + 1);
      else
        for (const [name, each] of Object.entries(part)) {
          visit(each, [...path, name], reachable && key === 'properties', depth + 1);
        }
    }
  };
  const addHeader = (node: Raw, path: string[], reachable: boolean): void => {
    const header = node[KEY];
    const at = path.length > 0 ? `“${path.join('.')}”` : t(($) => $.errors.offer.headers.whole);
    if (!reachable || path.length === 0) problem = t(($) => $.errors.offer.headers.notAllowed, { at });
    else if (!isText(header) || !TOKEN.test(header))
      problem = t(($) => $.errors.offer.headers.noName, { at });
    else if (!TYPES.has(node['type'])) problem = t(($) => $.errors.offer.headers.wrongType, { at });
    else if (names.has(header.toLowerCase())) problem = t(($) => $.errors.offer.headers.twice, { header });
    else {
      names.add(header.toLowerCase());
      found.push({ path, header });
    }
  };
  visit(inputSchema, [], true, 0);
  return { found, ...(problem !== undefined && { problem }) };
}

/** Keywords whose values are schemas by name. */
const NAMED: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
/** Keywords whose values are data and no schemas. */
const DATA: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples', KEY]);

function valueAt(args: unknown, path: string[]): unknown {
  return path.reduce<unknown>(
    (part, key) => (isRecord(part) && Object.hasOwn(part, key) ? part[key] : undefined),
    args,
  );
}

/** A value as its header says it; of a number only what every side writes the same way. */
function written(value: unknown): string | undefined {
  if (isText(value)) return value;
  if (typeof value === 'boolean') return String(value);
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

/** Plain where that is safe in a header, else as base64 between markers. */
function encoded(value: string): string {
  const isPlain =
    /^[\t\x20-\x7e]+$/.test(value) && value === value.trim() && !/^=\?base64\?.*\?=$/.test(value);
  if (isPlain) return value;
  const binary = Array.from(new TextEncoder().encode(value), (byte) => String.fromCharCode(byte)).join('');
  return `=?base64?${btoa(binary)}?=`;
}
