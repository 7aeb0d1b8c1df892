import {
  type Arbitrary,
  array,
  constant,
  constantFrom,
  integer,
  nat,
  oneof,
  record,
  tuple,
} from 'fast-check';

/** What a user, or fate, does; `panel` is the window it is done in. */
export type Action =
  | { type: 'ask'; panel: number }
  | { type: 'ask in new chat'; panel: number }
  | { type: 'new chat'; panel: number }
  | { type: 'switch'; panel: number; to: number }
  | { type: 'close'; panel: number }
  | { type: 'open'; panel: number }
  | { type: 'stop'; panel: number }
  /** A port that is mute brings nothing any more and does not say so. */
  | { type: 'kill' | 'lose ports' | 'mute ports' | 'block' | 'unblock' }
  | { type: 'wait'; seconds: number }
  /** So many other things happen first. */
  | { type: 'pause'; steps: number };

const panel = nat(1);
const wait: Arbitrary<Action> = record({
  type: constant('wait' as const),
  seconds: integer({ min: 1, max: 7 }),
});
const ofPanel = (type: 'ask' | 'ask in new chat' | 'new chat' | 'close' | 'open' | 'stop') =>
  record({ type: constant(type), panel });

const action: Arbitrary<Action> = oneof(
  { weight: 8, arbitrary: ofPanel('ask') },
  { weight: 4, arbitrary: ofPanel('ask in new chat') },
  { weight: 1, arbitrary: ofPanel('new chat') },
  { weight: 2, arbitrary: record({ type: constant('switch' as const), panel, to: nat(3) }) },
  { weight: 1, arbitrary: ofPanel('close') },
  { weight: 2, arbitrary: ofPanel('open') },
  { weight: 1, arbitrary: ofPanel('stop') },
  { weight: 4, arbitrary: constant({ type: 'kill' as const }) },
  {
    weight: 3,
    arbitrary: constantFrom(
      { type: 'lose ports' as const },
      { type: 'mute ports' as const },
      { type: 'block' as const },
    ),
  },
  { weight: 1, arbitrary: constant({ type: 'unblock' as const }) },
  { weight: 2, arbitrary: wait },
);

/** Two windows that show one chat: questions wait for the one before them, until one window or the other stops it. */
const queueing: Arbitrary<Action> = oneof(
  { weight: 6, arbitrary: ofPanel('ask') },
  { weight: 4, arbitrary: ofPanel('stop') },
  {
    weight: 4,
    arbitrary: constantFrom({ type: 'lose ports' as const }, { type: 'mute ports' as const }),
  },
  { weight: 1, arbitrary: record({ type: constant('switch' as const), panel, to: nat(1) }) },
  { weight: 1, arbitrary: wait },
);

const pause: Arbitrary<Action> = record({
  type: constant('pause' as const),
  steps: integer({ min: 1, max: 80 }),
});

const busy = (maxLength: number, doing = action): Arbitrary<Action[]> =>
  array(oneof({ weight: 1, arbitrary: doing }, { weight: 1, arbitrary: pause }), {
    minLength: 1,
    maxLength,
    size: 'max',
  });

/** Questions and what happens around them; then, after all has come to rest, perhaps some more. */
export const scenario = oneof(
  { weight: 3, arbitrary: busy(16).map((actions) => [actions]) },
  {
    weight: 1,
    arbitrary: tuple(busy(6), constantFrom('kill' as const, 'lose ports' as const), busy(4)).map(
      ([before, type, after]) => [before, [{ type }, ...after]],
    ),
  },
  {
    weight: 1,
    arbitrary: busy(12, queueing).map((actions): Action[][] => [
      [{ type: 'ask', panel: 0 }, { type: 'pause', steps: 60 }, ...actions],
    ]),
  },
);
