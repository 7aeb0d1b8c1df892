import * as dom from './dom.ts';
import { createLook } from './visibility/hidden.ts';
import { lasting } from './lasting.ts';
import { nameOf } from './names.ts';
import { roleOf } from './roles.ts';
import { createRows, rowOf, ROWS } from './rows.ts';
import { hasRefByRole } from './traits.ts';

/** What an element was when it was told of: its role and name, the reference of what it lay in, and its row's words. */
type Told = { role: string; label: string; within: string; row: string };
const NOTHING: Told = { role: '', label: '', within: '', row: '' };
/** `hasTwins`: others were told of that were the same. */
type Named = Told & { element: WeakRef<Element>; tag: string; key: string; hasTwins: boolean };

/**
 * What elements are called for a model: `e7`; in a frame with a name of the frame's before it. An element keeps its
 * name as long as its page is open, and hands it on to the one that the page draws in its stead.
 */
type Refs = {
  of: WeakMap<Element, string>;
  elements: Map<string, Named>;
  /** What a snapshot told of so far, by what it is. */
  telling: Map<string, Named>;
  /** The snapshot under way is for no model. */
  isCompared: boolean;
  frame: string;
  count: number;
};

/** Frames of `http:` and `data:` pages have no `randomUUID` (https://w3c.github.io/webcrypto/#Crypto-interface). */
const frameId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(4)), (byte) => (byte % 36).toString(36)).join('');

const refs = lasting<Refs>('portsideRefs', () => ({
  of: new WeakMap(),
  elements: new Map(),
  telling: new Map(),
  isCompared: false,
  frame: window === window.top ? '' : frameId(),
  count: 0,
}));

/** Before a snapshot tells of elements. @param isCompared whether it is for no model: what that knows of their rows stands */
export function startTelling(isCompared: boolean): void {
  refs.telling.clear();
  refs.isCompared = isCompared;
}

/** @param told what it is; without it the reference is for this element alone */
export function refOf(element: Element, told?: Told): string {
  const known = refs.of.get(element);
  if (!told && known !== undefined) return known;
  const ref = known ?? `${refs.frame}e${(refs.count += 1)}`;
  if (known === undefined) refs.of.set(element, ref);
  const { role, label, within, row } = told ?? NOTHING;
  const before = refs.elements.get(ref);
  const isSame =
    before?.label === label &&
    before.role === role &&
    before.within === within &&
    (refs.isCompared || before.row === row) &&
    before.element.deref() === element;
  const named = isSame
    ? before
    : {
        element: new WeakRef(element),
        tag: dom.localName(element),
        role,
        label,
        within,
        row,
        key: keyOf(told ?? NOTHING),
        hasTwins: false,
      };
  if (!isSame) refs.elements.set(ref, named);
  if (told) {
    const key = named.row === row ? named.key : keyOf(told);
    const twin = refs.telling.get(key);
    if (twin) twin.hasTwins = named.hasTwins = true;
    else refs.telling.set(key, named);
  }
  return ref;
}

/** Of an element that a snapshot has no room for, too: one that was told of may not be taken for it. */
export function noteTwin(told: Told): void {
  const twin = refs.telling.get(keyOf(told));
  if (twin) twin.hasTwins = true;
}

/** All of them are of one line. */
const keyOf = ({ role, label, within, row }: Told): string => `${role}\n${within}\n${row}\n${label}`;

/** Undefined when it is of another document, not in this one any more, or in the row of another by now. */
export function elementOf(ref: string): Element | undefined {
  const named = refs.elements.get(ref);
  const element = named?.element.deref();
  if (!named) return undefined;
  if (element?.isConnected) return isInOthersRow(named, element) ? undefined : element;
  const successor = successorOf(named);
  if (successor) refs.elements.set(ref, { ...named, element: new WeakRef(successor) });
  return successor;
}

/** A list without keys gives its rows other words: those that told this one stand in another one then. */
const isInOthersRow = (named: Named, element: Element): boolean =>
  named.row !== '' && !named.hasTwins && rowOf(element) !== named.row && successorOf(named) !== undefined;

/** Of what others lay in: where it has no name its role and its own place tell it. */
function placeNow(within: string): Element | undefined {
  const named = refs.elements.get(within);
  const place = named?.element.deref();
  return !named || place?.isConnected ? place : successorOf(named, true);
}

/** The element, or the one that the page draws in its stead by now; undefined where none can be told for it. */
export function standsFor(element: Element): Element | undefined {
  const ref = refs.of.get(element);
  return element.isConnected ? element : ref === undefined ? undefined : elementOf(ref);
}

/** The reference of the innermost that is still there of what an element lay in; empty for the page, undefined where none had it. */
export function placeOfRef(ref: string): string | undefined {
  if (!refs.elements.has(ref)) return undefined;
  let at = refs.elements.get(ref)?.within ?? '';
  while (at !== '' && !elementOf(at)) at = refs.elements.get(at)?.within ?? '';
  return at;
}

/** The only element in the same place and row with the same role and name: pages draw parts of them anew. */
function successorOf(
  { tag, role, label, within, row, hasTwins }: Named,
  isPlace = false,
): Element | undefined {
  if ((label === '' && !isPlace) || hasTwins) return undefined;
  const place = within === '' ? dom.bodyOf(document) : placeNow(within);
  if (!place) return undefined;
  const look = createLook(document);
  const rowIn = createRows(look);
  const trees = [place, dom.shadowRoot(place)].filter((tree) => tree !== null);
  const alike = trees
    .flatMap((tree) => dom.select(tree, tag))
    .filter((each) => (roleOf(each) || 'generic') === role && nameOf(look, each, role) === label)
    .filter((each) => label === '' || rowIn(each) === row)
    .filter((each) => liesIn(place, each));
  return alike.length === 1 ? alike[0] : undefined;
}

/** Whether nothing that has a reference by its role lies between. */
function liesIn(place: Element, element: Element): boolean {
  let at = dom.elementAround(element);
  while (at && at !== place && !hasRefByRole(roleOf(at))) at = dom.elementAround(at);
  return at === place;
}

/** Characters of a row's text that are compared. */
const MOST_PLACE = 2_000;

/** What elements were, and what stood around them, when the user was asked about them. */
const places = lasting(
  'portsidePlaces',
  () => new Map<string, { element: WeakRef<Element>; around: string }>(),
);

/** Remembers what these references are, as the user is asked about them. */
export function keepPlaces(asked: string[]): void {
  for (const ref of asked) {
    const element = elementOf(ref);
    if (element) places.set(ref, { element: new WeakRef(element), around: textAround(element) });
  }
}

/** Whether another element has taken its place since, in a row, an entry or a dialog that says something else. */
export function isElsewhere(ref: string): boolean {
  const kept = places.get(ref);
  const element = elementOf(ref);
  if (!kept || !element || element === kept.element.deref()) return false;
  return textAround(element) !== kept.around;
}

function textAround(element: Element): string {
  for (let at: Element | null = element; at; at = dom.elementAround(at))
    if (Element.prototype.matches.call(at, ROWS))
      return (dom.textContent(at) ?? '').slice(0, MOST_PLACE).replaceAll(/\s+/g, ' ').trim();
  return '';
}
