import * as dom from '../dom/dom.ts';
import { dispatchInput } from '../dom/fields/field.ts';
import { createLook } from '../dom/visibility/hidden.ts';
import { oneLine } from '../dom/inner-words.ts';
import { nameOf } from '../dom/names.ts';
import { roleOf } from '../dom/roles.ts';
import { optionNamesOf, valueOf } from '../dom/fields/value-and-states.ts';
import { aimAt } from './aim.ts';
import { focusOn } from './focus.ts';
import { press } from './press.ts';
import { comesTo, nextTask, pause } from './stopping.ts';
import { dispatchChange } from './typing.ts';

/** Options that are named where the wanted one is not there. */
const MOST_NAMED = 30;
/** A list that is opened is looked at so often, a while apart. */
const LOOKS = 10;
const LOOK_MS = 50;

const nameIn = (option: Element): string => nameOf(createLook(option.ownerDocument), option, 'option');

/** What a list says of what was to be chosen: `is` undefined where it says neither. */
export type Chosen = {
  is: boolean | undefined;
  now: string;
  before: string;
  again: () => boolean | undefined;
};

/** Chooses options of a list, a native one or one of the page's making. @returns why it could not; or what the list has then */
export async function choose(list: Element, values: string[]): Promise<string | Chosen> {
  const before = chosenIn(list);
  if (list instanceof HTMLSelectElement) {
    const failed = chooseNative(list, values);
    if (failed !== undefined) return failed;
    return told(list, before, () => hasNative(list, values));
  }
  const isMultiple = isMultipleList(list);
  if (isMultiple) {
    const failed = await unselectOthers(list, values);
    if (failed !== undefined) return failed;
  }
  const names = new Set<string>();
  let last: Element | undefined;
  for (const value of values) {
    if (isMultiple && optionsOf(list).some((each) => nameIn(each) === oneLine(value) && isSelected(each)))
      continue;
    // Some lists close once an option was chosen.
    const isOpen = optionsOf(list).length > 0 && !isClosed(list);
    const others = isOpen ? new Set<Element>() : new Set(optionsIn(list.ownerDocument));
    const point = isOpen ? undefined : aimAt(list);
    if (point && 'cover' in point) return 'is covered, and can’t be opened';
    if (point) await press(list, point, LEFT, () => undefined);
    last = await optionOf(list, value, others);
    for (const each of openedBy(list, others)) names.add(nameIn(each));
    if (!last) return missing(value, [...names]);
    // One of several that is chosen would be let go.
    if (isSelected(last) && isOfSeveral(last)) continue;
    const at = aimAt(last);
    if ('cover' in at) return `has an option ${JSON.stringify(value)} that is covered`;
    await press(last, at, LEFT, () => undefined);
  }
  const wanted = values.map(oneLine);
  const says = (): boolean | undefined =>
    roleOf(list) === 'listbox' ? areSelected(list, wanted, isMultiple) : isShown(list, wanted, names);
  // It has done nothing where its list is open as before, and nothing in it is chosen.
  const isLeft = (): boolean =>
    last !== undefined &&
    dom.attribute(list, 'aria-expanded') === 'true' &&
    chosenIn(list) === before &&
    dom.isDrawn(last) &&
    !isSelected(last);
  for (let look = 0; look < LOOKS && (says() === false || (says() === undefined && isLeft())); look += 1)
    await pause(LOOK_MS);
  return told(list, before, () => says() ?? (isLeft() ? false : undefined));
}

/** What a list is told to have now, and later: what was chosen, and is not any more, was taken back. */
function told(list: Element, before: string, says: () => boolean | undefined): Chosen {
  const is = says();
  const now = chosenIn(list);
  const isBack = (): boolean => is === true && now !== before && before !== '' && chosenIn(list) === before;
  return { is, now, before, again: () => (isBack() ? false : says()) };
}

/** What a list has chosen, as it shows it; empty where it shows nothing, or all that there is. */
export function chosenIn(list: Element): string {
  const held = valueOf(list);
  if (held !== undefined) return oneLine(held);
  if (roleOf(list) === 'listbox') return optionsOf(list).filter(isSelected).map(nameIn).join(', ');
  return dom.selectDeep(list, '[role="option"]', Infinity).length > 0
    ? ''
    : oneLine(dom.textContent(list) ?? '');
}

const hasNative = (list: HTMLSelectElement, values: string[]): boolean =>
  values.every((value) => calledSo(list, value).some(({ selected }) => selected));

/** Options of a native list that a value may mean: by their name, their label, or else by their value. */
function calledSo(list: HTMLSelectElement, value: string): HTMLOptionElement[] {
  const wanted = oneLine(value);
  const nameOfOption = optionNamesOf(list);
  const options = [...list.options];
  const called = options.filter((each) => nameOfOption(each) === wanted || oneLine(each.label) === wanted);
  return called.length > 0 ? called : options.filter((each) => each.value === wanted);
}

/** Whether what was wanted of a list that says what of it is selected is, in one of several that alone. */
function areSelected(list: Element, wanted: string[], isMultiple: boolean): boolean | undefined {
  const options = optionsOf(list);
  const there = new Set(options.map(nameIn));
  if (!options.some(saysWhether) || !wanted.every((each) => there.has(each))) return undefined;
  const isWanted = (option: Element): boolean => wanted.includes(nameIn(option));
  return options.every((each) => (!isMultiple && !isWanted(each)) || isSelected(each) === isWanted(each));
}

