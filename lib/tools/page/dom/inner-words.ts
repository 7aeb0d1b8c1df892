import * as dom from './dom.ts';
import type { Look } from './hidden.ts';
import { withoutUnseen } from '../reading/unseen.ts';

const SKIPPED = /^(script|style|template|noscript)$/;
const FIELDS = /^(select|textarea)$/;

/** `hidden` counts the characters that are not seen; `left` are those that are looked at; `isLabel`: without what is in fields. */
export type Words = { look: Look; hidden: number; left?: number; isLabel?: true };

/** What is seen of the text in an element. */
export function textIn(words: Words, element: Element): string {
  const name = dom.localName(element);
  if (SKIPPED.test(name) || (words.isLabel && FIELDS.test(name))) return '';
  const { seen, kind } = words.look.placeOf(element);
  if (seen === 'none') {
    words.hidden += (dom.textContent(element) ?? '').trim().length;
    return '';
  }
  if (name === 'img') return dom.attribute(element, 'alt') ?? '';
  let text = '';
  const add = (node: Node): void => {
    if (words.left !== undefined && words.left <= 0) return;
    if (dom.isElement(node)) text += textIn(words, node);
    else if (dom.nodeType(node) === 3) text += ownText(words, (node as Text).data, seen === 'all');
  };
  for (const node of dom.composedChildren(element)) add(node);
  return kind.display.startsWith('inline') && name !== 'br' ? text : ` ${text} `;
}

function ownText(words: Words, data: string, isSeen: boolean): string {
  const { text, hidden } = withoutUnseen(data);
  words.hidden += isSeen ? hidden : data.trim().length;
  if (words.left !== undefined) words.left -= data.length;
  return isSeen ? text : '';
}

export const oneLine = (text: string): string => withoutUnseen(text).text.replaceAll(/\s+/g, ' ').trim();
