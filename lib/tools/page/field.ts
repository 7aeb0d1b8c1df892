import * as dom from './dom.ts';
import { lasting } from './lasting.ts';

/** Where in a field's text a part of it stands. */
export type Part = { start: number; text: string };

type Kept = {
  field: WeakRef<Element>;
  /** What of it was read, where that was not all. */
  part?: Part;
  /** What stood in it before it was filled, and after. */
  before?: string;
  after?: string;
};

/** Fields that were read. */
const fields = lasting('portsideFields', () => new Map<string, Kept>());

export const fieldOf = (id: string): Element | undefined => fields.get(id)?.field.deref();

export const partOf = (id: string): Part | undefined => fields.get(id)?.part;

export function keepField(id: string, field: Element, part?: Part): void {
  if (fieldOf(id) !== field) fields.set(id, { field: new WeakRef(field), ...(part && { part }) });
}

/**
 * Writes into a field that was read, in the place of what was read, as if it was typed, so that the page notices and its
 * own undo works.
 * @param text null: what stood there before
 * @returns null where no such field was read
 */
export function fillField(
  id: string,
  text: string | null,
): 'filled' | 'gone' | 'changed' | 'moved' | 'locked' | 'refused' | null {
  const kept = fields.get(id);
  if (!kept) return null;
  const field = kept.field.deref();
  if (!(field instanceof HTMLElement) || !field.isConnected) return 'gone';
  const { part } = kept;
  const same = { field: kept.field, ...(part && { part }) };
  const before = contentOf(field);
  if (isInput(field) && (field.readOnly || field.disabled)) return 'locked';
  if (text === null) {
    if (kept.before === undefined || before !== kept.after) return 'changed';
    write(field, kept.before, 'insertHTML');
    fields.set(id, same);
  } else {
    if (part && !textOf(field).startsWith(part.text, part.start)) return 'moved';
    write(field, text, 'insertText', part);
    if (isInput(field) && !isAlike(field.value, replaced(before, text, part))) {
      write(field, before, 'insertText');
      return 'refused';
    }
    fields.set(id, { ...same, before, after: contentOf(field) });
  }
  return 'filled';
}

const isInput = (field: Element): field is HTMLInputElement | HTMLTextAreaElement =>
  field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;

const contentOf = (field: Element): string => (isInput(field) ? field.value : field.innerHTML);

const textOf = (field: Element): string => (isInput(field) ? field.value : (dom.textContent(field) ?? ''));

const replaced = (before: string, content: string, part?: Part): string =>
  part ? before.slice(0, part.start) + content + before.slice(part.start + part.text.length) : content;

/** A field of one line has no line ends. */
const isAlike = (one: string, other: string): boolean =>
  one.replaceAll(/\s/g, '') === other.replaceAll(/\s/g, '');

/** `how`: what an editable element takes that way; a form field takes text alone. */
function write(field: HTMLElement, content: string, how: 'insertText' | 'insertHTML', part?: Part): void {
  const before = contentOf(field);
  field.focus({ preventScroll: true });
  if (!isInput(field)) selectIn(field, part);
  else if (part) field.setSelectionRange(part.start, part.start + part.text.length);
  else field.select();
  // Nothing else is both undone by the person's own undo and told to the page as typing.
  const { ownerDocument: document } = field;
  document.execCommand(content === '' ? 'delete' : isInput(field) ? 'insertText' : how, false, content);
  const wanted = replaced(before, content, part);
  if (!isInput(field) || field.value !== before || wanted === before) return;
  const own = field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement;
  Object.getOwnPropertyDescriptor(own.prototype, 'value')?.set?.call(field, wanted);
  field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
}

function selectIn(field: Element, part?: Part): void {
  const selection = field.ownerDocument.getSelection();
  const range = part && rangeOf(field, part);
  selection?.selectAllChildren(field);
  if (!range) return;
  selection?.removeAllRanges();
  selection?.addRange(range);
}

/** The range of a part of an editable element; undefined when its text is too short for it. */
export function rangeOf(field: Element, { start, text }: Part): Range | undefined {
  const [from, to] = [placeOf(field, start), placeOf(field, start + text.length)];
  if (!from || !to) return undefined;
  const range = Document.prototype.createRange.call(field.ownerDocument);
  range.setStart(...from);
  range.setEnd(...to);
  return range;
}

/** The text node in which a place of an element's text lies, and where in it. */
function placeOf(field: Element, at: number): [Text, number] | undefined {
  const walker = Document.prototype.createTreeWalker.call(field.ownerDocument, field, NodeFilter.SHOW_TEXT);
  let before = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { length } = node as Text;
    if (at <= before + length) return [node as Text, at - before];
    before += length;
  }
  return undefined;
}
