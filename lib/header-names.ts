/**
 * What a browser sets itself, or never sends, and drops in silence (Fetch standard, "forbidden request-header"); of
 * `User-Agent` only Chromium says so.
 */
const FORBIDDEN: ReadonlySet<string> = new Set([
  'accept-charset',
  'accept-encoding',
  'access-control-request-headers',
  'access-control-request-method',
  'connection',
  'content-length',
  'cookie',
  'cookie2',
  'date',
  'dnt',
  'expect',
  'host',
  'keep-alive',
  'origin',
  'referer',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
]);

/** A header that a browser sets itself or never sends, whatever its value. */
export function isForbidden(headerName: string): boolean {
  const name = headerName.toLowerCase();
  return FORBIDDEN.has(name) || /^(proxy|sec)-/.test(name);
}
