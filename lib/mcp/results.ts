import type { ContentBlock, ToolResult } from '../types/tool.ts';

/**
 * A server's CallToolResult, which is hostile data of unknown shape, as what the ledger keeps and the model
 * reads. The text never holds base64: pictures, sounds and files are named in words.
 * Source: MCP 2025-11-25, server/tools, "Tool Result".
 */
export function toToolResult(raw: Record<string, unknown>): ToolResult {
  const blocks = Array.isArray(raw['content']) ? raw['content'].map(toBlock) : [];
  const structured = raw['structuredContent'];
  return {
    text: textOf(blocks, structured),
    isError: raw['isError'] === true,
    blocks,
    ...(structured !== undefined && { structured }),
  };
}

function textOf(blocks: ContentBlock[], structured: unknown): string {
  const words = blocks.map(inWords);
  // Servers repeat structured content as text for older clients; only one of the two is worth the tokens.
  if (structured !== undefined && !blocks.some((block) => block.type === 'text')) {
    words.unshift(JSON.stringify(structured));
  }
  return words.join('\n') || '(The tool returned nothing.)';
}

function inWords(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
      return `[An image (${block.mimeType}, ${sizeOf(block.data)}) is shown to the user.]`;
    case 'audio':
      return `[A sound (${block.mimeType}, ${sizeOf(block.data)}) is available to the user.]`;
    case 'resource_link':
      return `[Resource “${block.title ?? block.name}”: ${block.uri}]`;
    case 'resource':
      return resourceInWords(block.resource);
    case 'unknown':
      return '[Content of a kind that Portside does not know.]';
  }
}

function resourceInWords(resource: { uri: string; mimeType?: string; text?: string; blob?: string }): string {
  if (resource.text !== undefined) return `[Resource ${resource.uri}]\n${resource.text}`;
  const details = [resource.mimeType, resource.blob !== undefined && sizeOf(resource.blob)].filter(Boolean);
  return `[Resource ${resource.uri}${details.length > 0 ? ` (${details.join(', ')})` : ''}]`;
}

/** The size of what base64 text decodes to. */
function sizeOf(base64: string): string {
  const bytes = Math.floor((base64.length * 3) / 4);
  return bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} kB`;
}

function toBlock(value: unknown): ContentBlock {
  const unknown: ContentBlock = { type: 'unknown', value };
  if (!isRecord(value)) return unknown;
  switch (value['type']) {
    case 'text':
      return isText(value['text']) ? { type: 'text', text: value['text'] } : unknown;
    case 'image':
    case 'audio':
      return isText(value['data']) && isText(value['mimeType'])
        ? { type: value['type'], data: value['data'], mimeType: value['mimeType'] }
        : unknown;
    case 'resource_link':
      return isText(value['uri']) && isText(value['name'])
        ? {
            type: 'resource_link',
            uri: value['uri'],
            name: value['name'],
            ...texts(value, 'title', 'mimeType'),
          }
        : unknown;
    case 'resource':
      return isRecord(value['resource']) && isText(value['resource']['uri'])
        ? {
            type: 'resource',
            resource: {
              uri: value['resource']['uri'],
              ...texts(value['resource'], 'mimeType', 'text', 'blob'),
            },
          }
        : unknown;
    default:
      return unknown;
  }
}

/** Those of the optional fields that are there and are text. */
function texts<K extends string>(value: Record<string, unknown>, ...keys: K[]): Partial<Record<K, string>> {
  const found: Partial<Record<K, string>> = {};
  for (const key of keys) {
    const field = value[key];
    if (isText(field)) found[key] = field;
  }
  return found;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
