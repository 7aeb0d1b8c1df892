import fc from 'fast-check';

/** What a user, or fate, does; `panel` is the window it is done in. */
export type Action =
  | { type: 'ask'; panel: number }
  | { type: 'ask in new chat'; panel: number }
  | { type: 'new chat'; panel: number }
  | { type: 'switch'; panel: number; to: number }
  | { type: 'close'; panel: number }
  | { type: 'open'; panel: number }
  | { type: 'stop'; panel: number }
  | { type: 'kill' | 'lose ports' | 'block' | 'unblock' }
  | { type: 'wait'; seconds: number };

const panel = fc.nat(1);
const ofPanel = (type: 'ask' | 'ask in new chat' | 'new chat' | 'close' | 'open' | 'stop') =>
  fc.record({ type: fc.constant(type), panel });

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 3, arbitrary: ofPanel('ask') },
  { weight: 4, arbitrary: ofPanel('ask in new chat') },
  { weight: 1, arbitrary: ofPanel('new chat') },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('switch' as const), panel, to: fc.nat(3) }) },
  { weight: 1, arbitrary: ofPanel('close') },
  { weight: 2, arbitrary: ofPanel('open') },
  { weight: 1, arbitrary: ofPanel('stop') },
  { weight: 4, arbitrary: fc.constant({ type: 'kill' as const }) },
  { weight: 1, arbitrary: fc.constantFrom({ type: 'lose ports' as const }, { type: 'block' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'unblock' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 7 }) }),
  },
);

/** A first question, and what happens around it. */
export const scenario = fc.array(action, { minLength: 1, maxLength: 8 });
