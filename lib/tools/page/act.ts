import { type ActArgs, refsIn } from './act-args.ts';
import { choose } from './choosing.ts';
import * as dom from './dom.ts';
import { drag, dropFiles } from './dragging.ts';
import { editContextOf } from './edit-context.ts';
import { dispatchInput } from './field.ts';
import { isSecret } from './fields.ts';
import { isReadable } from './frame-readings.ts';
import { originOfFrame } from './frames.ts';
import { describe, describeRefs, isMarked } from './marks.ts';
import { aimAt, elementAt, focusOn, hover, nextTask, type Point, pointOn, press } from './pointer.ts';
import { elementOf } from './refs.ts';
import { roleOf, valueOf } from './roles.ts';
import { outline } from './sight.ts';
import { isTaken } from './typed-text.ts';
import {
  dispatchChange,
  pressKey,
  setValue,
  type Field,
  textOf,
  typedInto,
  typeInto,
  whyLocked,
} from './typing.ts';
import { pauseIn } from './user-typing.ts';
import {
  fileInputBehind,
  fileInputNear,
  fileInputOf,
  filesTold,
  setFiles,
  transferOf,
  whyNotTaken,
} from './uploading.ts';

/**
 * What was done, as far as the script in the page can tell. `why`: the likely reason, should nothing come of it; `isUndone`:
 * nothing was sent to the page.
 */
export type Done = { did: string; isError?: true; isUndone?: true; why?: string };

const NEEDS_USER =
  'the page may need more time, or may take only what the user does by hand (isTrusted): then use ask_user';

/** Each does it to an element; without one to what has the focus, or to the page. */
const actions = {
  click,
  drag: dragOnto,
  fill_form: fillForm,
  hover: pointAt,
  press_key: pressKeyOn,
  scroll,
  select_option: selectOption,
  set_checked: check,
  set_slider: slide,
  type_text: typeText,
  upload_file: upload,
};

export type ActionName = keyof typeof actions;

/**
 * Does something in this document, which was marked before: another one, that came since, is not touched.
 * @param judged what the elements were when the user, or a permission of theirs, allowed it, by their references; null where the
 * user names them
 * @param origins of the frames that may be touched
 * @returns null where it is not of this document
 */
export async function act(
  id: string,
  name: ActionName,
  args: ActArgs,
  judged: Record<string, string> | null,
  origins: string[],
): Promise<Done | null> {
  if (!isMarked(id) || !isReadable(originOfFrame(), origins)) return null;
  const refs = refsIn(args);
  const [ref] = refs;
  const element = ref === undefined ? undefined : elementOf(ref);
  if (ref !== undefined && !element) return null;
  const unknown = refs.find((each) => judged && !(each in judged));
  if (unknown !== undefined)
    return nothing(`what ${unknown} is was not known when it was allowed: try again`);
  const now = describeRefs(Object.keys(judged ?? {}));
  const changed = Object.entries(judged ?? {}).find(([each, before]) => now[each] !== before);
  if (changed)
    return nothing(
      `${changed[0]} was ${changed[1]} when it was allowed, and is ${now[changed[0]] ?? 'gone'} now`,
    );
  const target = element ?? dom.focused(document) ?? dom.bodyOf(document);
  if (target !== dom.bodyOf(document)) outline(target);
  try {
    const refusing = watchInvalid();
    const done = await actions[name](target, args, ref !== undefined);
    const [field] = refusing();
    const isSent = name === 'click' || args.submit === true || args.key === 'Enter';
    return field && isSent ? { ...done, did: `${done.did} ${notSent(field)}`, isError: true } : done;
  } catch (error) {
    return brokeOff(describe(target), error);
  }
}

/** Fields for which a form is not sent (https://html.spec.whatwg.org/#interactively-validate-the-constraints). @returns their end */
function watchInvalid(): () => Field[] {
  const fields: Field[] = [];
  const note = ({ target }: Event): void => void fields.push(target as Field);
  addEventListener('invalid', note, true);
  return () => {
    removeEventListener('invalid', note, true);
    return fields;
  };
}

const notSent = (field: Field): string =>
  `The form was not sent: ${describe(field)} is not valid. ${'validationMessage' in field ? String(field.validationMessage) : ''}`;

/** Browsers keep errors in a page to themselves, and events may have been sent before. */
const brokeOff = (what: string, error: unknown): Done => ({
  did: `It broke off at ${what}, and may have been done in part: ${String(error)}`,
  isError: true,
});

const nothing = (why: string): Done => ({ did: `Nothing was done: ${why}.`, isError: true, isUndone: true });

