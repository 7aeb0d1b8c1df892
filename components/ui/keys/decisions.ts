import { computed, effect, signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type Chord, CHORDS } from './chords.ts';
import { isLayerOpen } from '../overlay/layers.ts';

/** `leave`: what Escape does first, in place of `deny`: something is being edited. */
type Decision = { allow?: () => void; deny: () => void; leave?: () => void };
type Way = 'allow' | 'deny';

/** Input is ignored for so long after a question appears, or gets its keys, so that what was meant for something else cannot answer it. */
export const GUARD_MS = 500;
/** Who presses on for so long while they see it means it. */
const MOST_GUARD_MS = 3 * GUARD_MS;

/**
 * Refuses input in that time, and what is pressed on and on from it, as an app's game may have the user do.
 * @returns whether input counts by now that is there `since` a time
 */
export function createGuard(): (since: number, now?: number) => boolean {
  let refusedAt = -Infinity;
  // When it was pressed: the page may have been too busy to show what is there since, or to hear of it.
  return (since, now = window.event?.timeStamp ?? performance.now()) => {
    const isGoingOn = now - refusedAt < GUARD_MS && now - since < MOST_GUARD_MS;
    if (now - since >= GUARD_MS && !isGoingOn) return true;
    refusedAt = now;
    return false;
  };
}

type Root = { current: HTMLElement | null };
type Card = { root: Root; latest: { current: Decision } };

/** In the order in which they came. */
const cards = signal<readonly Card[]>([]);
/** Fields in which Mod+Enter does something of their own. */
const fields = signal<readonly Root[]>([]);
const focused = signal<Element | null>(null);
/** Keys that are typed elsewhere, in the page beside the panel, come to no card. */
const hasKeys = signal(true);
/** Also to be called once what may have had the focus is gone, of which the browser says nothing. */
export function trackFocus(): void {
  // An app may let go of the keys in the midst of what is typed into it.
  if (focused.peek()?.localName === 'iframe') since.allow = since.deny = performance.now();
  focused.value = document.activeElement;
  hasKeys.value = document.hasFocus();
}

/**
 * The card that each key answers now: the one with the focus in it, or else the first. None beneath an open layer, and none
 * for a field's own key. What the keys do and which cards show them both follow from it.
 */
const answering = computed((): { [way in Way]?: Card | undefined } => {
  if (isLayerOpen.value || !hasKeys.value) return {};
  const hasFocus = (root: Root): boolean => root.current?.contains(focused.value) ?? false;
  const card = cards.value.find(({ root }) => hasFocus(root)) ?? cards.value[0];
  return { allow: fields.value.some(hasFocus) ? undefined : card, deny: card };
});

/** Since when each key is answered by the card that it belongs to. */
const since: Record<Way, number> = { allow: 0, deny: 0 };
const counts: Record<Way, (since: number) => boolean> = { allow: createGuard(), deny: createGuard() };
let answered: typeof answering.value = {};
effect(() => {
  const now = answering.value;
  for (const way of ['allow', 'deny'] as const)
    if (now[way] !== answered[way]) since[way] = performance.now();
  answered = now;
});

/**
 * While its card is there the keys of a question are answered by it, wherever the focus is (`decideByKey`).
 * @returns the keys that this card answers now
 */
export function useDecision(root: Root, decision: Decision): Record<Way, Chord | null> {
  const latest = useRef(decision);
  latest.current = decision;
  useLayoutEffect(() => {
    const mine = { root, latest };
    // The same listeners each time: the browser keeps one of them.
    document.addEventListener('focusin', trackFocus);
    document.addEventListener('focusout', trackFocus);
    window.addEventListener('focus', trackFocus);
    window.addEventListener('blur', trackFocus);
    trackFocus();
    cards.value = [...cards.peek(), mine];
    return () => void (cards.value = cards.peek().filter((other) => other !== mine));
  }, [root]);
  const keysOf = (way: Way): Chord | null =>
    decision[way] && answering.value[way]?.latest === latest ? CHORDS[way] : null;
  return { allow: keysOf('allow'), deny: decision.leave ? null : keysOf('deny') };
}

/** While `keeps`, Mod+Enter belongs to this field when it has the focus. */
export function useOwnModEnter(root: Root, keeps: boolean): void {
  useLayoutEffect(() => {
    if (!keeps) return undefined;
    fields.value = [...fields.peek(), root];
    return () => void (fields.value = fields.peek().filter((other) => other !== root));
  }, [root, keeps]);
}

/** Answers the question that the key belongs to. False when there is none that takes it. */
export function decideByKey({ key, ctrlKey, metaKey, repeat }: KeyboardEvent): boolean {
  const isAllow = key === 'Enter' && (ctrlKey || metaKey);
  if (!isAllow && key !== 'Escape') return false;
  trackFocus();
  const way = isAllow ? 'allow' : 'deny';
  const decision = answering.value[way]?.latest.current;
  const leave = way === 'deny' ? decision?.leave : undefined;
  const decide = leave ?? decision?.[way];
  // A key that is held down answers one question.
  if (!repeat && (leave || counts[way](since[way]))) decide?.();
  return decide !== undefined;
}
