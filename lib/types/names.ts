import { LONGEST_SERVER_NAME } from './setup.ts';

/** Whether two names are the same to a reader. */
export const isSameName = (one: string, other: string): boolean =>
  one.normalize('NFC').toLowerCase() === other.normalize('NFC').toLowerCase();

type Place = { url: string } | { command: string };

/**
 * The name that a server gets: the one that is wanted, unless another server has it; then with where the server is, so
 * that the two are told apart wherever a name stands.
 * @param others names of the other servers
 */
export function freeName(wanted: string, place: Place, others: string[]): string {
  const isFree = (name: string): boolean => !others.some((other) => isSameName(other, name));
  if (isFree(wanted)) return wanted;
  const at = 'url' in place ? hostOf(place.url) : (place.command.split(/[\\/]/).at(-1) ?? '');
  for (let count = 1; ; count++) {
    const beside = ` (${[at, ...(count > 1 ? [count] : [])].filter(Boolean).join(' ')})`;
    const name = wanted.slice(0, LONGEST_SERVER_NAME - beside.length) + beside;
    if (isFree(name)) return name;
  }
}

/** Empty for what is no address yet. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');