/** Why no press may go to an element, or the point of it that is free. */
function freePoint(element: Element): Point | Done {
  if (Element.prototype.matches.call(element, ':disabled'))
    return nothing(`${describe(element)} is disabled`);
  const point = aimAt(element);
  if (!('cover' in point)) return point;
  const { cover } = point;
  if (!cover) return nothing(`${describe(element)} has no place on the page that can be pressed`);
  return nothing(`${describe(element)} is covered by ${describe(nearNamed(cover))}`);
}

/** What an element is, or lies in, that has a role. */
function nearNamed(element: Element): Element {
  for (let at: Element | null = element; at; at = dom.elementAround(at))
    if (roleOf(at) !== '' && !/^(paragraph|listitem)$/.test(roleOf(at))) return at;
  return element;
}

async function click(
  element: Element,
  { button = 'left', count = 1, modifiers = [] }: ActArgs,
): Promise<Done> {
  const what = describe(element);
  if (element instanceof HTMLInputElement && /^(file|color)$/.test(element.type))
    return nothing(
      `${what} opens a picker of the browser’s, which only the user’s own press does: use ask_user`,
    );
  if (element instanceof HTMLSelectElement && element.size < 2 && !element.multiple)
    return nothing(`the list of ${what} is the browser’s own: use select_option`);
  const opens = newTabOf(element);
  if (opens !== undefined) return nothing(`${what} opens a new tab: use open_tab with ${opens}`);
  const point = freePoint(element);
  if ('did' in point) return point;
  const renewed = ({ x, y }: Point): Element | undefined => {
    const there = elementAt(document, { x, y });
    for (let at = there; at; at = dom.elementAround(at)) if (describe(at) === what) return at;
    return undefined;
  };
  const pressed = await press(element, point, { button, count, modifiers }, renewed);
  if (!pressed)
    return { did: `The page took ${what} away while it was pressed: it got no click.`, isError: true };
  const isOff = dom.attribute(element, 'aria-disabled') === 'true';
  return { did: `Clicked ${what}.`, why: isOff ? 'the page calls it disabled' : NEEDS_USER };
}

/** The address that a link opens in a new tab: browsers let only the user's own press do that. */
function newTabOf(element: Element): string | undefined {
  const link = Element.prototype.closest.call(element, 'a[href][target]') as HTMLAnchorElement | null;
  return link && /^_blank$/i.test(link.target) ? link.href : undefined;
}

function pointAt(element: Element): Done {
  const point = freePoint(element);
  if ('did' in point) return point;
  hover(element, point);
  return {
    did: `Moved onto ${describe(element)}.`,
    why: 'what only a style shows (:hover), no script can bring about',
  };
}

async function typeText(element: Element, args: ActArgs): Promise<Done> {
  const { text = '', clear = false, submit = false } = args;
  const field = typedInto(element);
  const what = describe(element);
  if (!field) return nothing(`${what} takes no text`);
  const told = await typed(field, what, text, clear);
  if (!submit || told.isError) return told;
  await pressKey(field, 'Enter');
  return { did: `${told.did} Pressed Enter in it.`, why: NEEDS_USER };
}

/** Nothing that the user types there meanwhile is overwritten. */
async function typed(field: Field, what: string, text: string, clear: boolean): Promise<Done> {
  const locked = whyLocked(field);
  if (locked !== undefined) return nothing(`${what} ${locked}`);
  const user = await pauseIn(field);
  const left = leftToUser(user, field, what, clear && textOf(field) !== '');
  if (left) return left;
  const before = textOf(field);
  if (await typeInto(field, text, clear)) {
    const told = editContextOf(field)
      ? typedUnseen(what)
      : holds(what, field, clear ? text : before + text, before);
    return user === 'none' ? told : { ...told, did: `The user typed there until just before. ${told.did}` };
  }
  await pauseIn(field);
  const now = JSON.stringify(textOf(field).slice(0, 300));
  return {
    did: `The user typed in ${what} meanwhile: it was stopped there, which holds ${now} now.`,
    isError: true,
  };
}

/** Why a field is left as the user has it, who types there or just did. */
function leftToUser(
  user: Awaited<ReturnType<typeof pauseIn>>,
  field: Element,
  what: string,
  overwrites: boolean,
): Done | undefined {
  if (user === 'typing') return nothing(`the user is typing in ${what}`);
  if (user === 'none' || !overwrites) return undefined;
  const now = JSON.stringify((valueOf(field) ?? field.textContent).slice(0, 300));
  return nothing(`the user has just typed in ${what}, which holds ${now} now and was left as they have it`);
}

