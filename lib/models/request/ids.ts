import type { Quirks } from '../request-quirks.ts';

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/**
 * Makes call ids fit a server, each unique within one request: servers use their ids again in every answer, and others
 * refuse the same id twice. The same history gives the same ids every time, so that prompt caches hit.
 */
export function createIdMap({ nineCharIds, shortIds }: Quirks): (id: string) => string {
  const fits = nineCharIds ? /^[a-zA-Z0-9]{9}$/ : shortIds ? /^[a-zA-Z0-9_-]{1,40}$/ : /./s;
  const given = new Set<string>();
  let made = 0;
  return (id) => {
    let unique = id;
    while (!fits.test(unique) || given.has(unique)) unique = nineOf(made++);
    given.add(unique);
    return unique;
  };
}

/** Nine letters and digits, different for each of the first million numbers. */
function nineOf(number: number): string {
  const digits = Array.from({ length: 5 }, (_, at) => ALPHABET[Math.floor(number / 62 ** at) % 62]);
  return `call${digits.toReversed().join('')}`;
}
