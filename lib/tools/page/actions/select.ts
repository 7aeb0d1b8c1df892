import * as dom from '../dom/dom.ts';
import { isSecret } from '../dom/fields/private-fields.ts';
import { roleOf, valueOf } from '../dom/roles.ts';
import { choose } from './choosing.ts';
import { type Checked, NEEDS_USER, nothing } from './done.ts';
import { whyLocked } from './typing.ts';

/** Any other button may do anything when it is pressed. */
const isList = (element: Element): boolean =>
  /^(combobox|listbox|tree|grid|menu)$/.test(roleOf(element)) ||
  /^(true|listbox|menu|tree|grid)$/.test(dom.attribute(element, 'aria-haspopup') ?? '');

export async function chosen(element: Element, what: string, values: string[]): Promise<Checked> {
  if (isSecret(element)) return nothing(`${what} ${whyLocked(element)}`);
  if (Element.prototype.matches.call(element, ':disabled')) return nothing(`${what} is disabled`);
  if (!isList(element)) return nothing(`${what} is no list of options`);
  const before = valueOf(element) ?? '';
  const failed = await choose(element, values);
  if (failed !== undefined && element instanceof HTMLSelectElement) return nothing(`${what} ${failed}`);
  if (failed !== undefined) return { did: `${what} was pressed, and ${failed}.`, isError: true };
  // Whether it was taken back is seen by what the page shows a while later.
  if (!(element instanceof HTMLSelectElement))
    return { did: `Pressed ${values.join(', ')} in ${what}.`, why: NEEDS_USER, recheck: () => undefined };
  const isChosen = (): boolean => {
    const now = [...element.selectedOptions].map(({ label, value }) => [label.trim(), value]);
    return values.every((value) => now.some((each) => each.includes(value.trim())));
  };
  const now = valueOf(element) ?? '';
  const told = `${what} has ${JSON.stringify(now)} chosen now; before: ${JSON.stringify(before)}.`;
  if (!isChosen()) return { did: `It was not taken: ${told}`, isError: true };
  return {
    did: told,
    why: now === before ? 'that was chosen already' : 'what is chosen did, which the page shows nowhere else',
    recheck: () =>
      element.isConnected && !isChosen()
        ? `${what} has ${JSON.stringify(valueOf(element))} chosen`
        : undefined,
  };
}
