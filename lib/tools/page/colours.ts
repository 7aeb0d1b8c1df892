import { fromNotation } from './colour-notations.ts';

/** Of 255, in red, green and blue; nobody reads letters that differ by less from what they stand on. */
const LEAST_DIFFERENCE = 12;
/** Of 1; what is fainter nobody sees. */
export const FAINTEST = 0.05;
/** Of 1; what lets less through is as good as not transparent. */
const OPAQUE = 0.99;

/** Red, green and blue of 255, and how opaque of 1. */
export type Colour = [number, number, number, number];

const known = new Map<string, Colour | null>();

/** As computed styles write it: `rgb(0, 0, 0)`, `rgba(0, 0, 0, 0.5)`, `oklch(1 0 0)`; null for other notations. */
function parsed(colour: string): Colour | null {
  const before = known.get(colour);
  if (before !== undefined) return before;
  const found = fromNotation(colour);
  if (known.size < 1_000) known.set(colour, found);
  return found;
}

/** Whether what has that colour is as good as transparent. */
export const isFaint = (colour: string): boolean => (parsed(colour)?.[3] ?? 1) <= FAINTEST;

/** Whether nothing shows through; false where that is not known. */
export const isOpaque = (colour: string): boolean => (parsed(colour)?.[3] ?? 0) >= OPAQUE;

/** Of a `background-image` that is of one colour all over; null for any other. */
export const sheetOf = (image: string): string | null =>
  /^linear-gradient\((rgb\([^)]*\)), \1\)$/.exec(image)?.[1] ?? null;

/** Whether letters of that colour are as good as gone on that ground; false where one of them is not known. */
export function isLost(colour: string, ground: string | null): boolean {
  const [ink, paper] = [parsed(colour), ground === null ? null : parsed(ground)];
  if (!ink || !paper || ink === paper) return ink !== null && ink === paper;
  const difference = (at: 0 | 1 | 2): number => Math.abs(ink[at] - paper[at]) * ink[3];
  return Math.max(difference(0), difference(1), difference(2)) < LEAST_DIFFERENCE;
}
