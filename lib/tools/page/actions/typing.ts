import { endOf } from '../dom/fields/caret.ts';
import * as dom from '../dom/dom.ts';
import { editContextOf, updateText } from './edit-context.ts';
import { dispatchInput, hasFocus, isInput, write } from '../dom/fields/field.ts';
import { isSecret } from '../dom/fields/private-fields.ts';
import { defaultButtonOf, requireAsked, requireSending } from '../dom/effects.ts';
import { keyIn } from './act-args.ts';
import { holdKeys, isCharacter, sendKey } from './events/key-events.ts';
import { held } from './events/fire-pointer.ts';
import { focusOn } from './focus.ts';
import { nextFrame, nextTask } from './stopping.ts';
import { isEditor } from '../dom/roles.ts';
import { isCaretField } from '../dom/visibility/transparent.ts';
import { hasTyped } from './user-typing.ts';

export type Field = HTMLInputElement | HTMLTextAreaElement | HTMLElement;

/** Characters that are typed one by one; more are put in at once. */
const MOST_KEYS = 200;
/** Inputs in which nothing is typed. */
const UNTYPED = /^(checkbox|radio|range|color|file|button|submit|reset|image|hidden)$/;
/** What an element has typed into it: itself, the field of a label, or the editor that it lies in; undefined for none. */
export function typedInto(element: Element): Field | undefined {
  const control = element instanceof HTMLLabelElement ? element.control : element;
  if (control instanceof HTMLInputElement) return UNTYPED.test(control.type) ? undefined : control;
  if (control instanceof HTMLTextAreaElement) return control;
  for (let at: Element | null = element; at; at = dom.elementAround(at))
    if (isEditor(at) || (editContextOf(at) && at instanceof HTMLElement)) return at;
  const inner = dom.select(element, 'input, textarea, [contenteditable]');
  return inner.length === 1 && inner[0] ? typedInto(inner[0]) : undefined;
}

/** Whether what is typed there an editor draws elsewhere, and keeps to itself. */
export const drawsElsewhere = (field: Field): boolean =>
  editContextOf(field) !== undefined || isCaretField(field);

export const textOf = (field: Field): string =>
  isInput(field) ? field.value : field.innerText.replace(/\n$/, '');

/** Why nothing may be typed there; undefined: it may. */
export function whyLocked(field: Element): string | undefined {
  if (isSecret(field))
    return 'holds a password, a code or a card’s number, which only the user may type: use ask_user';
  if (Element.prototype.matches.call(field, ':disabled')) return 'is disabled';
  if (isInput(field) && field.readOnly) return 'is read-only';
  return undefined;
}

/**
 * Types into a field that has the focus, in the events of a keyboard; where it is long, in one piece.
 * @returns false where it stopped, since the user types there
 */
export async function typeInto(field: Field, given: string, clear: boolean): Promise<boolean> {
  // A line takes no breaks: their Enter would send its form.
  const text = field instanceof HTMLInputElement ? given.replaceAll(/[\r\n]+/g, ' ') : given;
  const begun = performance.now();
  if (!hasFocus(field) && focusOn(field)) await nextFrame(); // some are drawn anew as they get it
  if (hasTyped(field, begun)) return false;
  const isUnseen = drawsElsewhere(field);
  if (isUnseen) {
    await pressKey(field, clear ? 'Control+a' : 'Control+End');
    if (clear) await pressKey(field, 'Backspace');
  }
  const before = textOf(field);
  // A field is selected, and not emptied first: some put back what they held.
  const replaces = clear && isInput(field) && text !== '';
  if (clear && !replaces && !isUnseen && before !== '') write(field, '');
  else if (!isUnseen) putCaret(field, replaces);
  if (text.length > MOST_KEYS || (isInput(field) && !hasSelection(field))) {
    sendKey(field, 'keydown', text.at(-1) ?? '');
    if (!isInput(field) || isUnseen) insert(field, text);
    else if (mayInsert(field, text)) write(field, (clear ? '' : before) + text);
    sendKey(field, 'keyup', text.at(-1) ?? '');
  } else
    for (const [at, character] of [...text].entries()) {
      if (hasTyped(field, begun)) return false;
      if (!hasFocus(field) && focusOn(field) && !isUnseen) putCaret(field, replaces && at === 0);
      await pressKey(field, character === '\n' ? breakOf(field) : character);
      if (completes(field)) await nextFrame();
      if (!field.isConnected) return true;
    }
  if (isInput(field) && field.isConnected && field.value !== before) dispatchChange(field);
  return true;
}

/** Whether a field adds to what is typed, which may be done only as it is drawn: the next key comes after that. */
const completes = (field: Element): boolean =>
  /^(inline|both)$/.test(dom.attribute(field, 'aria-autocomplete') ?? '');

const hasSelection = (field: HTMLInputElement | HTMLTextAreaElement): boolean =>
  field.selectionStart !== null;

/** At the end of what a field holds, or where what is typed replaces that. */
function putCaret(field: Field, replaces: boolean): void {
  if (replaces && isInput(field)) field.select();
  else if (!isInput(field)) field.ownerDocument.getSelection()?.collapse(...endOf(field));
  else if (hasSelection(field)) field.setSelectionRange(field.value.length, field.value.length);
}

/** Chats send at Enter: with Shift it breaks the line. In editors of code it does, and with Shift a notebook runs what it holds. */
const breakOf = (field: Field): string =>
  drawsElsewhere(field) || (!isInput(field) && dom.attribute(field, 'autocorrect') === 'off')
    ? 'Enter'
    : 'Shift+Enter';

