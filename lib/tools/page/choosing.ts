import * as dom from './dom.ts';
import { dispatchInput } from './field.ts';
import { oneLine } from './inner-words.ts';
import { aimAt, focusOn, nextTask, press } from './pointer.ts';
import { dispatchChange } from './typing.ts';

/** Options that are named where the wanted one is not there. */
const MOST_NAMED = 30;
/** A list that is opened is looked at so often, a while apart. */
const LOOKS = 10;
const LOOK_MS = 50;

const nameIn = (option: Element): string =>
  oneLine(dom.attribute(option, 'aria-label') ?? dom.textContent(option) ?? '');

/** Chooses options of a list, a native one or one of the page's making. @returns why it could not; undefined: it is done */
export async function choose(list: Element, values: string[]): Promise<string | undefined> {
  if (list instanceof HTMLSelectElement) return chooseNative(list, values);
  const isOpen = optionsOf(list).length > 0;
  const point = isOpen ? undefined : aimAt(list);
  if (point && 'cover' in point) return 'is covered, and can’t be opened';
  if (point) await press(list, point, LEFT, () => undefined);
  for (const value of values) {
    const option = await optionOf(list, value);
    if (!option) return missing(value, optionsOf(list).map(nameIn));
    const at = aimAt(option);
    if ('cover' in at) return `has an option ${JSON.stringify(value)} that is covered`;
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
  const locked = wanted.find((option) => option?.disabled);
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
  const { ownerDocument: document } = list;
  const owned = ids
    .split(/\s+/)
    .flatMap((id) => (id === '' ? [] : (Document.prototype.getElementById.call(document, id) ?? [])));
  const found = [list, ...owned].flatMap((each) => dom.select(each, '[role="option"]'));
  return found.filter((each) => Element.prototype.checkVisibility.call(each, { visibilityProperty: true }));
}

/** Once it is there: some lists are loaded when they open. */
async function optionOf(list: Element, value: string): Promise<Element | undefined> {
  for (let look = 0; look < LOOKS; look += 1) {
    await nextTask();
    const found = optionsOf(list).find((option) => nameIn(option) === oneLine(value));
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return undefined;
}

const missing = (value: string, there: string[]): string =>
  `has no option ${JSON.stringify(value)}; there are: ${there
    .slice(0, MOST_NAMED)
    .map((name) => JSON.stringify(name))
    .join(', ')}${there.length > MOST_NAMED ? `, and ${there.length - MOST_NAMED} more` : ''}`;
