import * as dom from '../dom/dom.ts';

/** Words of four bytes that are hashed, of the rest only its length: a loop over all takes as long as to read the page. */
const MOST = 50_000;
/** What shows no text, and what goes on by itself. */
const PASSED_OVER =
  'script, style, noscript, template, time, [role="timer"], [role="marquee"], [role="progressbar"]';

/**
 * Tells a document's title and text from others, without drawing it: in a few milliseconds. Of the title only what is no
 * number, such as of new messages.
 */
export function fingerprint(document: Document): string {
  const body = dom.bodyOf(document);
  const text = dom.titleOf(document).replaceAll(/\d/g, '') + (body ? textOf(document, body) : '');
  const words = new Uint32Array(MOST);
  const { written } = new TextEncoder().encodeInto(text, new Uint8Array(words.buffer));
  let hash = 0x811c9dc5; // FNV-1a
  for (let at = 0; at < written / 4; at += 1) hash = Math.imul(hash ^ (words[at] ?? 0), 0x01000193);
  return `${text.length} ${hash >>> 0}`;
}

/** By ranges between what is passed over: the browser joins the texts of each at once. */
function textOf(document: Document, body: Element): string {
  const range = Document.prototype.createRange.call(document);
  range.selectNodeContents(body);
  const { endOffset } = range;
  let text = '';
  let last: Element | undefined;
  for (const element of dom.select(body, PASSED_OVER)) {
    if (last && Node.prototype.contains.call(last, element)) continue;
    range.setEndBefore(element);
    text += range;
    range.setStartAfter(element);
    last = element;
  }
  range.setEnd(body, endOffset);
  return text + range;
}
