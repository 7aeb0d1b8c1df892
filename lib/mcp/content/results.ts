import { fittingMedia, isDrawable, isPlayable, MOST_MEDIA } from '../../types/shown-media.ts';
import type { ContentBlock, ToolResult } from '../../types/tools/tool-result.ts';
import { inWords, blockList, toBlocks } from './blocks.ts';
import { excess } from './excess.ts';
import { isRecord } from '../../json.ts';

/**
 * A server's CallToolResult, which is hostile data of unknown shape, as what the ledger keeps and the model
 * reads. The text never holds base64: pictures, sounds and files are named in words.
 * Source: MCP 2025-11-25, server/tools, "Tool Result".
 */
export function toToolResult(raw: Record<string, unknown>): ToolResult {
  const content = blockList(raw['content']).map(withinDepth);
  const blocks = toBlocks(content).map((block, index) => {
    return block.type === 'image' && isOnlyForUser(content[index])
      ? { ...block, onlyForUser: true as const }
      : block;
  });
  const forModel = blocks.filter((_block, index) => !isOnlyForUser(content[index]));
  const { structured, problem } = structuredOf(raw);
  const text = textOf(forModel, shownOf(blocks), blocks.length - forModel.length, structured);
  return {
    text: problem === undefined ? text : `${text}\n${problem}`,
    isError: raw['isError'] === true,
    blocks,
    ...(structured !== undefined && { structured }),
    ...metaOf(raw),
  };
}

/** Characters of what only an app gets, and lists and values in it: a number is no character, and millions are megabytes. */
const MOST_META = 200_000;

function metaOf({ _meta: meta }: Record<string, unknown>): Pick<ToolResult, 'meta'> {
  if (!isRecord(meta) || Object.keys(meta).length === 0) return {};
  return excess(meta, { parts: MOST_META, characters: MOST_META }) === undefined ? { meta } : {};
}

/** Lists and values in them: more take the worker seconds to write down, and no model reads them. */
const MOST_PARTS = 500_000;

/** Why something has more parts, or nests deeper, than what a database or JSON takes, in words. */
const depthOf = (value: unknown): string | undefined =>
  excess(value, { parts: MOST_PARTS, characters: Infinity });

function withinDepth(block: unknown): unknown {
  const weight = depthOf(block);
  return weight === undefined ? block : { type: 'text', text: leftOut('A part', weight) };
}

function structuredOf({ structuredContent: structured }: Record<string, unknown>) {
  const weight = depthOf(structured);
  return weight === undefined ? { structured } : { problem: leftOut('The structured part', weight) };
}

const leftOut = (what: string, weight: string): string =>
  `[${what} of the result is ${weight}, so it was left out.]`;

/** Annotations (MCP 2025-11-25, server/resources): a block may name whom it is for. */
function isOnlyForUser(block: unknown): boolean {
  const annotations = isRecord(block) ? block['annotations'] : undefined;
  const audience = isRecord(annotations) ? annotations['audience'] : undefined;
  return Array.isArray(audience) && audience.length > 0 && audience.every((who) => who === 'user');
}

/** The pictures that the user sees while the call is closed, and the sounds that they can play once it is open. */
function shownOf(blocks: ContentBlock[]): ReadonlySet<ContentBlock> {
  const media = blocks.filter(({ type }) => type !== 'text');
  return new Set(
    fittingMedia(media, MOST_MEDIA).filter(
      (block) =>
        (block.type === 'image' && isDrawable(block.mimeType)) ||
        (block.type === 'audio' && isPlayable(block.mimeType)),
    ),
  );
}

function textOf(
  blocks: ContentBlock[],
  shown: ReadonlySet<ContentBlock>,
  hidden: number,
  structured: unknown,
): string {
  const words = blocks.map((block) => inWords(block, shown.has(block)));
  // Servers repeat structured content as text for older clients; only one of the two is worth the tokens.
  if (structured !== undefined && !blocks.some((block) => block.type === 'text')) {
    words.unshift(JSON.stringify(structured));
  }
  if (hidden > 0) {
    words.push(
      hidden === 1
        ? '[One part of the result is for the user only.]'
        : `[${hidden} parts of the result are for the user only.]`,
    );
  }
  return words.join('\n') || '(The tool returned nothing.)';
}
