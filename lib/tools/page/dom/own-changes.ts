import * as dom from './dom.ts';
import { oneLine } from './inner-words.ts';
import { lasting } from './lasting.ts';
import { linesApart } from './lines-apart.ts';
import { secretEditorsIn } from './roles.ts';

/**
 * What a page changes of its own accord, such as a clock or a counter, does not come of an action: what changed again and
 * again while nothing was done, or keeps changing through the action.
 */

/** How often an element changed, as far as the times lie apart, and when first and last. */
type Beat = { times: number; first: number; last: number };

/** Milliseconds: changes that are closer are one; a page is followed this long; so late may come what an action started. */
const APART_MS = 150;
const FOLLOWED_MS = 120_000;
const LATE_MS = 3_000;
/** A page that was watched for so long before an action, and was quiet, has no clock, and no feed. */
const ENOUGH_MS = 1_500;
const ENOUGH_FOR_FEED_MS = 3_000;
/** What may be a clock, or a feed, changes again within so long; in a tab that is behind, timers come once a second, and later. */
const AGAIN_MS = 2_100;
const AGAIN_BEHIND_MS = 4_200;
/** What turns, as banners do, does so again within so long. */
const TURN_MS = 20_000;
/** An entry that comes so long after the one before it is not of the same action. */
const QUIET_MS = 1_000;
/** Characters of what an action types by which a line is known that says it: that comes of the action. */
const LEAST_TYPED = 4;
/** Texts of one element, and their characters. */
const MOST_TEXTS = 200;
const LONGEST = 300;
/** Parts of one node. */
const MOST_NODES = 30;
export const BUSY = '[aria-busy="true"], [role="progressbar"], progress';
const NAMES = /^(aria-(label|value\w+|description)|alt|title|value|placeholder|href)$/;

const own = lasting('portsideOwnChanges', () => ({
  since: Infinity,
  until: 0,
  acting: 0,
  actedAt: -Infinity,
  actedFor: 0,
  idle: new WeakMap<Element, Beat>(),
  /** What got other words, as no action was under way. */
  turned: new WeakSet<Element>(),
  /** What entries were added to that are like those before, as no action was under way. */
  feeds: new WeakSet<Element>(),
  observer: null as MutationObserver | null,
}));

const OBSERVED = {
  subtree: true,
  childList: true,
  attributes: true,
  characterData: true,
  attributeOldValue: true,
  characterDataOldValue: true,
} as const;

/** From now on it is known for a while what the page changes by itself. */
export function followOwnChanges(): void {
  const now = performance.now();
  own.until = now + FOLLOWED_MS;
  if (own.observer) return;
  own.since = now;
  own.observer = new MutationObserver(noteIdle);
  own.observer.observe(document, OBSERVED);
}

function noteIdle(records: MutationRecord[]): void {
  const now = performance.now();
  if (now > own.until) {
    own.observer?.disconnect();
    own.observer = null;
  }
  // What the user or an action has the page do is not its own doing.
  if (own.acting > 0 || navigator.userActivation.isActive) return;
  for (const list of listsGrownBy(records)) own.feeds.add(list);
  if (now < own.actedAt + LATE_MS) return;
  for (const record of records) {
    const element = changedBy(record);
    if (!element || isRemoval(record)) continue;
    beat(own.idle, element, now);
    if (record.type === 'characterData' || record.removedNodes.length > 0) own.turned.add(element);
  }
}

/** What came may go by itself, such as a toast: that brings nothing. */
const isRemoval = ({ type, addedNodes }: MutationRecord): boolean =>
  type === 'childList' && addedNodes.length === 0;

function beat(beats: Pick<WeakMap<Element, Beat>, 'get' | 'set'>, of: Element, now: number): void {
  const before = beats.get(of);
  if (!before) beats.set(of, { times: 1, first: now, last: now });
  else if (now - before.last >= APART_MS) beats.set(of, { ...before, times: before.times + 1, last: now });
}

const changedBy = ({ target }: MutationRecord): Element | null =>
  dom.isElement(target) ? target : (dom.parentNode(target) as Element | null);

const LOG = '[role="log"], [role="feed"]';

