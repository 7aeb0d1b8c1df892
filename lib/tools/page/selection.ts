import type { FrameReading } from '../../types/page.ts';
import * as dom from './dom.ts';
import { isPrivate } from './fields.ts';
import { fieldOf, keepField } from './field.ts';
import { readSeen } from './seen.ts';
import { withoutUnseen } from './unseen.ts';

/**
 * What is selected in this document, or in the form field that has the focus; null for nothing.
 * @param which how the text begins, apart from white space: another selection is not meant; empty: any is
 */
export function readSelection(document: Document, which: string): FrameReading | null {
  const inField = selectedInField(dom.focused(document));
  const selected = inField || String(document.getSelection());
  if (!withoutSpace(selected).startsWith(withoutSpace(which))) return null;
  if (inField !== '') return ofText(document, inField);
  const range = selectedRange(document);
  return range ? readSeen(document, range) : null;
}

const withoutSpace = (text: string): string => text.replaceAll(/\s/g, '');

function selectedInField(field: Element | null): string {
  const isField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
  if (!isField || isPrivate(field)) return '';
  const { value, selectionStart, selectionEnd } = field; // null where a field's type has no selection
  return selectionStart === null || selectionEnd === null ? '' : value.slice(selectionStart, selectionEnd);
}

function selectedRange(document: Document): Range | null {
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

/**
 * What stands in the form field that has the focus, with its name; null where none has it.
 * @param id what it is known by from then on; read by that again, it is the same one, wherever the focus is
 */
export function readField(document: Document, id: string): FrameReading | 'private' | null {
  const field = fieldOf(id) ?? dom.focused(document);
  if (!field) return null;
  if (field.ownerDocument === document) keepField(id, field);
  const owner = field.ownerDocument;
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
    if (isPrivate(field)) return 'private';
    return ofText(owner, `${labelled(field)}${field.value}`);
  }
  if (!(field instanceof HTMLElement) || !field.isContentEditable) return null;
  const range = owner.createRange();
  range.selectNodeContents(field);
  return readSeen(owner, range);
}

function labelled(field: HTMLInputElement | HTMLTextAreaElement): string {
  const name = dom.attribute(field, 'aria-label') ?? field.labels?.[0]?.textContent ?? field.placeholder;
  const line = name.replaceAll(/\s+/g, ' ').trim();
  return line === '' ? '' : `${line}:\n`;
}

/** Text as it was written. */
function ofText(document: Document, written: string): FrameReading {
  const { text, hidden } = withoutUnseen(written);
  const element = document.implementation.createHTMLDocument('').createElement('pre');
  element.textContent = text;
  const { URL: url, contentType } = document;
  const html = element.outerHTML;
  return { url, title: dom.titleOf(document), contentType, html, hidden, isCut: false, frames: 0, drawn: [] };
}
