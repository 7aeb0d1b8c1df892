import type { ContentBlock } from '../../../lib/types/tool.ts';

/** Characters of a resource's text that a preview shows at most. */
const MOST = 20_000;

/** What of a resource is shown: long texts are cut, and `cut` says how many characters there were of the longest. */
export function previewOf(blocks: ContentBlock[]): {
  shown: ContentBlock[];
  cut?: { shown: number; all: number };
} {
  const longest = Math.max(0, ...blocks.map((block) => textOf(block).length));
  const shown = blocks.map((block): ContentBlock => {
    if (textOf(block).length <= MOST) return block;
    if (block.type === 'text') return { ...block, text: block.text.slice(0, MOST) };
    if (block.type !== 'resource') return block;
    return { ...block, resource: { ...block.resource, text: textOf(block).slice(0, MOST) } };
  });
  return longest > MOST ? { shown, cut: { shown: MOST, all: longest } } : { shown };
}

const textOf = (block: ContentBlock): string =>
  block.type === 'text' ? block.text : block.type === 'resource' ? (block.resource.text ?? '') : '';
