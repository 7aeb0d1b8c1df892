import * as dom from './dom.ts';
import { createLook, type Kind, type Look, type Place } from './visibility/hidden.ts';
import { oneLine } from './inner-words.ts';
import { nameOf } from './names.ts';

/** What a user tells one button from its like by. */
export const ROWS =
  'tr, li, article, dialog, [role="row"], [role="listitem"], [role="article"], [role="option"], [role="treeitem"], [role="dialog"], [role="alertdialog"]';
const HEADINGS = 'h1, h2, h3, h4, h5, h6, th, [role="heading"], [role="rowheader"]';
const FIELDS = 'input:not([type="checkbox"], [type="radio"], [type="hidden"]), select, textarea';
/** What is used, and what says how things stand: its text changes in a row that stays the same. */
const PASSING =
  'button, input, select, textarea, script, style, template, noscript, time, output, meter, progress, [contenteditable], [aria-live], [role="button"], [role="switch"], [role="textbox"], [role="combobox"], [role="timer"], [role="status"], [role="alert"], [role="log"], [role="progressbar"]';
const LEFT_OUT = `${PASSING}, ${ROWS}`;
const CLOCK = /\b\d{1,2}(?::\d\d){1,2}\b/g;
/** Counters and prices change; what has a letter, or is as long as a year or an order's number, is told by. */
const TELLING = /\p{L}|\d{4}|#\d/u;

const LONGEST = 40;
/** Elements of a row that are looked at. */
const MOST_ELEMENTS = 100;

const isA = (element: Element, selector: string): boolean =>
  Element.prototype.matches.call(element, selector);

/** Whether it tells what lies in it from its like. */
export const isRow = (element: Element): boolean => isA(element, ROWS);

/** What tells in which row, entry or dialog an element is: its first words. Empty where it is in none that has words. */
export function createRows(look: Look): (element: Element) => string {
  const rows = new Map<Element, string>();
  const wordsIn = createWords(look);
  return (element) => {
    let row = rows.get(element);
    if (row !== undefined) return row;
    const passed: Element[] = [];
    for (let at: Element | null = element; at && !row; at = dom.elementAround(at)) {
      row = rows.get(at);
      if (row !== undefined) break;
      row = isRow(at) ? firstWords(look, at, wordsIn) : '';
      passed.push(at);
    }
    for (const each of passed) rows.set(each, row ?? '');
    return row ?? '';
  };
}

export const rowOf = (element: Element): string => createRows(createLook(element.ownerDocument))(element);

function firstWords(look: Look, row: Element, wordsIn: (whole: Element) => string): string {
  const heading = dom.first(row, HEADINGS);
  // What is said about fields, such as that one is wrong, changes as they are filled in.
  const isForm = heading !== null && dom.first(row, FIELDS) !== null;
  const words = nameOf(look, row, '') || (isForm && wordsIn(heading)) || wordsIn(row);
  return words.length > LONGEST ? `${words.slice(0, LONGEST).trimEnd()}…` : words;
}

function createWords(look: Look): (whole: Element) => string {
  const leftOut = new Map<Kind, boolean>();
  const isLeftOut = (element: Element, kind: Kind): boolean => {
    let is = leftOut.get(kind);
    if (is === undefined) leftOut.set(kind, (is = isA(element, LEFT_OUT)));
    return is;
  };
  return (whole) => {
    let text = '';
    let left = MOST_ELEMENTS;
    const add = (element: Element, { seen, kind }: Place): void => {
      if (seen === 'none' || (left -= 1) < 0) return;
      const gap = kind.display.startsWith('inline') ? '' : ' ';
      text += gap;
      for (const node of dom.composedChildren(element)) {
        if (text.length > LONGEST * 2) return;
        const type = dom.nodeType(node);
        if (type === 3) {
          if (seen === 'all') text += telling((node as Text).data);
        } else if (type === 1) {
          const place = look.placeIn(node as Element, kind);
          if (!isLeftOut(node as Element, place.kind)) add(node as Element, place);
        }
      }
      text += gap;
    };
    add(whole, look.placeOf(whole));
    return oneLine(text);
  };
}

/** @param data bounded, as all of a page's may be long */
function telling(data: string): string {
  const words = data
    .trim()
    .slice(0, LONGEST * 2)
    .replaceAll(CLOCK, '');
  return TELLING.test(words) ? ` ${words} ` : ' ';
}
