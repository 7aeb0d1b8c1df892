import * as dom from '../dom/dom.ts';
import { dispatchInput, isInput } from '../dom/fields/field.ts';
import { oneLine } from '../dom/inner-words.ts';
import { describe, stateNow } from '../dom/marks.ts';
import { nameOf } from '../dom/names.ts';
import { elementOf, standsFor } from '../dom/refs.ts';
import { roleOf } from '../dom/roles.ts';
import { valueOf } from '../dom/fields/value-and-states.ts';
import { createLook } from '../dom/visibility/hidden.ts';
import type { ActArgs } from './act-args.ts';
import { brokeOff, type Checked, type Done, NEEDS_USER, nothing } from './done.ts';
import { click } from './mouse.ts';
import { focusOn } from './focus.ts';
import { chosen } from './select.ts';
import { outline } from './sight.ts';
import { slide } from './slide.ts';
import { comesTo, throwIfStopped } from './stopping.ts';
import { isAlike, isIn, isTaken } from './typed-text.ts';
import {
  dispatchChange,
  drawsElsewhere,
  type Field,
  pressKey,
  setValue,
  textOf,
  typedInto,
  typeInto,
  whyLocked,
} from './typing.ts';
import { pauseIn } from './user-typing.ts';

export async function typeText(element: Element, args: ActArgs): Promise<Checked> {
  const { text = '', clear = false, submit = false } = args;
  const field = typedInto(element);
  const what = describe(element);
  if (!field) return nothing(`${what} takes no text`);
  const told = await typed(field, what, text, clear);
  if (submit !== true || told.isError) return told;
  const last = stateNow();
  await pressKey(field, 'Enter');
  return { did: `${told.did} Pressed Enter in it.`, why: NEEDS_USER, last };
}

/** Nothing that the user types there meanwhile is overwritten. */
async function typed(field: Field, what: string, text: string, clear: boolean): Promise<Checked> {
  const locked = whyLocked(field);
  if (locked !== undefined) return nothing(`${what} ${locked}`);
  const user = await pauseIn(field);
  const left = leftToUser(user, field, what, clear && textOf(field) !== '');
  if (left) return left;
  const before = textOf(field);
  if (await typeInto(field, text, clear)) {
    const told = drawsElsewhere(field)
      ? typedUnseen(what)
      : holds(what, field, clear || isTypedOver(field, text) ? text : before + text, before);
    return user === 'none' ? told : { ...told, did: `The user typed there until just before. ${told.did}` };
  }
  await pauseIn(field);
  const now = JSON.stringify(textOf(field).slice(0, 300));
  return {
    did: `The user typed in ${what} meanwhile: it was stopped there, which holds ${now} now.`,
    isError: true,
  };
}

/** Why a field is left as the user has it, who types there, or uses it, or just did. @param is how it is now */
export function leftToUser(
  user: Awaited<ReturnType<typeof pauseIn>>,
  field: Element,
  what: string,
  overwrites: boolean,
  is = `holds ${JSON.stringify((valueOf(field) ?? field.textContent).slice(0, 300))}`,
): Done | undefined {
  const [does, did] = typedInto(field) ? ['is typing in', 'typed in'] : ['is using', 'used'];
  if (user === 'typing') return nothing(`the user ${does} ${what}`);
  if (user === 'none' || !overwrites) return undefined;
  return nothing(`the user has just ${did} ${what}, which ${is} now and was left as they have it`);
}

/** What such an editor holds, it keeps to itself; what it draws is compared. */
const typedUnseen = (what: string): Done => ({ did: `Typed into ${what}.`, why: NEEDS_USER });

/** Parts of a date, where a digit may be all that one takes. */
const isTypedOver = (field: Field, text: string): boolean =>
  roleOf(field) === 'spinbutton' && isTaken(textOf(field), text);

const SEEN_NOWHERE = 'what it holds did, which the page shows nowhere else';

/** Elements around a field in which a page puts what it took out of it. */
const MOST_AROUND = 3;

/** Whether an element near a field has these words alone: fields for tags take one at a comma. */
function isShownBeside(field: Element, text: string): boolean {
  let around = dom.elementAround(field);
  for (let step = 1; around && step < MOST_AROUND; step += 1) around = dom.elementAround(around) ?? around;
  const parts = around ? dom.select(around, ':not(label, label *)') : [];
  return parts.some((each) => isAlike(text, dom.textContent(each) ?? ''));
}