/** What such an editor holds, it keeps to itself; what it draws is compared. */
const typedUnseen = (what: string): Done => ({ did: `Typed into ${what}.`, why: NEEDS_USER });

/** What a field holds now, and whether it is what was typed. */
function holds(what: string, field: HTMLElement, wanted: string, before: string): Done {
  if (!field.isConnected) return { did: `The page took ${what} away while it was filled.`, isError: true };
  const now = textOf(field);
  const told = `${what} holds ${JSON.stringify(now.slice(0, 300))} now; before: ${JSON.stringify(before.slice(0, 100))}.`;
  return isTaken(now, wanted)
    ? { did: told, why: 'it held that already' }
    : { did: `It was not taken as typed: ${told}`, isError: true };
}

async function fillForm(_first: Element, { fields = [] }: ActArgs): Promise<Done> {
  const found = fields.map(({ ref, value }) => ({ ref, value, element: controlOf(elementOf(ref)) }));
  // Before anything is filled: a form that is half full is no use.
  for (const { ref, element } of found) {
    if (!element)
      return nothing(
        `${ref} is not on the page any more, or in another frame than the first field: take a new snapshot`,
      );
    const locked = whyLocked(element);
    if (locked !== undefined) return nothing(`${describe(element)} ${locked}`);
  }
  const done: Done[] = [];
  for (const { element, value } of found)
    if (element)
      done.push(await setField(element, value).catch((error: unknown) => brokeOff(describe(element), error)));
  return {
    did: done.map(({ did }) => did).join('\n'),
    ...(done.some(({ isError }) => isError) && { isError: true }),
    why: 'the fields held that already',
  };
}

const controlOf = (element: Element | undefined): Element | undefined =>
  (element instanceof HTMLLabelElement && element.control) || element;

/** Types whose value is set at once, in a form of its own. */
const SET = /^(date|time|datetime-local|month|week|color|range)$/;

async function setField(element: Element, value: string): Promise<Done> {
  outline(element);
  const what = describe(element);
  const role = roleOf(element);
  if (/^(checkbox|radio|switch)$/.test(role))
    return setChecked(element, what, /^(true|on|yes|checked|1)$/i.test(value));
  if (role === 'slider' && !(element instanceof HTMLInputElement))
    return slide(element, { value: Number(value) });
  if (element instanceof HTMLSelectElement || role === 'listbox') return chosen(element, what, [value]);
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
    // The browser writes colours in small letters.
    return holds(what, element, element.type === 'color' ? value.toLowerCase() : value, before);
  }
  const field = typedInto(element);
  if (!field) return role === 'combobox' ? chosen(element, what, [value]) : nothing(`${what} takes no text`);
  return typed(field, what, value, true);
}

function check(element: Element, { checked = true }: ActArgs): Promise<Done> {
  return setChecked(controlOf(element) ?? element, describe(element), checked);
}

async function setChecked(element: Element, what: string, wanted: boolean): Promise<Done> {
  if (!/^(checkbox|radio|switch|menuitemcheckbox|menuitemradio|option|treeitem)$/.test(roleOf(element)))
    return nothing(`${what} can’t be checked`);
  const isChecked = (): boolean =>
    element instanceof HTMLInputElement ? element.checked : dom.attribute(element, 'aria-checked') === 'true';
  const before = isChecked();
  if (before !== wanted) {
    const [label] = ('labels' in element && (element as HTMLInputElement).labels) || [];
    const clicked = await click('cover' in aimAt(element) ? (label ?? element) : element, {});
    if (clicked.isError) return clicked;
  }
  const now = isChecked();
  const told = `${what} is ${now ? 'checked' : 'not checked'} now; before: ${before ? 'checked' : 'not'}.`;
  return now === wanted ? { did: told } : { did: `It was not taken: ${told}`, isError: true };
}

/** Steps by the keyboard, after which a slider stays where it is. */
const MOST_STEPS = 1_000;