/** Whether a field shows what was wanted, and not another of its options. */
function isShown(list: Element, wanted: string[], names: Set<string>): boolean | undefined {
  const held = chosenIn(list);
  if (wanted.length === 1 && held === wanted[0]) return true;
  if (held === '') return undefined;
  if (names.has(held)) return false;
  // "Pear tree" is no "Pear".
  const parts = dom.select(list, '*').map((each) => dom.textContent(each) ?? '');
  const entries = new Set([...held.split(/[,;|×✕]/), ...parts].map(oneLine));
  return wanted.every((each) => entries.has(each)) || undefined;
}

const isClosed = (list: Element): boolean => dom.attribute(list, 'aria-expanded') === 'false';

const isSelected = (option: Element): boolean =>
  [dom.attribute(option, 'aria-selected'), dom.attribute(option, 'aria-checked')].includes('true');

const saysWhether = (option: Element): boolean =>
  (dom.attribute(option, 'aria-selected') ?? dom.attribute(option, 'aria-checked')) !== null;

const isOfSeveral = (option: Element): boolean =>
  Element.prototype.closest.call(option, '[aria-multiselectable="true"]') !== null;

/** Whether it is a list that stands there by itself and says what of it is selected; in others that may be where the keys are. */
const isMultipleList = (list: Element): boolean =>
  roleOf(list) === 'listbox' &&
  dom.attribute(list, 'aria-multiselectable') === 'true' &&
  optionsOf(list).some(saysWhether);

/** Whether a list takes no more than one option, as far as it says. */
export const isSingle = (list: Element): boolean =>
  list instanceof HTMLSelectElement
    ? !list.multiple
    : roleOf(list) === 'listbox' && dom.attribute(list, 'aria-multiselectable') !== 'true';

/** As in a native list, what is chosen takes the place of what was. */
async function unselectOthers(list: Element, values: string[]): Promise<string | undefined> {
  const wanted = values.map(oneLine);
  const names = optionsOf(list).map(nameIn);
  const absent = wanted.find((value) => !names.includes(value));
  if (absent !== undefined) return missing(absent, names);
  for (const option of optionsOf(list)) {
    if (!isSelected(option) || wanted.includes(nameIn(option))) continue;
    const at = aimAt(option);
    if ('cover' in at) return `has an option ${JSON.stringify(nameIn(option))} that is covered`;
    await press(option, at, LEFT, () => undefined);
  }
  return undefined;
}

const LEFT = { button: 'left', count: 1 } as const;

function chooseNative(list: HTMLSelectElement, values: string[]): string | undefined {
  const options = [...list.options];
  const nameOfOption = optionNamesOf(list);
  const meant = values.map((value) => calledSo(list, value));
  const at = meant.findIndex(([first]) => !first);
  if (at !== -1) return missing(values[at] ?? '', options.map(nameOfOption));
  const unclear = meant.find((all) => all.some(({ value }) => value !== all[0]?.value));
  if (unclear)
    return `has several such options: name one as ${unclear.map((each) => `${JSON.stringify(nameOfOption(each))}, or its value ${JSON.stringify(each.value)}`).join('; ')}`;
  const wanted = meant.map(([first]) => first);
  const locked = wanted.find((option) => option && Element.prototype.matches.call(option, ':disabled'));
  if (locked) return `has an option ${JSON.stringify(locked.label)} that is disabled`;
  focusOn(list);
  for (const option of options) option.selected = wanted.includes(option);
  dispatchInput(list, '');
  dispatchChange(list);
  return undefined;
}

/** Those that are seen of a list, or of the one that a field opens. */
function optionsOf(list: Element): Element[] {
  const ids = `${dom.attribute(list, 'aria-controls') ?? ''} ${dom.attribute(list, 'aria-owns') ?? ''}`;
  const owned = ids
    .split(/\s+/)
    .flatMap((id) => (id === '' ? [] : dom.select(dom.treeOf(list), `[id="${CSS.escape(id)}"]`)));
  return [...new Set([list, ...owned].flatMap(optionsIn))];
}

/** Those that came with it, where a field does not say which list is its own. */
function openedBy(list: Element, before: Set<Element>): Element[] {
  const own = optionsOf(list);
  if (own.length > 0) return own;
  return optionsIn(list.ownerDocument).filter((option) => !before.has(option));
}

/** Also those in a shadow tree, and those that are put into a slot of it. */
function optionsIn(root: Document | Element): Element[] {
  const slotted = dom.select(root, 'slot').flatMap((slot) => (slot as HTMLSlotElement).assignedElements());
  return [...dom.selectDeep(root, '[role="option"]', Infinity), ...slotted.flatMap(optionsIn)].filter(
    dom.isDrawn,
  );
}

/** Once it is there: some lists are loaded when they open. */
async function optionOf(list: Element, value: string, before: Set<Element>): Promise<Element | undefined> {
  let found: Element | undefined;
  await nextTask();
  await comesTo(() => {
    found = openedBy(list, before).find((option) => nameIn(option) === oneLine(value));
    return found !== undefined;
  });
  return found;
}

const missing = (value: string, there: string[]): string =>
  there.length === 0
    ? `shows no options: some show them once something is typed, with type_text`
    : `has no option ${JSON.stringify(value)}; there are: ${there
        .slice(0, MOST_NAMED)
        .map((name) => JSON.stringify(name))
        .join(', ')}${there.length > MOST_NAMED ? `, and ${there.length - MOST_NAMED} more` : ''}`;
