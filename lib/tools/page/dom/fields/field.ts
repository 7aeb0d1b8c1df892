import * as dom from '../dom.ts';
import { lasting } from '../lasting.ts';

/** Where in a field's text a part of it stands. */
export type Part = { start: number; text: string };

type Kept = {
  field: WeakRef<Element>;
  /** What of it was read, where that was not all. */
  part?: Part;
  /** What stood in it before it was filled, and after; of an editor also what can be put back without being parsed. */
  before?: string;
  nodes?: Node[];
  after?: string;
};

/** Milliseconds; editors that keep a text of their own draw it anew after a change. */
const DRAWN_MS = 50;

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
 * @returns null where no such field was read; `inexact`: what stands there now is not just what stood there before
 */
export async function fillField(
  id: string,
  text: string | null,
): Promise<'filled' | 'gone' | 'changed' | 'moved' | 'locked' | 'refused' | 'inexact' | null> {
  const kept = fields.get(id);
  if (!kept) return null;
  const field = kept.field.deref();
  if (!(field instanceof HTMLElement) || !field.isConnected) return 'gone';
  if (isInput(field) && (field.readOnly || field.disabled)) return 'locked';
  if (text === null) return takeBack(id, field, kept);
  const { part } = kept;
  if (part && !textOf(field).startsWith(part.text, part.start)) return 'moved';
  const before = contentOf(field);
  // Filled twice, what stood there is what stood there first.
  const isFirst = kept.after !== before;
  const stood = isFirst ? { before, ...(!isInput(field) && { nodes: copies(field.childNodes) }) } : {};
  write(field, text, part);
  const filled = { ...kept, ...stood, after: contentOf(field) };
  fields.set(id, filled);
  await drawn();
  if (isInput(field) && !isAlike(field.value, replaced(before, text, part))) {
    fields.set(id, kept);
    write(field, before);
    return 'refused';
  }
  filled.after = contentOf(field);
  return 'filled';
}

async function takeBack(
  id: string,
  field: HTMLElement,
  kept: Kept,
): Promise<'filled' | 'changed' | 'inexact'> {
  const { before, after, nodes = [], part } = kept;
  if (before === undefined || contentOf(field) !== after) return 'changed';
  fields.set(id, { field: kept.field, ...(part && { part }) });
  if (isInput(field)) write(field, before);
  else putBack(field, before, nodes);
  await drawn();
  return contentOf(field) === before ? 'filled' : 'inexact';
}

const drawn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, DRAWN_MS));

export const isInput = (field: Element): field is HTMLInputElement | HTMLTextAreaElement =>
  field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;

const contentOf = (field: Element): string => (isInput(field) ? field.value : field.innerHTML);

const textOf = (field: Element): string => (isInput(field) ? field.value : (dom.textContent(field) ?? ''));

const replaced = (before: string, content: string, part?: Part): string =>
  part ? before.slice(0, part.start) + content + before.slice(part.start + part.text.length) : content;

/** A field of one line has no line ends. */
const isAlike = (one: string, other: string): boolean =>
  one.replaceAll(/\s/g, '') === other.replaceAll(/\s/g, '');

/** Whether an editing command, which goes to what has the focus, goes to this field: the page may have moved it. */
export function hasFocus(field: HTMLElement): boolean {
  const focused = dom.focused(field.ownerDocument);
  if (focused === field) return true;
  const isAround = !isInput(field) && focused instanceof HTMLElement && focused.isContentEditable;
  return isAround && Node.prototype.contains.call(focused, field);
}

/** Into an editor, or a form field, which takes text alone. */
export function write(field: HTMLElement, content: string, part?: Part): void {
  const before = contentOf(field);
  field.focus({ preventScroll: true });
  if (!isInput(field)) selectIn(field, part);
  else if (part) field.setSelectionRange(part.start, part.start + part.text.length);
  else field.select();
  // Nothing else is both undone by the user's own undo and reported to the page as typing.
  const type = (): boolean =>
    hasFocus(field) &&
    field.ownerDocument.execCommand(content === '' ? 'delete' : 'insertText', false, content);
  type();
  if (!isInput(field) && content.trim() !== '' && textOf(field).trim() === '') {
    // Where a picture ends what is selected, Chromium deletes it and writes nothing.
    Element.prototype.replaceChildren.call(field);
    selectIn(field);
    type();
  }
  const wanted = replaced(before, content, part);
  if (!isInput(field) || field.value !== before || wanted === before) return;
  const own = field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement;
  Object.getOwnPropertyDescriptor(own.prototype, 'value')?.set?.call(field, wanted);
  dispatchInput(field, 'insertText');
}

/**
 * Puts back what stood in an editor: written in as HTML, its blocks would be fitted into those that stand there.
 * @param nodes its copies, for where the browser's own undo, which the page is told of, takes back something else
 */
function putBack(field: HTMLElement, before: string, nodes: Node[]): void {
  if (contentOf(field) === before) return;
  const { ownerDocument: document } = field;
  field.focus({ preventScroll: true });
  if (document.execCommand('undo') && contentOf(field) !== before) document.execCommand('redo');
  if (contentOf(field) === before) return;
  Element.prototype.replaceChildren.call(field, ...copies(nodes));
  dispatchInput(field, 'historyUndo');
}

const copies = (nodes: Iterable<Node>): Node[] =>
  [...nodes].map((node) => Node.prototype.cloneNode.call(node, true));

export const dispatchInput = (field: Element, inputType: string): boolean =>
  field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true, inputType }));

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
