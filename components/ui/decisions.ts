import { useLayoutEffect, useRef } from 'preact/hooks';

type Decision = { allow?: () => void; deny: () => void };
type Waiting = { card: HTMLElement | null; latest: { current: Decision } };

/** In the order in which they came. */
const waiting: Waiting[] = [];

/** While its card is there the keys of a question are answered by it, wherever the focus is (`decideByKey`). */
export function useDecision(root: { current: HTMLElement | null }, decision: Decision): void {
  const latest = useRef(decision);
  latest.current = decision;
  useLayoutEffect(() => {
    const mine = { card: root.current, latest };
    waiting.push(mine);
    return () => void waiting.splice(waiting.indexOf(mine), 1);
  }, [root]);
}

/** Answers the question with the focus in its card, or else the first one. False when there is none that takes the key. */
export function decideByKey(way: keyof Decision, target: EventTarget | null): boolean {
  const focused = waiting.find(({ card }) => target instanceof Node && card?.contains(target));
  const decide = (focused ?? waiting[0])?.latest.current[way];
  decide?.();
  return decide !== undefined;
}
