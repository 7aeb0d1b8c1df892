import * as dom from './dom.ts';
import { namedBy } from './names.ts';
import { type Guard, guardOf } from './fields/private-fields.ts';
import { isNamedByContent, roleOf } from './roles.ts';
import { hasAria, hasOwnStates, hasValue, mayBeSecret, statesOf } from './fields/value-and-states.ts';
import { isRow } from './rows.ts';

/** Entries of which there may be thousands. */
export const ALIKE = /^(listitem|row|option|treeitem|menuitem|article)$/;
/** Roles that need no reference, as long as a press on them does nothing. */
const UNREFERENCED =
  /^(paragraph|listitem|row|rowgroup|cell|columnheader|rowheader|definition|term|img|blockquote|separator|caption)$/;
export const hasRefByRole = (role: string): boolean => role !== '' && !UNREFERENCED.test(role);
const INTERACTIVE =
  /^(button|link|checkbox|radio|switch|textbox|searchbox|combobox|listbox|option|slider|spinbutton|tab|menuitem\w*|treeitem)$/;

/** What the name and the attributes of an element tell, which its kind has in common. */
export type Traits = {
  role: string;
  isInteractive: boolean;
  isReferenced: boolean;
  isAriaHidden: boolean;
  isAlike: boolean;
  isRow: boolean;
  /** Whether a press on it does something; else its style may say so. */
  press: 'always' | 'unless_named' | 'by_style';
  namedBy: ReturnType<typeof namedBy>;
  isNamedByContent: boolean;
  /** Of what may hold what the user alone may type. */
  guard: Guard | undefined;
  hasValue: boolean;
  hasAria: boolean;
  /** The usual ones. */
  states: string[];
  /** Whether an element may have others: a box is checked, a part of a form is disabled. */
  isBox: boolean;
  hasOwnStates: boolean;
};

export function traitsOf(element: Element, name: string): Traits {
  const role = roleOf(element, name);
  const used = role || 'generic';
  const isBox = name === 'input' && /^(checkbox|radio)$/.test((element as HTMLInputElement).type);
  const saysMore = hasAria(element);
  return {
    role,
    isInteractive: INTERACTIVE.test(role),
    isReferenced: !UNREFERENCED.test(role) || name === 'canvas',
    isAriaHidden: dom.attribute(element, 'aria-hidden') === 'true',
    isAlike: ALIKE.test(role),
    isRow: isRow(element),
    press: pressOf(element, name),
    namedBy: namedBy(element, used, name),
    isNamedByContent: isNamedByContent(used),
    guard: mayBeSecret(element, name) ? guardOf(element, name) : undefined,
    hasValue: !isBox && hasValue(element, name),
    hasAria: saysMore,
    states: statesOf(element, role, name, { saysMore, isPrivate: false, isUnusual: false }),
    isBox,
    hasOwnStates: hasOwnStates(name),
  };
}

function pressOf(element: Element, name: string): Traits['press'] {
  if (name !== 'a' && !dom.hasAttributes(element)) return 'by_style';
  const tabindex = dom.attribute(element, 'tabindex');
  // A widget with a tag of its own may keep its role to itself (ElementInternals), and what of it has the focus moves.
  const isWidget = tabindex !== null && name.includes('-');
  const onPress = dom.attribute(element, 'onclick') ?? dom.attribute(element, 'ondblclick');
  if (onPress !== null || tabindex === '0' || isWidget) return 'always';
  if (dom.attribute(element, 'draggable') === 'true') return 'always';
  // Neither a link nor the target of one: what is done at a press a script says.
  const isScripted = name === 'a' && Element.prototype.matches.call(element, ':not([href], [name], [id])');
  return isScripted ? 'unless_named' : 'by_style';
}
