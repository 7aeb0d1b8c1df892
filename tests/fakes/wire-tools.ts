import { offeredName } from '../../lib/mcp/names.ts';
import type { OfferedTool } from '../../lib/types/tools/tool.ts';
import { PIXEL } from './mcp-tools.ts';
import { offered } from './rows.ts';

/** A tool of an MCP server: what the server lists of it, and the CallToolResult that it answers with. */
type WireTool = {
  name: string;
  inputSchema: Record<string, unknown>;
  result: (args: Record<string, unknown>) => Record<string, unknown>;
};

const words = (text: string) => ({ content: [{ type: 'text', text }] });
const did = () => words('Done.');

const object = (types: Record<string, string>) => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }])),
  required: Object.keys(types),
});

/** The tools that fixtures speak of, the same in both drivers: schemas as MCP servers really have them. */
export const wireTools: readonly WireTool[] = [
  {
    name: 'add',
    inputSchema: object({ a: 'number', b: 'number' }),
    result: ({ a, b }) => words(String(Number(a) + Number(b))),
  },
  {
    name: 'echo',
    inputSchema: object({ message: 'string' }),
    result: ({ message }) => words(String(message)),
  },
  {
    name: 'picture',
    inputSchema: object({}),
    result: () => ({ content: [{ type: 'image', data: PIXEL, mimeType: 'image/png' }] }),
  },
  { name: 'fail', inputSchema: object({}), result: () => ({ ...words('The tool broke.'), isError: true }) },
  { name: 'files.search/v2', inputSchema: object({}), result: did },
  { name: `find_${'a_very_long_name_'.repeat(5)}`, inputSchema: object({}), result: did },
  {
    name: 'pick',
    inputSchema: {
      type: 'object',
      oneOf: [
        { properties: { id: { type: 'string' } }, required: ['id'] },
        { properties: { name: { type: 'string' } }, required: ['name'] },
      ],
    },
    result: did,
  },
  {
    name: 'choose',
    inputSchema: {
      type: 'object',
      properties: { a: { type: 'string' } },
      allOf: [{ properties: { b: { type: 'string' } }, required: ['b'] }],
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
      enum: [{ a: 'x', b: 'y' }],
      not: { required: ['c'] },
    },
    result: did,
  },
  { name: 'bare', inputSchema: { type: 'object' }, result: did },
  {
    name: 'lists',
    inputSchema: { type: 'object', properties: { tags: { type: 'array' }, options: { type: 'object' } } },
    result: did,
  },
  {
    name: 'tree',
    inputSchema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        kind: { const: 'tree' },
        label: { type: ['string', 'null'] },
        root: { $ref: '#/$defs/Node' },
      },
      required: ['root'],
      additionalProperties: false,
      $defs: {
        Node: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            children: { type: 'array', items: { $ref: '#/$defs/Node' } },
          },
          required: ['name'],
          additionalProperties: false,
        },
      },
    },
    result: did,
  },
];

/** A schema that no arguments can meet. MCP clients refuse it; a list from elsewhere may still hold it. */
export const UNFIT = { name: 'unfit', inputSchema: { type: 'string' } } as const;

/** A tool as the loop gets it from server 1. */
export function offeredWireTool(name: string): OfferedTool {
  const { inputSchema } = name === UNFIT.name ? UNFIT : wireTool(name);
  return { ...offered(name), name: offeredName(1, name), inputSchema };
}

/** @throws Error when there is no such tool */
export function wireTool(name: string): WireTool {
  const tool = wireTools.find((each) => each.name === name);
  if (!tool) throw new Error(`There is no tool ${name}.`);
  return tool;
}
