import * as dom from './dom.ts';
import { leavingForm, notePageless, pressedFor } from './effects.ts';
import { frameName, framesOf, numberedFrame } from './frames.ts';
import { createLook } from './visibility/hidden.ts';
import { documentId, lasting } from './lasting.ts';
import { nameOf } from './names.ts';
import { BUSY, followOwnChanges, type Watched, watchChanges } from './own-changes.ts';
import { withoutRef } from './lines-apart.ts';
import { elementOf, refOf } from './refs.ts';
import { restlessParts } from './restless-parts.ts';
import { roleOf } from './roles.ts';
import { rowOf } from './rows.ts';
import { isSight } from '../actions/sight.ts';
import { followTyping } from '../actions/user-typing.ts';
import { readSnapshot } from '../snapshot.ts';

type State = { lines: string[]; focus: Element | null };

/** How a document was before something was done in it. */
type Mark = State & {
  changes: Watched;
  /** How far the document was scrolled. */
  scrolledTo: string;
  /** The lines of parts that loaded or turned then. */
  restless: ReturnType<typeof restlessParts>;
  /** Looks again whether what was done still is so. @returns what is not */
  recheck?: () => string | undefined;
  /** How it was right before the last step of that, where it is asked what came of it alone. */
  last?: State;
  /** Something led away from the document. */
  isLeft: boolean;
  end: () => void;
};

/** Characters of a snapshot that is compared, lines of what changed, and characters of them. */
const MOST_COMPARED = 400_000;
const MOST_LINES = 40;
const MOST_TEXT = 4_000;
/** Comes and goes with every press, and is told apart, or means nothing. */
const PASSING = / \[(focused|offscreen)\]|:$/g;
/** What a page tells of by itself comes first. */
const TOLD = /^[+-] - (alert|alertdialog|status|dialog|log)\b/;

const marks = lasting('portsideMarks', () => new Map<string, Mark>());

/** A page may make tags of sentences, and as long as it likes. */
const PLAIN_TAG = /^[a-z][a-z\d-]{0,39}$/;

/** What an element is to the user: `button "Save"`. */
export function describe(element: Element): string {
  if (element === dom.bodyOf(element.ownerDocument)) return 'the page';
  const tag = dom.localName(element);
  const role = roleOf(element) || (PLAIN_TAG.test(tag) ? tag : 'generic');
  const name = nameOf(createLook(element.ownerDocument), element, roleOf(element) || 'generic');
  return name === '' ? role : `${role} ${JSON.stringify(name)}`;
}

/** What a press on it chooses or presses, where that is another element: `checkbox of label "Gift"`. */
function describePressed(element: Element): string {
  const what = describe(element);
  const control = element === dom.bodyOf(document) ? undefined : pressedFor(element);
  const role = control ? roleOf(control) : '';
  const isOther = role === 'button' && !Node.prototype.contains.call(element, control ?? null);
  if (!control || !(isOther || /^(checkbox|radio|switch)$/.test(role))) return what;
  const named = describe(control);
  // What both are called is said once.
  return `${what.endsWith(named.slice(role.length)) ? role : named} of ${what}`;
}

/** With the row that it lies in: `button "Delete" in "Alice"`. */
function describeInRow(element: Element): string {
  const what = describePressed(element);
  const row = rowOf(element);
  return row === '' || what.includes(JSON.stringify(row).slice(1, -1))
    ? what
    : `${what} in ${JSON.stringify(row)}`;
}

/** What the elements are that these references name, as far as they are of this document. */
export function describeRefs(refs: string[]): Record<string, string> {
  const frame = frameName();
  const place = frame && ` in ${frame}`;
  return Object.fromEntries(
    refs.flatMap((ref) => {
      const element = elementOf(ref);
      if (!element) return [];
      const isPage = element === dom.bodyOf(document);
      return [[ref, describeInRow(element) + (isPage ? '' : leavingForm(element)) + place]];
    }),
  );
}

/** What has the focus, else the page itself. */
export const takesKeys = (): Element => dom.focused(document) ?? dom.bodyOf(document);

/** What a key would go to for which no element is named, by its reference. */
export const describeFocus = (): Record<string, string> =>
  window === window.top ? describeRefs([refOf(takesKeys())]) : {};

/** Remembers how the document is, under an id. @returns which it is, and where it is from */
export function mark(id: string): ReturnType<typeof framesOf> & { id: number } {
  followTyping();
  followOwnChanges();
  const ended = new AbortController();
  const end = (): void => (ended.abort(), marked.changes.end());
  const marked: Mark = { ...watchedNow(), isLeft: false, end };
  addEventListener('beforeunload', () => (marked.isLeft = true), { signal: ended.signal });
  marks.set(id, marked);
  return { ...framesOf(document), id: documentId() };
}

/** What came about since a page was scrolled is left out of what is told. */
export function markAnew(id: string): void {
  const marked = marks.get(id);
  marked?.changes.end();
  if (marked) Object.assign(marked, watchedNow(marked.changes));
}

const scrolledNow = (): string => `${scrollX} ${scrollY}`;

/** Whether the document was scrolled since it was marked. */
export function isScrolled(id: string): boolean {
  const marked = marks.get(id);
  return marked !== undefined && marked.scrolledTo !== scrolledNow();
}

const watchedNow = (scrolled?: Watched) => ({
  scrolledTo: scrolledNow(),
  restless: restlessParts((part) => linesIn(refOf(part))),
  ...stateNow(),
  changes: watchChanges(isOfSight, scrolled),
});

const isOfSight = ({ target, addedNodes, removedNodes }: MutationRecord): boolean =>
  [target, ...addedNodes, ...removedNodes].some(isSight);

export const isMarked = (id: string): boolean => marks.has(id);

