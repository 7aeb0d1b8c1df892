/** What a question has the model do: only talk, read, write something that may be written once, or all at once. */
export type Kind = 'text' | 'read' | 'effect' | 'parallel';

export const faults = [
  'worker death',
  'MCP server restart',
  'cut stream',
  'stalled stream',
  'panel closed and opened',
  'second panel',
  'second window',
  'quota exceeded',
  'clock jump',
] as const;
export type Fault = (typeof faults)[number];

/** A question, how long it is typed before Send, and the faults around it, each so many milliseconds after that. */
export type Question = {
  text: string;
  kind: Kind;
  typedMs: number;
  faults: { fault: Fault; atMs: number }[];
};

/** A round's questions, from its seed alone. */
export function planOf(seed: number): Question[] {
  const random = randomOf(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const count = 1 + Math.floor(random() * 4);
  return Array.from({ length: count }, (_, index) => {
    const kind = pick<Kind>(['text', 'text', 'read', 'effect', 'parallel']);
    const deaths = pick([0, 1, 1, 2, 3]);
    const others = pick([0, 0, 1]);
    const typedMs = pick([0, 450]); // longer than a draft waits before it is saved
    return {
      text: `Question ${seed}-${index + 1} ${kind}`,
      kind,
      typedMs,
      faults: [
        // Most of what went wrong did so in the first second after a Send.
        ...Array.from({ length: deaths }, () => ({
          fault: 'worker death' as const,
          atMs: Math.floor(random() ** 2 * 2000),
        })),
        ...Array.from({ length: others }, () => ({
          fault: pick(faults.slice(1)),
          atMs: Math.floor(random() * 1000),
        })),
      ].toSorted((a, b) => a.atMs - b.atMs),
    };
  });
}

/** mulberry32: small, seeded, good enough to choose by. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
