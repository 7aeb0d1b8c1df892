import * as dom from '../dom/dom.ts';

/** Characters that are looked at. */
const MOST = 500_000;
/** What shows no text, and what goes on by itself. */
const PASSED_OVER =
  'script, style, noscript, template, time, [role="timer"], [role="marquee"], [role="progressbar"]';

/**
 * Tells a document's title and text from others, without drawing it: in a few milliseconds. Of the title only what is no
 * number, such as of new messages.
 */
export function fingerprint(document: Document): string {
  const body = dom.bodyOf(document) as Node | null;
  let hash = 0x811c9dc5; // FNV-1a
  let length = 0;
  /** @returns whether there is room for more */
  const take = (text: string): boolean => {
    for (let at = 0; at < text.length && length < MOST; at += 1) {
      const code = text.charCodeAt(at);
      if (code <= 32) continue;
      hash = Math.imul(hash ^ code, 0x01000193);
      length += 1;
    }
    return length < MOST;
  };
  take(dom.titleOf(document).replaceAll(/\d/g, ''));
  if (!body) return `${hash >>> 0}`;
  const walker = Document.prototype.createTreeWalker.call(
    document,
    body,
    NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT,
    (node) => {
      if (!dom.isElement(node)) return NodeFilter.FILTER_ACCEPT;
      const isPassedOver = Element.prototype.matches.call(node, PASSED_OVER);
      return isPassedOver ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
    },
  );
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (!take(dom.textContent(node) ?? '')) break;
  return `${length} ${hash >>> 0}`;
}