/** What got entries that are like those that it has, and nothing else, neither in nor beside what is acted on. */
function listsGrownBy(records: MutationRecord[], acted?: Element): Set<Element> {
  const fresh = new Set<Node | null>(records.flatMap(({ addedNodes }) => [...addedNodes]));
  const next = (from: Element, to: 'previousElementSibling' | 'nextElementSibling'): Element | null => {
    let at = from[to];
    while (fresh.has(at)) at = at?.[to] ?? null;
    return at;
  };
  const isEntry = (list: Element, added: Node): boolean => {
    if (!dom.isElement(added)) return !/\S/.test(dom.textContent(added) ?? '');
    const beside = [next(added, 'previousElementSibling'), next(added, 'nextElementSibling')];
    const isNear = acted && [added, ...beside].some((each) => each?.contains(acted));
    return (
      !isNear &&
      (Element.prototype.matches.call(list, LOG) || beside.some((each) => each && isLike(each, added)))
    );
  };
  const lists = new Set<Element>();
  const others = new Set<Element>();
  for (const { type, target, addedNodes } of records) {
    if (type !== 'childList' || addedNodes.length === 0 || !dom.isElement(target)) continue;
    const isGrown = !acted?.contains(target) && [...addedNodes].every((each) => isEntry(target, each));
    (isGrown ? lists : others).add(target);
  }
  return lists.difference(others);
}

const firstClass = (element: Element): string => dom.attribute(element, 'class')?.trim().split(/\s/)[0] ?? '';

const isLike = (one: Element, other: Element): boolean =>
  dom.localName(one) === dom.localName(other) && firstClass(one) === firstClass(other);

const isOwn = (element: Element): boolean => (own.idle.get(element)?.times ?? 0) > 1;

/** Once, a while ago, is little; and what says how things stand does so of what was done, too. */
const mayTurn = (element: Element): boolean =>
  own.turned.has(element) &&
  performance.now() - (own.idle.get(element)?.last ?? 0) < TURN_MS &&
  !Element.prototype.closest.call(element, LIVE);

/** How long the page was followed before, and what changed so far. */
type Followed = { watchedFor: number; beats: Map<Element, Beat> };

/**
 * What changes from now on, while something is done.
 * @param scrolled what was so before the page was scrolled, which lists may grow of
 */
export function watchChanges(isLeftOut: (record: MutationRecord) => boolean, scrolled?: Followed) {
  const begun = performance.now();
  const { watchedFor, beats }: Followed = scrolled ?? {
    watchedFor: begun - Math.min(own.since, begun),
    beats: new Map(),
  };
  const texts = new Map<Element, Set<string>>();
  const announced = new Set<string>();
  const grown = new Set<Element>();
  let acted: Element | undefined;
  let typed = '';
  let count = 0;
  own.acting += 1;

  const note = (records: MutationRecord[]): void => {
    const now = performance.now();
    for (const list of listsGrownBy(records, acted)) {
      if (grown.has(list) && now - (beats.get(list)?.last ?? now) > QUIET_MS) own.feeds.add(list);
      grown.add(list);
    }
    for (const record of records) {
      if (isLeftOut(record)) continue;
      const element = changedBy(record);
      if (!element) continue;
      beat(beats, element, now);
      const known = texts.get(element) ?? new Set<string>();
      texts.set(element, known);
      for (const text of textsIn(record))
        if (known.size < MOST_TEXTS && !(typed.length >= LEAST_TYPED && text.includes(typed)))
          known.add(text);
      if (isOwn(element) || keepsChanging(element, 3)) continue;
      count += 1;
      for (const text of announcedIn(record, element)) announced.add(text);
    }
  };
  const keepsChanging = (element: Element, times: number): boolean => {
    const it = beats.get(element);
    return (
      it !== undefined &&
      it.times >= times &&
      it.last - it.first > 2 * APART_MS &&
      !Element.prototype.closest.call(element, BUSY)
    );
  };
  const observer = new MutationObserver(note);
  observer.observe(document, OBSERVED);

  return {
    watchedFor,
    beats,
    count: (): number => count,
    /** What alerts and the like said meanwhile, also where that is gone by now. */
    announced,
    acted: (): Element | undefined => acted,
    /** What an action is done to, and what it types. */
    actOn(element: Element, text: string): void {
      acted = element;
      typed = oneLine(text);
    },
    /**
     * The lines of a difference that come of what was done, and those that the page changes by itself. `isOwnToo`: all of the first
     * may be such, too; `doubtfulMs`: how long to wait whether they are those of a clock or of a list that grows by itself, of which
     * too little was seen to say so.
     * @param restless lines that may come by themselves
     */
    apart(gone: string[], came: string[], { isLate, restless }: { isLate: boolean; restless: Set<string> }) {
      note(observer.takeRecords());
      const places = [...texts].map(([element, words]) => ({ element, words, isIdle: isOwn(element) }));
      const isMoving = ({ element, isIdle }: (typeof places)[number]): boolean =>
        isIdle || keepsChanging(element, isLate ? 2 : 3);
      const told = linesApart(gone, came, places.filter(isMoving));
      const hasLines = told.gone.length + told.came.length > 0;
      const without = (isLeft: (element: Element) => boolean): string[] => {
        const of = places.filter(({ element }) => isLeft(element));
        const left = linesApart(
          told.gone,
          told.came,
          of.map((each) => ({ ...each, isIdle: true })),
        );
        return [...left.gone, ...left.came];
      };
      const isFeed = (element: Element): boolean =>
        grown.has(element) && (scrolled !== undefined || own.feeds.has(element));
      const isOwnToo =
        hasLines && without((each) => isFeed(each) || mayTurn(each)).every((line) => restless.has(line));
      const left = without((each) => grown.has(each) || mayTurn(each)).filter((line) => !restless.has(line));
      const isKnown =
        left.length > 0
          ? watchedFor > (document.hidden ? ENOUGH_FOR_FEED_MS : ENOUGH_MS)
          : watchedFor - own.actedFor > ENOUGH_FOR_FEED_MS;
      const isDoubtful = hasLines && !isOwnToo && !isKnown && left.every((line) => /\d/.test(line));
      return {
        ...told,
        isOwnToo,
        doubtfulMs: isDoubtful ? (document.hidden ? AGAIN_BEHIND_MS : AGAIN_MS) : 0,
      };
    },
    end(): void {
      observer.disconnect();
      own.acting -= 1;
      own.actedAt = performance.now();
      own.actedFor += own.actedAt - begun;
      for (const [element, each] of beats) if (keepsChanging(element, 3)) own.idle.set(element, each);
    },
  };
}

