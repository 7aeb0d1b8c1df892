import { isSecret } from '../dom/fields/private-fields.ts';
import { describe } from '../dom/marks.ts';
import { type ActArgs, keyIn } from './act-args.ts';
import { type Done, NEEDS_USER, nothing } from './done.ts';
import { leftToUser } from './fill.ts';
import { enterLink } from './mouse.ts';
import { MODIFIER } from './events/key-events.ts';
import { focusOn } from './focus.ts';
import { pressKey, whyLocked, dispatchChange } from './typing.ts';
import { pauseIn } from './user-typing.ts';
import * as dom from '../dom/dom.ts';
import { dispatchInput } from '../dom/fields/field.ts';

/** Keys that change what a field holds; of those that choose or step only where there is something to. */
const EDITS = /^(.|Backspace|Delete)$/u;
const STEPS = /^(Arrow\w+|Home|End)$/;

export async function pressKeyOn(element: Element, { key = '' }: ActArgs, isNamed: boolean): Promise<Done> {
  const what = describe(element);
  const held = key.split('+').slice(0, -1);
  const unknown = held.find((each) => each !== '' && !MODIFIER.test(each));
  if (unknown !== undefined)
    return nothing(
      `${JSON.stringify(unknown)} is no key that is held with another: those are Alt, Control, Meta and Shift`,
    );
  if (isSecret(element) && (EDITS.test(keyIn(key)) || (isStepped(element) && STEPS.test(keyIn(key)))))
    return nothing(`${what} ${whyLocked(element)}`);
  if (Element.prototype.matches.call(element, ':disabled')) return nothing(`${what} is disabled`);
  const left = leftToUser(await pauseIn(element), element, what, /^(Backspace|Delete)$/.test(key));
  if (left) return left;
  if (isNamed) focusOn(element);
  const pressing = () => pressKey(element, key, doNativeKey);
  const done = keyIn(key) === 'Enter' ? await enterLink(element, what, pressing) : await pressing();
  return { did: `Pressed ${key} on ${what}.`, why: NEEDS_USER, ...done };
}

const isStepped = (element: Element): boolean =>
  element instanceof HTMLSelectElement ||
  (element instanceof HTMLInputElement && /^(range|number)$/.test(element.type));

/** Which way a key goes: on or back, and to an end of what there is. */
const WAYS: Record<string, 1 | -1> = {
  ArrowUp: -1,
  ArrowLeft: -1,
  ArrowDown: 1,
  ArrowRight: 1,
};
const ENDS = /^(Home|End)$/;

/** What a browser itself does at a key that writes nothing: arrows on fields that have steps, Escape. */
function doNativeKey(target: Element, key: string): void {
  if (key === 'Escape') return escape(target);
  const way = WAYS[key];
  if ((way === undefined && !ENDS.test(key)) || whyLocked(target) !== undefined) return;
  if (target instanceof HTMLSelectElement) chooseNext(target, way, key);
  else if (target instanceof HTMLInputElement && way !== undefined) {
    if (target.type === 'radio') checkNext(target, way);
    // Upwards is more, where it is on in a list.
    else if (target.type === 'range' || (target.type === 'number' && /Up|Down/.test(key)))
      step(target, /Up|Down/.test(key) ? (-way as 1 | -1) : way);
  }
}

function step(field: HTMLInputElement, by: 1 | -1): void {
  const before = field.value;
  if (/^any$/i.test(dom.attribute(field, 'step') ?? '')) return; // stepUp() throws
  HTMLInputElement.prototype[by === 1 ? 'stepUp' : 'stepDown'].call(field);
  if (field.value !== before) tell(field);
}

function chooseNext(list: HTMLSelectElement, way: 1 | -1 | undefined, key: string): void {
  const open = [...list.options].filter((each) => !Element.prototype.matches.call(each, ':disabled'));
  const at = open.findIndex(({ index }) => index === list.selectedIndex);
  const next =
    way === undefined ? open.at(key === 'Home' ? 0 : -1) : open[at === -1 && way < 0 ? 0 : at + way];
  if (!next || next.selected) return;
  list.selectedIndex = next.index;
  tell(list);
}

/** Of a group in the same form, from its end on from its start. */
function checkNext(radio: HTMLInputElement, way: 1 | -1): void {
  const group = dom
    .select(dom.treeOf(radio), 'input[type="radio" i]')
    .filter((each): each is HTMLInputElement => each instanceof HTMLInputElement)
    .filter(({ name, form }) => name !== '' && name === radio.name && form === radio.form)
    .filter((each) => each === radio || whyLocked(each) === undefined);
  const next = group.at((group.indexOf(radio) + way) % group.length);
  if (!next || next === radio) return;
  focusOn(next);
  HTMLElement.prototype.click.call(next);
}

function tell(field: Element): void {
  dispatchInput(field, '');
  dispatchChange(field);
}

/** Closes the popover or the dialog above all else (https://html.spec.whatwg.org/#close-request). */
function escape({ ownerDocument: document }: Element): void {
  const open = dom.selectDeep(
    document,
    'dialog:modal:not([closedby="none" i]), [popover]:not([popover="manual" i]):popover-open',
    Infinity,
  );
  const top = open.at(-1);
  if (top instanceof HTMLDialogElement) top.requestClose();
  else if (top instanceof HTMLElement) top.hidePopover();
}