/** What a field holds now, and whether it is what was typed. */
function holds(what: string, field: HTMLElement, wanted: string, before: string): Checked {
  if (!field.isConnected) return { did: `The page took ${what} away while it was filled.`, isError: true };
  const now = textOf(field);
  const told = `${what} holds ${JSON.stringify(now.slice(0, 300))} now; before: ${JSON.stringify(before.slice(0, 100))}.`;
  const isHeld = isTaken(now, wanted) || (!isInput(field) && isAlike(wanted, now));
  if (!isHeld && now === '' && isShownBeside(field, wanted))
    return {
      did: `The page emptied ${what}, and shows ${JSON.stringify(wanted)} beside it.`,
      why: NEEDS_USER,
    };
  if (!isHeld) return { did: `It was not taken as typed: ${told}`, isError: true };
  const isTakenBack = (held: string): boolean =>
    !isTaken(held, wanted) && (held === before || !isIn(wanted, held));
  return {
    did: told,
    why: now === before ? 'it held that already' : SEEN_NOWHERE,
    recheck: () => {
      const is = standsFor(field) as Field | undefined;
      return is && isTakenBack(textOf(is))
        ? `${what} holds ${JSON.stringify(textOf(is).slice(0, 300))}`
        : undefined;
    },
  };
}

export async function fillForm(_first: Element, { fields = [] }: ActArgs): Promise<Checked> {
  const found = fields.map(({ ref, value }) => ({ ref, value, element: controlOf(elementOf(ref)) }));
  // Before anything is filled: a form that is half full is no use.
  for (const { ref, value, element } of found) {
    if (!element)
      return nothing(
        `${ref} is not on the page any more, or in another frame than the first field: take a new snapshot`,
      );
    const locked = whyLocked(element);
    if (locked !== undefined) return nothing(`${describe(element)} ${locked}`);
    if (isBox(element) && isToBeChecked(element, value) === undefined)
      return nothing(unclear(describe(element), value));
  }
  const done: Checked[] = [];
  for (const { element, value } of found)
    if (element)
      done.push(
        await setField(element, value).catch((error: unknown) => {
          throwIfStopped();
          return brokeOff(describe(element), error);
        }),
      );
  return {
    did: done.map(({ did }) => did).join('\n'),
    ...(done.some(({ isError }) => isError) && { isError: true }),
    why: [...new Set(done.flatMap(({ why }) => why ?? []))].join('; '),
    recheck: () => done.flatMap(({ recheck }) => recheck?.() ?? []).join('; ') || undefined,
  };
}

const controlOf = (element: Element | undefined): Element | undefined =>
  (element instanceof HTMLLabelElement && element.control) || element;

const isBox = (element: Element): boolean => /^(checkbox|radio|switch)$/.test(roleOf(element));

/** What a box is to be by what is filled in; its own label, or value, checks it. Undefined where that is not clear. */
function isToBeChecked(box: Element, value: string): boolean | undefined {
  const names = [nameOf(createLook(box.ownerDocument), box, roleOf(box)), dom.attribute(box, 'value')];
  const isOwn = /\S/.test(value) && names.includes(oneLine(value));
  // Of a box called "No", "no" may be either.
  if (/^(false|off|no|unchecked|0)$/i.test(value))
    return isOwn && !/^false$/i.test(value) ? undefined : false;
  return isOwn || /^(true|on|yes|checked|1)$/i.test(value) || undefined;
}

const unclear = (what: string, value: string): string =>
  `${what} takes "true", to check it, or "false", not ${JSON.stringify(value)}`;

/** Types whose value is set at once, in a form of its own. */
const SET = /^(date|time|datetime-local|month|week|color|range)$/;

