import type { FrameReading } from '../../../types/page.ts';
import * as dom from '../dom/dom.ts';
import { isPrivate } from '../dom/fields/private-fields.ts';
import { documentId } from '../dom/lasting.ts';
import { fieldOf, keepField, partOf, rangeOf, type Part } from '../dom/fields/field.ts';
import { createLook } from '../dom/visibility/hidden.ts';
import { textIn } from '../dom/inner-words.ts';
import { isSecretEditor, secretEditorsIn } from '../dom/roles.ts';
import { elementOf, readSeen } from './seen.ts';

/**
 * What is selected in this document, or in the form field that has the focus; null for nothing. `private`: what is meant only the
 * user may type.
 * @param which how the text begins, apart from white space: another selection is not meant; empty: any is
 */
export function readSelection(document: Document, which: string): FrameReading | 'private' | null {
  if (which !== '' && holdsSecret(dom.focused(document), which)) return 'private';
  const inField = selectedInField(dom.focused(document));
  const selected = inField || String(document.getSelection());
  if (!withoutSpace(selected).startsWith(withoutSpace(which))) return null;
  if (inField !== '') return ofText(document, inField);
  const range = selectedRange(document);
  if (range && isInSecret(range.commonAncestorContainer)) return which === '' ? null : 'private';
  return range && readSeen(document, range);
}

/** Whether words stand in a form field whose content is not read. Browsers tell what is selected in some of these. */
const holdsSecret = (field: Element | null, words: string): boolean =>
  isForm(field) && isPrivate(field) && withoutSpace(field.value).includes(withoutSpace(words));

const isForm = (field: Element | null): field is HTMLInputElement | HTMLTextAreaElement =>
  field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;

/** The same as plain text, as the browser has it; empty for nothing, and where some of it is meant only for the user to type. */
export function selectedText(document: Document): string {
  const inField = selectedInField(dom.focused(document));
  if (inField !== '') return inField;
  const range = selectedRange(document);
  if (!range || isInSecret(range.commonAncestorContainer)) return '';
  if (secretEditorsIn(document).some((each) => range.intersectsNode(each))) return '';
  return (String(document.getSelection()) || String(range)).trim();
}

/** Where on the screen that stands. */
export function selectedPlace(document: Document): DOMRect | undefined {
  const range = selectedInField(dom.focused(document)) === '' ? selectedRange(document) : null;
  const place = range ?? dom.focused(document);
  return place && place !== dom.bodyOf(document) ? place.getBoundingClientRect() : undefined;
}

function isInSecret(node: Node): boolean {
  for (let at = elementOf(node); at; at = dom.elementAround(at)) if (isSecretEditor(at)) return true;
  return false;
}

const withoutSpace = (text: string): string => text.replaceAll(/\s/g, '');

function selectedInField(field: Element | null): string {
  if (!isForm(field) || isPrivate(field)) return '';
  const { value, selectionStart, selectionEnd } = field; // null where a field's type has no selection
  return selectionStart === null || selectionEnd === null ? '' : value.slice(selectionStart, selectionEnd);
}

export function selectedRange(document: Document): Range | null {
  const selection = document.getSelection();
  if (!selection || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  if (!range.collapsed) return range;
  return selectedInShadow(document, selection);
}

/** A selection in a shadow tree looks collapsed from outside. */
function selectedInShadow(document: Document, selection: Selection): Range | null {
  const root = dom.focused(document)?.getRootNode();
  const host = selection.anchorNode;
  const inside = host && dom.isElement(host) ? dom.shadowRoot(host) : null;
  const shadowRoots = [root, inside].filter((each) => each instanceof ShadowRoot);
  if (shadowRoots.length === 0 || !('getComposedRanges' in selection)) return null;
  const [found] = selection.getComposedRanges({ shadowRoots });
  if (!found || found.collapsed) return null;
  const range = document.createRange();
  range.setStart(found.startContainer, found.startOffset);
  range.setEnd(found.endContainer, found.endOffset);
  return range;
}

/** Stands in the id of a field that was read, before what tells its document from those of the other frames. */
const OF = '@';

/**
 * What stands in the form field that has the focus, with its name; null where none has it, as in a frame in which the user never
 * pressed anything: any may take the focus.
 * @param id of a field that was read: it is the same one, wherever the focus is; else what its id begins with from then on
 * @param which of it only the selection, which begins so, as `readSelection` has it; empty: all
 */
export function readField(
  document: Document,
  id: string,
  which: string,
): (FrameReading & { fieldId: string }) | 'private' | null {
  const isKnown = id.includes(OF);
  const isUsed = window === window.top || navigator.userActivation.hasBeenActive;
  const field = isKnown ? fieldOf(id) : isUsed ? dom.focused(document) : null;
  // The frame that it lies in tells of it.
  if (!field || field.ownerDocument !== document) return null;
  const fieldId = isKnown ? id : id + OF + documentId();
  if (isForm(field) ? isPrivate(field) : isInSecret(field)) return 'private';
  if (!isForm(field) && !(field instanceof HTMLElement && field.isContentEditable)) return null;
  const part = partOf(fieldId) ?? (which === '' ? undefined : selectedPart(field));
  if (which !== '' && !withoutSpace(part?.text ?? '').startsWith(withoutSpace(which))) return null;
  keepField(fieldId, field, part);
  if (isForm(field))
    return { ...ofText(document, part?.text ?? `${labelled(field)}${field.value}`), fieldId };
  const range = part ? rangeOf(field, part) : document.createRange();
  if (!part) range?.selectNodeContents(field);
  return range ? { ...readSeen(document, range), fieldId } : null;
}

/** What is selected in an element that can be written in. */
function selectedPart(field: Element): Part | undefined {
  const text = selectedInField(field);
  if (text !== '') return { start: (field as HTMLInputElement).selectionStart ?? 0, text };
  const range = selectedRange(field.ownerDocument);
  if (!range || !Node.prototype.contains.call(field, range.commonAncestorContainer)) return undefined;
  const before = range.cloneRange();
  before.selectNodeContents(field);
  before.setEnd(range.startContainer, range.startOffset);
  return { start: String(before).length, text: String(range) };
}

function labelled(field: HTMLInputElement | HTMLTextAreaElement): string {
  const look = createLook(field.ownerDocument);
  const [label] = field.labels ?? [];
  const seen = label && textIn({ look, hidden: 0, isLabel: true }, label);
  const name = dom.attribute(field, 'aria-label') ?? seen ?? field.placeholder;
  const line = name.replaceAll(/\s+/g, ' ').trim();
  return line === '' ? '' : `${line}:\n`;
}

/** Text as it was written. */
export function ofText(document: Document, text: string): FrameReading {
  const element = document.implementation.createHTMLDocument('').createElement('pre');
  element.textContent = text;
  const { URL: url, contentType } = document;
  const html = element.outerHTML;
  return {
    base: url,
    url,
    title: dom.titleOf(document),
    contentType,
    html,
    hidden: 0,
    isCut: false,
    frames: [],
    drawn: [],
  };
}
