/**
 * How long a server asks to wait, in milliseconds and as it says it: `retry-after-ms`, else `Retry-After` as seconds or
 * as a date (RFC 9110, 10.2.3). Undefined when it says nothing readable.
 * @param now milliseconds since the epoch
 */
export function retryAfterOf(headers: Headers | undefined, now: number): number | undefined {
  const ms = amount(headers?.get('retry-after-ms'));
  if (ms !== undefined) return ms;
  const after = headers?.get('retry-after');
  const seconds = amount(after);
  if (seconds !== undefined) return seconds * 1000;
  // Date.parse takes much that is no date; an HTTP date begins with the day's name.
  const date = /^[a-z]{3}/i.test(after ?? '') ? Date.parse(after ?? '') : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function amount(text: string | null | undefined): number | undefined {
  return /^\s*\d+(\.\d+)?\s*$/.test(text ?? '') ? Number(text) : undefined;
}
