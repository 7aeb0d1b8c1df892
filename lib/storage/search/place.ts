/** Texts of one millisecond that have a place of their own; more take those of the next one. */
const PER_MS = 1_024;
/** Milliseconds up to which places are exact, in the year 2248. */
const LAST_MS = Math.floor(Number.MAX_SAFE_INTEGER / PER_MS) - 1;

/** The places of texts of a time: whole numbers, the lower the newer. @param timestamp ISO 8601 */
export function placesOf(timestamp: string): { first: number; last: number } {
  const ms = Math.min(LAST_MS, Math.max(0, Date.parse(timestamp) || 0));
  const first = -ms * PER_MS;
  return { first, last: first + PER_MS - 1 };
}
