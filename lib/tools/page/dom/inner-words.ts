import * as dom from './dom.ts';
import { fieldText, isMasked, isSecret } from './fields/private-fields.ts';
import type { Look, Place } from './visibility/hidden.ts';
import { isSecretEditor } from './roles.ts';
import { withoutUnseen } from '../reading/unseen.ts';

const SKIPPED: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript']);
const FIELDS: ReadonlySet<string> = new Set(['select', 'textarea']);

/**
 * `hidden` counts the characters that are not seen; `left` are those that are looked at; `isLabel`: without what is in fields;
 * `isUnseenToo`: with what is hidden; `instead`: what is said in place of an element; `isName`: with words of styles, and titles.
 */
export type Words = {
  look: Look;
  hidden: number;
  left?: number;
  isLabel?: true;
  isUnseenToo?: boolean;
  isName?: true;
  instead?: (element: Element, name: string, place: Place) => string | undefined;
};

/** What is seen of the text in an element; nothing of what only the user may type. @param place of the element, where it is known */
export function textIn(words: Words, element: Element, place?: Place): string {
  const name = dom.localName(element);
  return isLeftOut(words, name) ? '' : textAt(words, element, name, place ?? words.look.placeOf(element));
}

function textBelow(words: Words, element: Element, around: Place): string {
  const name = dom.localName(element);
  if (isLeftOut(words, name)) return '';
  const place = words.look.placeBelow(element, around, name);
  const isAsked = words.instead && (place.seen !== 'none' || words.isUnseenToo === true);
  const instead = isAsked ? words.instead?.(element, name, place) : undefined;
  if (instead === undefined) return textAt(words, element, name, place);
  if (words.left !== undefined) words.left -= instead.length;
  return apart(words, place, name, instead);
}

const isLeftOut = ({ isLabel }: Words, name: string): boolean =>
  SKIPPED.has(name) || (isLabel === true && FIELDS.has(name));

/** What lies in a block stands on lines of its own; in a name it is apart in any box (https://w3c.github.io/accname/#comp_name_from_content). */
function apart({ isName }: Words, { kind }: Place, name: string, text: string): string {
  const isInLine = isName ? kind.display === 'inline' : kind.display.startsWith('inline');
  return isInLine && name !== 'br' ? text : ` ${text} `;
}

function textAt(words: Words, element: Element, name: string, place: Place): string {
  const { seen, kind } = place;
  // What lies in something hidden is of no kind of its own.
  if (seen === 'none' ? isSecretEditor(element) : kind.isTextbox && isSecret(element)) return '';
  const isSeen = words.isUnseenToo ? !isMasked(getComputedStyle(element)) : seen === 'all';
  if (seen === 'none' && !words.isUnseenToo) {
    words.hidden += (dom.textContent(element) ?? '').trim().length;
    return '';
  }
  if (name === 'img') return dom.attribute(element, 'alt') ?? '';
  // What lies in it is what it held first, not what it shows.
  if (name === 'textarea') return ownText(words, fieldText(element, name) ?? '', isSeen);
  const from = dom.drawnIn(element, name);
  let text = '';
  const add = (node: Node): void => {
    if (words.left !== undefined && words.left <= 0) return;
    const type = dom.nodeType(node);
    if (type === 1) text += textBelow(words, node as Element, place);
    else if (type === 3) text += ownText(words, (node as Text).data, isSeen);
  };
  if (from !== element || dom.childElementCount(element) > 0)
    for (const node of dom.composedChildren(element, name, from)) add(node);
  else if (words.left === undefined || words.left > 0)
    text = ownText(words, dom.textContent(element) ?? '', isSeen);
  if (words.isName) {
    if (isSeen) text = words.look.withStyled(text, element, kind);
    if (dom.hasAttributes(element) && text.trim() === '') text = dom.attribute(element, 'title') ?? '';
  }
  return apart(words, place, name, text);
}

function ownText(words: Words, data: string, isSeen: boolean): string {
  const { text, hidden } = withoutUnseen(data);
  words.hidden += isSeen ? hidden : data.trim().length;
  if (words.left !== undefined) words.left -= data.length;
  return isSeen ? text : '';
}

export function oneLine(text: string): string {
  const line = text.trim();
  return IS_LINE.test(line) ? line : withoutUnseen(line).text.replaceAll(/\s+/g, ' ').trim();
}

/** Plain words with single spaces between them. */
const IS_LINE = /^[!-~]+(?: [!-~]+)*$/;