async function slide(element: Element, { value = 0 }: ActArgs): Promise<Done> {
  const what = describe(element);
  if (element instanceof HTMLInputElement && /^(range|number)$/.test(element.type))
    return setField(element, String(value));
  const isSlider = /^(slider|spinbutton|scrollbar|separator)$/.test(roleOf(element));
  const number = (name: string): number => Number(dom.attribute(element, `aria-${name}`) ?? NaN);
  const before = number('valuenow');
  if (!isSlider || Number.isNaN(before)) return nothing(`${what} is no slider that tells its value`);
  await stepTo(element, value, () => number('valuenow'));
  if (number('valuenow') === before && value !== before) {
    const track = Element.prototype.getBoundingClientRect.call(dom.elementAround(element) ?? element);
    const start = aimAt(element);
    const part = (value - number('valuemin')) / (number('valuemax') - number('valuemin'));
    if (!('cover' in start) && part >= 0 && part <= 1) {
      const isUpright = dom.attribute(element, 'aria-orientation') === 'vertical';
      const end = isUpright
        ? { x: start.x, y: track.bottom - track.height * part }
        : { x: track.left + track.width * part, y: start.y };
      await drag(element, start, end);
    }
  }
  const told = `${what} is at ${number('valuenow')} now; before: ${before}.`;
  return number('valuenow') === value
    ? { did: told, why: 'it was there already' }
    : { did: `It was not taken: ${told}`, isError: true };
}

/** By the keys of a slider (https://www.w3.org/WAI/ARIA/apg/patterns/slider/), as long as it comes nearer. */
async function stepTo(element: Element, wanted: number, now: () => number): Promise<void> {
  focusOn(element);
  for (let step = 0; step < MOST_STEPS && now() !== wanted; step += 1) {
    const distance = Math.abs(wanted - now());
    await pressKey(element, wanted > now() ? 'ArrowRight' : 'ArrowLeft');
    for (let look = 0; look < 3 && Math.abs(wanted - now()) === distance; look += 1) await nextTask();
    if (Math.abs(wanted - now()) >= distance) return;
  }
}

async function dragOnto(element: Element, { to = '' }: ActArgs): Promise<Done> {
  const onto = elementOf(to);
  const what = describe(element);
  if (!onto) return nothing(`${to} is not on the page any more, or in another frame: take a new snapshot`);
  const end = aimAt(onto);
  const start = freePoint(element);
  if ('did' in start) return start;
  // Looking for the one may have scrolled the other away.
  const after = 'cover' in end ? end : pointOn(onto);
  if ('cover' in after)
    return nothing(
      `${describe(onto)} can’t be seen together with ${what}, or is covered: scroll, and try again`,
    );
  const isDropped = await drag(element, start, after);
  const told = `Dragged ${what} onto ${describe(onto)}.`;
  return isDropped === false
    ? { did: `${told} Nothing there takes it.`, isError: true }
    : { did: told, why: NEEDS_USER };
}

function selectOption(element: Element, { values = [] }: ActArgs): Promise<Done> {
  return chosen(controlOf(element) ?? element, describe(element), values);
}

/** Any other button may do anything when it is pressed. */
const isList = (element: Element): boolean =>
  /^(combobox|listbox|tree|grid|menu)$/.test(roleOf(element)) ||
  /^(true|listbox|menu|tree|grid)$/.test(dom.attribute(element, 'aria-haspopup') ?? '');

async function chosen(element: Element, what: string, values: string[]): Promise<Done> {
  if (Element.prototype.matches.call(element, ':disabled')) return nothing(`${what} is disabled`);
  if (!isList(element)) return nothing(`${what} is no list of options`);
  const before = valueOf(element) ?? '';
  const failed = await choose(element, values);
  if (failed !== undefined && element instanceof HTMLSelectElement) return nothing(`${what} ${failed}`);
  if (failed !== undefined) return { did: `${what} was pressed, and ${failed}.`, isError: true };
  if (!(element instanceof HTMLSelectElement))
    return { did: `Pressed ${values.join(', ')} in ${what}.`, why: NEEDS_USER };
  const now = [...element.selectedOptions].map(({ label, value }) => [label.trim(), value]);
  const isChosen = values.every((value) => now.some((each) => each.includes(value.trim())));
  const told = `${what} has ${JSON.stringify(valueOf(element))} chosen now; before: ${JSON.stringify(before)}.`;
  return isChosen
    ? { did: told, why: 'that was chosen already' }
    : { did: `It was not taken: ${told}`, isError: true };
}

const TAKES_NO_FILES =
  'it may take other files, or only what the user chooses (isTrusted): then ask them to do it';