/** How often the document changed since; null where another one is there by now. */
export const countChanges = (id: string): number | null => marks.get(id)?.changes.count() ?? null;

/** What is done since is done to an element, and may type a text. */
export const actOn = (id: string, element: Element, text = ''): void =>
  marks.get(id)?.changes.actOn(element, text);

/** Has `changesSince` look again at what an action did, or at what came of the last step of it. */
export function lookLater(id: string, looks: Pick<Mark, 'recheck' | 'last'>): void {
  const marked = marks.get(id);
  if (marked) Object.assign(marked, looks);
}

/** Ends a mark. @param isPageless whether what was done led to an address of which no page came */
export function forget(id: string, isPageless = false): void {
  if (isPageless && marks.get(id)?.isLeft) notePageless();
  marks.get(id)?.end();
  marks.delete(id);
}

/** What says that a page is not done yet. */

/**
 * What changed in the document since it was marked; null where another one is there by now.
 * @param isLate whether what may be a clock was waited for: two changes of it are enough then
 */
export function changesSince(id: string, isLate: boolean) {
  const before = marks.get(id);
  if (!before) return null;
  const restless = before.restless(before.changes.acted());
  const now = linesIn();
  const apart = before.changes.apart(...difference(before.lines, now), { isLate, restless });
  const moved = movedIn(before.lines, now);
  const { gone, came, byItself } = apart;
  const shown = [...before.lines, ...now].join('\n');
  const passed = [...before.changes.announced].filter((text) => !shown.includes(text));
  const changed = told(gone, [...came, ...passed.map((text) => `- alert (gone by now): ${text}`)]);
  const takenBack = before.recheck?.();
  const focus = dom.focused(document);
  const { last } = before;
  const since = last && before.changes.apart(...difference(last.lines, now), { isLate, restless });
  const left = since && difference(since.gone.map(withoutOpen), since.came.map(withoutOpen));
  const isUnanswered =
    left && last?.focus === focus && passed.length + left[0].length === 0 && left[1].every(isOfList);
  const frame = numberedFrame();
  const place = frame && `In ${frame}:\n`;
  return {
    text: changed + moved === '' ? '' : place + [changed, moved].filter((each) => each !== '').join('\n'),
    byItself: bounded(byItself),
    doubtfulMs: passed.length === 0 ? apart.doubtfulMs : 0,
    ...(passed.length === 0 && apart.isOwnToo && { isOwnToo: true }),
    ...(takenBack !== undefined && { takenBack }),
    ...(isUnanswered && { isUnanswered: left[1].length > 0 ? ('but_by_a_list' as const) : true }),
    ...(before.isLeft && { isLeft: true }),
    count: before.changes.count(),
    isBusy: dom.select(document, BUSY).length > 0,
    ...(focus && focus !== before.focus && focus !== dom.bodyOf(document) && { focus: describe(focus) }),
    ...framesOf(document),
  };
}

/** How the document is now, as an action compares it. */
export const stateNow = (): State => ({ lines: linesIn(), focus: dom.focused(document) });

const linesIn = (ref = ''): string[] =>
  readSnapshot(document, ref, 'all', MOST_COMPARED)
    .split('\n')
    .map((line) => line.trim().replaceAll(PASSING, ''));

/** A list that a field opens late: no key of before chose of it. */
const isOfList = (line: string): boolean => /^- (listbox|option)\b/.test(line);
const withoutOpen = (line: string): string => line.replace(/ \[(expanded|collapsed)\]/, '');

/** The lines that went, and those that came, what a page tells of by itself first. */
function told(gone: string[], came: string[]): string {
  const all = [...gone.map((line) => `- ${line}`), ...came.map((line) => `+ ${line}`)];
  return bounded([...all.filter((line) => TOLD.test(line)), ...all.filter((line) => !TOLD.test(line))]);
}

function bounded(lines: string[]): string {
  let left = MOST_TEXT;
  const kept = lines.slice(0, MOST_LINES).filter((line) => (left -= line.length) >= 0);
  const more = lines.length - kept.length;
  return [...kept, ...(more > 0 ? [`[and ${more} more lines changed]`] : [])].join('\n');
}

/** What stands in another order now, from the first line of it to the last; of as many as before. */
function movedIn(before: string[], now: string[]): string {
  const [was, is] = [keyed(before, now), keyed(now, before)];
  const [counts, nows] = [countsOf(was), countsOf(is)];
  const isBoth = ({ key }: Keyed): boolean => key !== '' && counts.get(key) === nows.get(key);
  const order = was.filter(isBoth);
  const both = is.filter(isBoth);
  const isMoved = ({ key }: Keyed, at: number): boolean => key !== order[at]?.key;
  const moved = both.slice(both.findIndex(isMoved), both.findLastIndex(isMoved) + 1);
  return moved.length === 0 ? '' : bounded(['In another order now:', ...moved.map(({ line }) => line)]);
}

const difference = (before: string[], now: string[]): [gone: string[], came: string[]] => [
  without(before, now),
  without(now, before),
];

function without(lines: string[], others: string[]): string[] {
  const counts = countsOf(keyed(others, lines));
  return keyed(lines, others).flatMap(({ line, key }) => {
    const count = counts.get(key) ?? 0;
    counts.set(key, count - 1);
    return line !== '' && count <= 0 ? line : [];
  });
}

type Keyed = { line: string; key: string };

/** With what they are compared by: where a page draws the same anew, it has another reference. */
function keyed(lines: string[], others: string[]): Keyed[] {
  const kept = new Set(others);
  return lines.map((line) => ({ line, key: kept.has(line) ? line : withoutRef(line) }));
}

function countsOf(lines: Keyed[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { key } of lines) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
