/** Text up to a tag and, when the tag is there, the text behind it; else `held`, which may be the tag's beginning. */
export type Cut = { before: string; after: string } | { before: string; held: string };

/** Looks for a tag in text that may go on: what may be the tag's beginning is held back. */
export function cutAtTag(text: string, tag: string): Cut {
  const at = text.indexOf(tag);
  if (at !== -1) return { before: text.slice(0, at), after: text.slice(at + tag.length) };
  const begins = beginningOf(text, tag);
  return { before: text.slice(0, text.length - begins), held: text.slice(text.length - begins) };
}

/** How many of the last characters are the beginning of the tag. */
function beginningOf(text: string, tag: string): number {
  const at = text.lastIndexOf('<');
  if (at === -1) return 0;
  const last = text.length - at;
  return last < tag.length && tag.startsWith(text.slice(at)) ? last : 0;
}
