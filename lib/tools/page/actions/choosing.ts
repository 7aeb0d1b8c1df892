import * as dom from '../dom/dom.ts';
import { dispatchInput } from '../dom/fields/field.ts';
import { createLook } from '../dom/visibility/hidden.ts';
import { oneLine } from '../dom/inner-words.ts';
import { nameOf } from '../dom/names.ts';
import { roleOf } from '../dom/roles.ts';
import { aimAt, focusOn, nextFrame, press } from './pointer.ts';
import { nextTask, pause } from './stopping.ts';
import { dispatchChange } from './typing.ts';

/** Options that are named where the wanted one is not there. */
const MOST_NAMED = 30;
/** A list that is opened is looked at so often, a while apart. */
const LOOKS = 10;
const LOOK_MS = 50;

const nameIn = (option: Element): string => nameOf(createLook(option.ownerDocument), option, 'option');

/** Chooses options of a list, a native one or one of the page's making. @returns why it could not; undefined: it is done */
export async function choose(list: Element, values: string[]): Promise<string | undefined> {
  if (list instanceof HTMLSelectElement) return chooseNative(list, values);
  const isMultiple = isMultipleList(list);
  if (isMultiple) {
    const failed = await unselectOthers(list, values);
    if (failed !== undefined) return failed;
  }
  for (const value of values) {
    if (isMultiple && optionsOf(list).some((each) => nameIn(each) === oneLine(value) && isSelected(each)))
      continue;
    // Some lists close once an option was chosen.
    const isOpen = optionsOf(list).length > 0 && dom.attribute(list, 'aria-expanded') !== 'false';
    const others = isOpen ? new Set<Element>() : new Set(optionsIn(list.ownerDocument));
    const point = isOpen ? undefined : aimAt(list);
    if (point && 'cover' in point) return 'is covered, and can’t be opened';
    if (point) await press(list, point, LEFT, () => undefined);
    const option = await optionOf(list, value, others);
    if (!option) return missing(value, openedBy(list, others).map(nameIn));
    const at = aimAt(option);
    if ('cover' in at) return `has an option ${JSON.stringify(value)} that is covered`;
    await press(option, at, LEFT, () => undefined);
  }
  if (!isMultiple) return undefined;
  await nextFrame();
  const wanted = new Set(values.map(oneLine));
  const wrong = optionsOf(list).filter((each) => isSelected(each) !== wanted.has(nameIn(each)));
  return wrong.length > 0 ? `has not what was wanted: ${wrong.map(saysSelected).join(', ')}` : undefined;
}

const isSelected = (option: Element): boolean =>
  [dom.attribute(option, 'aria-selected'), dom.attribute(option, 'aria-checked')].includes('true');

const saysSelected = (option: Element): string =>
  `${JSON.stringify(nameIn(option))} is ${isSelected(option) ? '' : 'not '}selected`;

/** Whether it is a list that stands there by itself and says what of it is selected; in others that may be where the keys are. */
const isMultipleList = (list: Element): boolean =>
  roleOf(list) === 'listbox' &&
  dom.attribute(list, 'aria-multiselectable') === 'true' &&
  optionsOf(list).some(
    (option) => dom.attribute(option, 'aria-selected') ?? dom.attribute(option, 'aria-checked'),
  );

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
  const wanted = values.map((value) =>
    options.find((option) => [oneLine(option.label), option.value].includes(oneLine(value))),
  );
  const at = wanted.indexOf(undefined);
  if (at !== -1)
    return missing(
      values[at] ?? '',
      options.map(({ label }) => oneLine(label)),
    );
  if (wanted.length !== 1 && !list.multiple) return 'takes one option alone';
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
    (each) => Element.prototype.checkVisibility.call(each, { visibilityProperty: true }),
  );
}

/** Once it is there: some lists are loaded when they open. */
async function optionOf(list: Element, value: string, before: Set<Element>): Promise<Element | undefined> {
  for (let look = 0; look < LOOKS; look += 1) {
    await nextTask();
    const found = openedBy(list, before).find((option) => nameIn(option) === oneLine(value));
    if (found) return found;
    await pause(LOOK_MS);
  }
  return undefined;
}

const missing = (value: string, there: string[]): string =>
  `has no option ${JSON.stringify(value)}; there are: ${there
    .slice(0, MOST_NAMED)
    .map((name) => JSON.stringify(name))
    .join(', ')}${there.length > MOST_NAMED ? `, and ${there.length - MOST_NAMED} more` : ''}`;
