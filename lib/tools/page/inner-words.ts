import * as dom from './dom.ts';
import type { Look } from './hidden.ts';
import { withoutUnseen } from './unseen.ts';

const SKIPPED = /^(script|style|template|noscript)$/;

/** `hidden` counts the characters that are not seen; `left` are those that are looked at. */
export type Words = { look: Look; hidden: number; left?: number };

/** What is seen of the text in an element. */
export function textIn(words: Words, element: Element): string {
  if (SKIPPED.test(dom.localName(element))) return '';
  const { seen, kind } = words.look.placeOf(element);
  if (seen === 'none') {
    words.hidden += (dom.textContent(element) ?? '').trim().length;
    return '';
  }
  let text = '';
  const add = (node: Node): void => {
    if (words.left !== undefined && words.left <= 0) return;
    if (dom.isElement(node)) text += textIn(words, node);
    else if (dom.nodeType(node) === 3) text += ownText(words, (node as Text).data, seen === 'all');
  };
  const slotted =
    'assignedNodes' in element ? (element as HTMLSlotElement).assignedNodes({ flatten: true }) : [];
  if (slotted.length > 0) slotted.forEach(add);
  else
    for (let node = dom.firstChild(dom.shadowRoot(element) ?? element); node; node = dom.nextSibling(node))
      add(node);
  return kind.display.startsWith('inline') && dom.localName(element) !== 'br' ? text : ` ${text} `;
}

function ownText(words: Words, data: string, isSeen: boolean): string {
  const { text, hidden } = withoutUnseen(data);
  words.hidden += isSeen ? hidden : data.trim().length;
  if (words.left !== undefined) words.left -= data.length;
  return isSeen ? text : '';
}

export const oneLine = (text: string): string => withoutUnseen(text).text.replaceAll(/\s+/g, ' ').trim();