export type Watched = ReturnType<typeof watchChanges>;

/** The texts that a change took away and brought. */
function textsIn({
  type,
  target,
  oldValue,
  attributeName,
  addedNodes,
  removedNodes,
}: MutationRecord): string[] {
  const nodes = type === 'childList' ? [...addedNodes, ...removedNodes] : [target];
  const isNamed = type !== 'attributes' || NAMES.test(attributeName ?? '');
  const value = type === 'attributes' ? dom.attribute(target as Element, attributeName ?? '') : '';
  const found = isNamed && type === 'attributes' ? [value, oldValue] : [oldValue, ...nodes.flatMap(wordsOf)];
  return found.flatMap((text) => (text && text.length <= LONGEST && oneLine(text)) || []);
}

function wordsOf(node: Node): string[] {
  const whole = dom.textContent(node) ?? '';
  if (!dom.isElement(node) || whole.length > LONGEST) return [whole];
  const words = [whole];
  const walker = Document.prototype.createTreeWalker.call(document, node, NodeFilter.SHOW_TEXT);
  for (let at = walker.nextNode(); at && words.length < MOST_NODES; at = walker.nextNode())
    words.push((at as Text).data);
  for (const each of dom.select(node, '[alt], [aria-label], [title]').slice(0, MOST_NODES))
    words.push(...['alt', 'aria-label', 'title'].map((name) => dom.attribute(each, name) ?? ''));
  return words;
}

const LIVE = '[role="alert"], [role="status"], output, [aria-live="polite"], [aria-live="assertive"]';

function announcedIn({ addedNodes }: MutationRecord, element: Element): string[] {
  const around = Element.prototype.closest.call(element, LIVE);
  const added = [...addedNodes].filter(dom.isElement);
  const live = [
    ...(around && added.length === 0 ? [around] : []),
    ...added.flatMap((each) => [
      ...(around || Element.prototype.matches.call(each, LIVE) ? [each] : []),
      ...dom.select(each, LIVE),
    ]),
  ];
  return live
    .filter(dom.isDrawn)
    .filter((each) => secretEditorsIn(around ?? each).length === 0)
    .flatMap((each) => oneLine((dom.textContent(each) ?? '').slice(0, LONGEST)) || []);
}