/** No command of a script's tells the page beforehand, as typing does; an editor may do the rest itself. */
const mayInsert = (field: Element, data: string, inputType = 'insertText'): boolean =>
  field.dispatchEvent(
    new InputEvent('beforeinput', { bubbles: true, cancelable: true, composed: true, inputType, data }),
  );

function insert(field: Field, text: string): void {
  const { ownerDocument: document } = field;
  if (!mayInsert(field, text)) return;
  const context = editContextOf(field);
  if (context) return updateText(context, text);
  const before = isInput(field) ? field.value : dom.textContent(field);
  // The same again, or taken out by an editor at once.
  const mayLookAlike =
    drawsElsewhere(field) || (isInput(field) && field.selectionStart !== field.selectionEnd);
  const isDone = hasFocus(field) && document.execCommand('insertText', false, text);
  const after = isInput(field) ? field.value : dom.textContent(field);
  if ((isDone && (mayLookAlike || after !== before)) || !isInput(field)) return;
  const { selectionStart: start, selectionEnd: end, maxLength, value } = field;
  if (maxLength >= 0 && value.length >= maxLength) return;
  setValue(field, value.slice(0, start ?? value.length) + text + value.slice(end ?? value.length));
  dispatchInput(field, 'insertText');
}

/** Past what a framework has put over it. */
export function setValue(field: HTMLInputElement | HTMLTextAreaElement, value: string): void {
  const own = field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement;
  Object.getOwnPropertyDescriptor(own.prototype, 'value')?.set?.call(field, value);
}

export const dispatchChange = (field: Element): boolean =>
  field.dispatchEvent(new Event('change', { bubbles: true }));

/**
 * A key such as `Enter`, `a` or `Control+a`; what a browser does at it is done too, unless the page cancels it.
 * @param native does what else of that is wanted
 */
export async function pressKey(
  target: Element,
  named: string,
  native?: (target: Element, key: string) => void,
): Promise<void> {
  const key = keyIn(named);
  const { ownerDocument: document } = target;
  const keys = named.length > 1 ? named.split('+').slice(0, -1) : [];
  const modifiers = held(keys);
  const isPlain = !modifiers.ctrlKey && !modifiers.altKey && !modifiers.metaKey;
  const had = dom.focused(document);
  // What got the focus by the key has its end told.
  const receiver = (): Element => {
    const has = dom.focused(document);
    return has && has !== had ? has : target;
  };
  const release = holdKeys(keys, receiver);
  try {
    let goesOn = sendKey(target, 'keydown', key, held([...keys, key]));
    if (goesOn && isPlain && (isCharacter(key) || key === 'Enter'))
      goesOn = sendKey(target, 'keypress', key, modifiers);
    if (!target.isConnected) return; // what has the focus now is another element
    if (goesOn && isPlain) {
      doKey(target, key, modifiers.shiftKey);
      native?.(target, key);
    } else if (goesOn && key.toLowerCase() === 'a' && !modifiers.altKey) document.execCommand('selectAll');
    await nextTask();
    if (target.isConnected) sendKey(receiver(), 'keyup', key, modifiers);
  } finally {
    release();
  }
}

/** What a browser does at a key of its own accord, as far as a script can. */
function doKey(target: Element, key: string, isShift = false): void {
  const { ownerDocument: document } = target;
  const into = typedInto(target);
  const field = into === target ? into : undefined;
  const isLine = field instanceof HTMLInputElement;
  const mayType = field && whyLocked(field) === undefined;
  if (key === 'Enter' && isLine) return submitOf(field);
  const command = (name: string): boolean => !!field && hasFocus(field) && document.execCommand(name);
  if (key === 'Enter' && mayType && editContextOf(field)) return void mayInsert(field, '', 'insertParagraph');
  if (key === 'Enter' && mayType)
    return void command(isInput(field) || isShift ? 'insertLineBreak' : 'insertParagraph');
  if (/^(Enter| )$/.test(key) && !field) {
    // Firefox follows a link itself at the key press of a script, which Chromium takes for none.
    const links = import.meta.env.FIREFOX ? '' : 'a[href], ';
    const isPressed = key === 'Enter' ? `${links}button, summary` : 'button, summary, input';
    if (!Element.prototype.matches.call(target, isPressed)) return;
    requireAsked(target);
    return (target as HTMLElement).click();
  }
  if (key === 'Tab') return focusNext(target, isShift ? -1 : 1);
  if (!mayType) return;
  if (key === 'Backspace') command('delete');
  else if (key === 'Delete') command('forwardDelete');
  else if (isCharacter(key)) insert(field, key);
}

/** https://html.spec.whatwg.org/#implicit-submission */
function submitOf(field: HTMLInputElement): void {
  const { form } = field;
  if (!form) return;
  requireSending();
  const button = defaultButtonOf(form);
  dispatchChange(field);
  if (button) (button as HTMLElement).click();
  else HTMLFormElement.prototype.requestSubmit.call(form);
}

function focusNext(from: Element, by: 1 | -1): void {
  const { ownerDocument: document } = from;
  const all = dom
    .selectDeep(
      document,
      'a[href], button, input, select, textarea, summary, [tabindex], [contenteditable]',
      Infinity,
    )
    .filter(
      (each) => (each as HTMLElement).tabIndex >= 0 && !Element.prototype.matches.call(each, ':disabled'),
    )
    .filter(dom.isDrawn);
  const next = all[all.indexOf(from) + by] ?? all.at(by === 1 ? 0 : -1);
  if (next) focusOn(next);
}
