type Kept = {
  field: WeakRef<Element>;
  /** What stood in it before it was filled, and after. */
  before?: string;
  after?: string;
};

/** Fields that were read. They outlive this script, which is brought anew whenever it is needed. */
const fields = ((globalThis as { portsideFields?: Map<string, Kept> }).portsideFields ??= new Map());

export const fieldOf = (id: string): Element | undefined => fields.get(id)?.field.deref();

export function keepField(id: string, field: Element): void {
  if (fieldOf(id) !== field) fields.set(id, { field: new WeakRef(field) });
}

/**
 * Writes into a field that was read, as if it was typed, so that the page notices and its own undo works.
 * @param text null: what stood there before
 * @returns null where no such field was read
 */
export function fillField(id: string, text: string | null): 'filled' | 'gone' | 'changed' | null {
  const kept = fields.get(id);
  if (!kept) return null;
  const field = kept.field.deref();
  if (!(field instanceof HTMLElement) || !field.isConnected) return 'gone';
  const before = contentOf(field);
  if (text === null) {
    if (kept.before === undefined || before !== kept.after) return 'changed';
    write(field, kept.before, 'insertHTML');
    fields.set(id, { field: kept.field });
  } else {
    write(field, text, 'insertText');
    fields.set(id, { field: kept.field, before, after: contentOf(field) });
  }
  return 'filled';
}

const isInput = (field: Element): field is HTMLInputElement | HTMLTextAreaElement =>
  field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;

const contentOf = (field: Element): string => (isInput(field) ? field.value : field.innerHTML);

/** `how`: what an editable element takes that way; a form field takes text alone. */
function write(field: HTMLElement, content: string, how: 'insertText' | 'insertHTML'): void {
  const before = contentOf(field);
  const document = field.ownerDocument;
  field.focus({ preventScroll: true });
  if (isInput(field)) field.select();
  else document.getSelection()?.selectAllChildren(field);
  // Nothing else is both undone by the person's own undo and told to the page as typing.
  document.execCommand(content === '' ? 'delete' : isInput(field) ? 'insertText' : how, false, content);
  if (!isInput(field) || field.value !== before || content === before) return;
  const own = field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement;
  Object.getOwnPropertyDescriptor(own.prototype, 'value')?.set?.call(field, content);
  field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
}
