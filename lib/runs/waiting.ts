import type { Context } from './context.ts';

/** Tells how many calls of all conversations wait for the person. */
export function createWaitingCount({ deps, live }: Context) {
  let told: number | undefined;
  const tell = (count = counted()) => deps.waiting((told = count));
  const counted = () => {
    const open = [...live.values()].flatMap(({ state }) => [...state.open.values()]);
    return open.filter(({ wait }) => wait !== undefined).length;
  };
  return {
    tell: () => tell(),
    /** Says nothing when the number is still the same. */
    changed(): void {
      const count = counted();
      if (count !== told) tell(count);
    },
  };
}
