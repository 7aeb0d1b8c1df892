import type { ContentBlock } from './tools/tool-result.ts';

/** Characters of one result's pictures, sounds and files that a page gets. */
export const MOST_MEDIA = 4_000_000;

/** Of them, of one result: each is drawn, however small it is. */
const MOST_PARTS = 50;

/** Raster images only: an SVG could load something from elsewhere. */
export const isDrawable = (mimeType: string): boolean => /^image\/(png|jpeg|gif|webp)$/.test(mimeType);

export const isPlayable = (mimeType: string): boolean => /^audio\/[\w.+-]+$/.test(mimeType);

/** Of these parts of a result those that fit into what a page gets. */
export function fittingMedia(media: ContentBlock[], most: number): ContentBlock[] {
  let left = most;
  const fitting: ContentBlock[] = [];
  for (const block of media) {
    if (fitting.length === MOST_PARTS) break;
    const size = JSON.stringify(block).length;
    if (size > left) continue;
    left -= size;
    fitting.push(block);
  }
  return fitting;
}