async function upload(element: Element, { files = [] }: ActArgs): Promise<Done> {
  const transfer = transferOf(files);
  const direct = fileInputOf(element);
  if (direct) return given(element, direct, transfer);
  const point = freePoint(element);
  if ('did' in point) return point;
  const what = describe(element);
  if (roleOf(element) === 'button') {
    const isPressed = !isSubmitter(element);
    const input = isPressed ? await fileInputBehind(element, point) : undefined;
    const found = input ?? fileInputNear(element);
    if (found) {
      const done = await given(element, found, transfer);
      return isPressed ? pressed(done, what) : done;
    }
    return { did: `${what} opens no file input of the page’s, and takes no files.`, isError: true };
  }
  if (dropFiles(elementAt(document, point) ?? element, point, transfer))
    return { did: `Dropped ${filesTold(transfer.files)} onto ${what}.`, why: TAKES_NO_FILES };
  const near = fileInputNear(element);
  if (near) return given(element, near, transfer);
  return {
    did: `${what} takes no files: it has no file input, and nothing there took the drop.`,
    isError: true,
  };
}

/** Its button was pressed, whatever came of it. */
const pressed = ({ isUndone: _none, did, ...done }: Done, what: string): Done => ({
  ...done,
  did: `Pressed ${what}. ${did}`,
});

/** A press on it may send its form. */
const isSubmitter = (element: Element): boolean =>
  (element instanceof HTMLButtonElement || element instanceof HTMLInputElement) &&
  /^(submit|image)$/.test(element.type) &&
  element.form !== null;

async function given(named: Element, input: HTMLInputElement, transfer: DataTransfer): Promise<Done> {
  const what = named === input ? describe(input) : `the file input of ${describe(named)}`;
  const whyNot = whyNotTaken(input, [...transfer.files]);
  if (whyNot !== undefined) return nothing(`${what} ${whyNot}`);
  const before = filesTold(input.files) || 'none';
  // A list that is shared with the input: what the page takes out of that is gone here, too.
  const wanted = filesTold(transfer.files);
  const { got, now } = await setFiles(input, transfer);
  const told = `Files in ${what} now: ${now || 'none'}; before: ${before}.`;
  if (got !== wanted) return { did: `It was not taken: ${told}`, isError: true };
  if (now === got) return { did: told, why: TAKES_NO_FILES };
  return {
    did: `It was given ${got}, and the page took that out at once, to keep it or not to: look. ${told}`,
  };
}

/** Keys that change what a field holds. */
const EDITS = /^(.|Backspace|Delete)$/u;

async function pressKeyOn(element: Element, { key = '' }: ActArgs, isNamed: boolean): Promise<Done> {
  const what = describe(element);
  if (isSecret(element) && EDITS.test(key.split('+').pop() || key))
    return nothing(`${what} ${whyLocked(element)}`);
  if (Element.prototype.matches.call(element, ':disabled')) return nothing(`${what} is disabled`);
  const left = leftToUser(await pauseIn(element), element, what, /^(Backspace|Delete)$/.test(key));
  if (left) return left;
  if (isNamed) focusOn(element);
  await pressKey(element, key);
  return {
    did: `Pressed ${key} on ${element === dom.bodyOf(document) ? 'the page' : what}.`,
    why: NEEDS_USER,
  };
}

function scroll(element: Element, { direction, amount }: ActArgs, isNamed: boolean): Done {
  if (isNamed && !direction) {
    Element.prototype.scrollIntoView.call(element, { block: 'center', behavior: 'instant' });
    return { did: `Scrolled to ${describe(element)}.`, why: 'the snapshot has what is off screen, too' };
  }
  const root = document.scrollingElement ?? document.documentElement;
  const box = (isNamed && scrollerOf(element)) || root;
  const isAcross = direction === 'left' || direction === 'right';
  const page = (isAcross ? box.clientWidth : box.clientHeight) * 0.8;
  const way = (amount ?? page) * (direction === 'up' || direction === 'left' ? -1 : 1);
  const placeOf = (): number => Math.round(isAcross ? box.scrollLeft : box.scrollTop);
  const before = placeOf();
  box.scrollBy({ [isAcross ? 'left' : 'top']: way, behavior: 'instant' });
  const most = isAcross ? box.scrollWidth - box.clientWidth : box.scrollHeight - box.clientHeight;
  const told = `Scrolled from ${before} to ${placeOf()} of ${most} pixels.`;
  return placeOf() === before
    ? { did: `It did not scroll: it is at ${before} of ${most} pixels.`, isError: true }
    : { did: told, why: 'the snapshot has what is off screen, too' };
}

function scrollerOf(element: Element): Element | undefined {
  for (let at: Element | null = element; at; at = dom.elementAround(at)) {
    const { overflowX, overflowY } = getComputedStyle(at);
    const isScroller = /auto|scroll/.test(overflowX + overflowY);
    if (isScroller && (at.scrollHeight > at.clientHeight || at.scrollWidth > at.clientWidth)) return at;
  }
  return undefined;
}
