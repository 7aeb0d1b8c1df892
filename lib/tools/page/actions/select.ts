import * as dom from '../dom/dom.ts';
import { isSecret } from '../dom/fields/private-fields.ts';
import { standsFor } from '../dom/refs.ts';
import { roleOf } from '../dom/roles.ts';
import { choose, chosenIn, isSingle } from './choosing.ts';
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
  if (values.length !== 1 && isSingle(element)) return nothing(`${what} takes one option alone`);
  const found = await choose(element, values);
  if (typeof found === 'string')
    return element instanceof HTMLSelectElement
      ? nothing(`${what} ${found}`)
      : { did: `${what} was pressed, and ${found}.`, isError: true };
  const { is, now, before, again } = found;
  const has = (list = element): string => `${what} has ${JSON.stringify(chosenIn(list))} chosen`;
  const recheck = (): string | undefined => {
    const list = standsFor(element);
    const isKept = list === element ? again() : list && chosenIn(list) === now;
    return isKept === false ? has(list) : undefined;
  };
  if (is === undefined)
    return {
      did: `Pressed ${values.join(', ')} in ${what}, which does not say what is chosen.`,
      why: NEEDS_USER,
      recheck,
    };
  const told = `${has()} now; before: ${JSON.stringify(before)}.`;
  if (!is) return { did: `It was not taken: ${told}`, isError: true };
  return {
    did: told,
    why: now === before ? 'that was chosen already' : 'what is chosen did, which the page shows nowhere else',
    recheck,
  };
}