async function setField(element: Element, value: string): Promise<Checked> {
  outline(element);
  const what = describe(element);
  const role = roleOf(element);
  if (isBox(element)) {
    const wanted = isToBeChecked(element, value);
    return wanted === undefined ? nothing(unclear(what, value)) : setChecked(element, what, wanted);
  }
  if (role === 'slider' && !(element instanceof HTMLInputElement)) return slideTo(element, Number(value));
  if (element instanceof HTMLSelectElement || role === 'listbox') return chosenIn(element, what, [value]);
  if (element instanceof HTMLInputElement && SET.test(element.type)) {
    const locked = whyLocked(element);
    if (locked !== undefined) return nothing(`${what} ${locked}`);
    const left = leftToUser(await pauseIn(element), element, what, true);
    if (left) return left;
    const before = element.value;
    focusOn(element);
    setValue(element, value);
    dispatchInput(element, 'insertText');
    dispatchChange(element);
    return holds(what, element, asWritten(element.type, value), before);
  }
  const field = typedInto(element);
  if (!field)
    return role === 'combobox' ? chosenIn(element, what, [value]) : nothing(`${what} takes no text`);
  return typed(field, what, value, true);
}

/** A colour is in small letters, as the browser writes it, and a moment is as it writes that. */
function asWritten(type: string, value: string): string {
  if (type !== 'datetime-local') return type === 'color' ? value.toLowerCase() : value;
  return Object.assign(document.createElement('input'), { type, value }).value || value;
}

export function selectOption(element: Element, { values = [] }: ActArgs): Promise<Checked> {
  return chosenIn(controlOf(element) ?? element, describe(element), values);
}

async function chosenIn(element: Element, what: string, values: string[]): Promise<Checked> {
  const left = leftToUser(await pauseIn(element), element, what, true);
  return left ?? chosen(element, what, values);
}

export function check(element: Element, { checked = true }: ActArgs): Promise<Checked> {
  return setChecked(controlOf(element) ?? element, describe(element), checked);
}

async function setChecked(element: Element, what: string, wanted: boolean): Promise<Checked> {
  if (!/^(checkbox|radio|switch|menuitemcheckbox|menuitemradio|option|treeitem)$/.test(roleOf(element)))
    return nothing(`${what} can’t be checked`);
  const user = await pauseIn(element);
  const before = isChecked(element);
  const left = leftToUser(user, element, what, before !== wanted, `is ${toldOf(before)}`);
  if (left) return left;
  if (!wanted && saysOf(element) === null)
    return nothing(
      `${what} does not say whether it is checked: look at it, and press it with click if it is`,
    );
  let now = before;
  // One of three states may take two.
  for (let presses = 0; presses < 2 && now !== wanted; presses += 1) {
    const clicked = await click(element, {});
    if (clicked.isError && presses === 0) return clicked;
    const last = now;
    now = isChecked(element);
    if (now === last) break;
  }
  if (await comesTo(() => isChecked(standsFor(element) ?? element) === wanted)) now = wanted;
  const told = `${what} is ${toldOf(now)} now; before: ${toldOf(before)}.`;
  if (now !== wanted) return { did: `It was not taken: ${told}`, isError: true };
  return {
    did: told,
    why: before === now ? 'it was so already' : SEEN_NOWHERE,
    recheck: () => {
      const is = standsFor(element);
      return is && isChecked(is) !== wanted ? `${what} is ${toldOf(isChecked(is))}` : undefined;
    },
  };
}

/** What a box tells of its state; null where it tells none. */
function saysOf(box: Element): string | null {
  if (box instanceof HTMLInputElement) return box.indeterminate ? 'mixed' : String(box.checked);
  const isEntry = /^(option|treeitem)$/.test(roleOf(box));
  return dom.attribute(box, 'aria-checked') ?? (isEntry ? dom.attribute(box, 'aria-selected') : null);
}

/** Undefined: mixed. */
function isChecked(box: Element): boolean | undefined {
  const says = saysOf(box);
  return says === 'mixed' ? undefined : says === 'true';
}

const toldOf = (checked: boolean | undefined): string =>
  checked === undefined ? 'mixed' : checked ? 'checked' : 'not checked';

export const setSlider = (element: Element, { value = 0 }: ActArgs): Promise<Checked> =>
  element instanceof HTMLInputElement && /^(range|number)$/.test(element.type)
    ? setField(element, String(value))
    : slideTo(element, value);

async function slideTo(element: Element, value: number): Promise<Checked> {
  const left = leftToUser(await pauseIn(element), element, describe(element), true);
  return left ?? slide(element, value);
}
