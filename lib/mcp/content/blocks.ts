import type { ContentBlock } from '../../types/tools/tool-result.ts';
import { isRecord } from '../../json.ts';
import { isText, type Raw, texts } from './raw.ts';

type Resource = Extract<ContentBlock, { type: 'resource' }>['resource'];

/** Content blocks as a server sends them (`blockList`), which are hostile data; what is not understood is kept as it came. */
export const toBlocks = (content: unknown[]): ContentBlock[] => content.map(toBlock);

/** Blocks of one answer that are kept. */
const MOST_BLOCKS = 1000;

/** A list as a server sends it; of one that is too long its end says what was left out. */
export function blockList(list: unknown): unknown[] {
  if (!Array.isArray(list)) return [];
  const more = list.length - MOST_BLOCKS;
  if (more <= 0) return list;
  return [...list.slice(0, MOST_BLOCKS), { type: 'text', text: `[${more} more parts were left out.]` }];
}

/** One block of content. Source: MCP 2025-11-25, server/tools, "Tool Result". */
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
      return toLink(value) ?? unknown;
    case 'resource': {
      const resource = toResource(value['resource']);
      return resource ? { type: 'resource', resource } : unknown;
    }
    default:
      return unknown;
  }
}

export type PromptMessage = { role: 'user' | 'assistant'; block: ContentBlock };

/** The messages of a `prompts/get` result. */
export function toPromptMessages(result: Raw): PromptMessage[] {
  const messages = result['messages'];
  return blockList(messages)
    .filter(isRecord)
    .flatMap(({ role, content }) =>
      // The specification has one block per message; some servers send a list.
      [content].flat().map((block) => ({
        role: role === 'assistant' ? ('assistant' as const) : ('user' as const),
        block: toBlock(block),
      })),
    );
}

/** The contents of a `resources/read` result; pictures and sounds become blocks that can be shown. */
export function toResourceBlocks(result: Raw): ContentBlock[] {
  const { contents } = result;
  return blockList(contents).map((value): ContentBlock => {
    const resource = toResource(value);
    if (!resource) return toBlock(value);
    const { mimeType = '', text, blob } = resource;
    const kind = /^(image|audio)\/[\w.+-]+/i.exec(mimeType)?.[1]?.toLowerCase();
    if (blob === undefined || text !== undefined || (kind !== 'image' && kind !== 'audio')) {
      return { type: 'resource', resource };
    }
    return { type: kind, data: blob, mimeType };
  });
}

/**
 * A block as a model reads it. Never base64: pictures, sounds and files are named.
 * @param isShown whether the user sees the picture or can play the sound; nothing is said of it where that is not known
 */
export function inWords(block: ContentBlock, isShown?: boolean): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
      return `[An image (${block.mimeType}, ${sizeOf(block.data)})${fate(isShown, ' is shown to the user', ', which the user can’t see')}.]`;
    case 'audio':
      return `[A sound (${block.mimeType}, ${sizeOf(block.data)})${fate(isShown, ' is available to the user', ', which the user can’t play')}.]`;
    case 'resource_link':
      return linkInWords(block);
    case 'resource':
      return resourceInWords(block.resource);
    case 'unknown':
      return '[Content of a kind that Portside does not know.]';
  }
}

const fate = (isShown: boolean | undefined, shown: string, hidden: string): string =>
  isShown === undefined ? '' : isShown ? shown : hidden;

function sizeOf(base64: string): string {
  return inBytes(Math.floor((base64.length * 3) / 4));
}

function inBytes(bytes: number): string {
  return bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} kB`;
}

function linkInWords(link: Extract<ContentBlock, { type: 'resource_link' }>): string {
  const details = [link.mimeType, link.size !== undefined && inBytes(link.size)].filter(Boolean);
  const about = link.description ? ` – ${link.description}` : '';
  const kind = details.length > 0 ? ` (${details.join(', ')})` : '';
  return `[Resource “${link.title ?? link.name}”: ${link.uri}${kind}${about}]`;
}

function resourceInWords(resource: Resource): string {
  if (resource.text !== undefined) return `[Resource ${resource.uri}]\n${resource.text}`;
  const details = [resource.mimeType, resource.blob !== undefined && sizeOf(resource.blob)].filter(Boolean);
  return `[Resource ${resource.uri}${details.length > 0 ? ` (${details.join(', ')})` : ''}]`;
}

function toLink(value: Raw): ContentBlock | undefined {
  const { uri, name, size } = value;
  if (!isText(uri) || !isText(name)) return undefined;
  return {
    type: 'resource_link',
    uri,
    name,
    ...texts(value, 'title', 'description', 'mimeType'),
    ...(typeof size === 'number' && size >= 0 && size < Infinity && { size }), // 1e999, which no file can say
  };
}

function toResource(value: unknown): Resource | undefined {
  if (!isRecord(value) || !isText(value['uri'])) return undefined;
  return { uri: value['uri'], ...texts(value, 'mimeType', 'text', 'blob') };
}
