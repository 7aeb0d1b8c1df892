import { LONGEST_SERVER_NAME } from './server.ts';

/** So that nothing of it is out of sight. */
export const inOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Whether two names are the same to a reader. */
export const isSameName = (one: string, other: string): boolean =>
  one.normalize('NFC').toLowerCase() === other.normalize('NFC').toLowerCase();

/**
 * By which a program, a plug-in or a function of a shell's is started, where packages and files come from, or a setting of
 * git's is named: what they are called says nothing of their value.
 */
const NEVER_SECRET =
  /askpass$|auth_sock$|^git_config_key_\d+$|^bash_func_|[:_]registry$|_index(_url)?$|^goauth$|credential_?provider|keyring|passcommand$|[_-](command|cmd|helper|program|process|executable|plugin|backend|provider|file|path|dir)s?$/i;

/** Whether a value of that name is most likely a secret, such as a variable's or a parameter's. */
export const soundsSecret = (name: string): boolean =>
  !NEVER_SECRET.test(name) &&
  /key|token|secret|pass|auth|credential|cookie|signature|(^|[^a-z])(pat|sig)([^a-z]|$)|_pwd$/i.test(name);

type ServerAddress = { url: string } | { command: string };

/**
 * The name that a server gets: the one that is wanted, unless another server has it; then with where the server is, so
 * that the two are told apart wherever a name stands.
 * @param others names of the other servers
 */
export function freeName(wanted: string, place: ServerAddress, others: string[]): string {
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
