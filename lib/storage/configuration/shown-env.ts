import { soundsSecret } from '../../types/names.ts';

/**
 * The variables of a program with their values, as the user sees them before its first start. Any of them may decide what
 * else is run, and no list of those that do can be complete: left out are those that sound like a secret, and whose value
 * is nothing that a shell or a loader would run.
 * @param answers what was answered to an import, of which any may be a password: left out, too
 */
export function openEnvOf(env: Record<string, string>, answers: string[]): Record<string, string> {
  const given = answers.filter((answer) => answer !== '');
  const open = Object.entries(env)
    .filter(([name, value]) => !given.includes(value) && (!soundsSecret(name) || isRunnable(value, env)))
    .map(([name, value]) => [name, openValue(value, given)]);
  return Object.fromEntries(open);
}

/**
 * Whether a shell or a loader may run it: it has arguments, signs of a shell, or begins like a path. Passwords have `&`
 * and `$`, too, which count only where a shell would make something of them without a blank.
 */
function isRunnable(value: string, env: Record<string, string>): boolean {
  const text = value.trim();
  if (isKeyFile(text)) return false;
  const word = text.replace(/^(?:[\w-]+:\s*)?(?:bearer|basic|token)\s+/i, '');
  return (
    /[\s`|;<>]|\{[^{}]*,|\$(?:["'({]|IFS)|&[&./\\~]/.test(word) ||
    Object.keys(env).some((name) => word.includes(`$${name}`)) ||
    PATH.test(word)
  );
}

/** A whole key in PEM, or credentials in JSON: they have blanks, and are no commands. */
function isKeyFile(text: string): boolean {
  if (/^-----BEGIN [A-Z ]+-----[\w\s+/=,:-]+-----END [A-Z ]+-----$/.test(text)) return true;
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

/** Base64 may begin with a slash, too, but hardly with a folder whose name is of lower-case letters. */
const PATH = /^(?:[.~]|\$\w)[^/\\]*[/\\]|^\/[A-Z]?[a-z_.-]*(?:\/|$)|^[a-z]:[/\\]|^\\\\|^file:/;

/**
 * What may be a secret in an address in a variable: a password, a query. What no reader of addresses takes for one is
 * shown: a backslash ends the host for browsers and npm, and a shell or a list of paths reads on behind other signs.
 */
const OPENED_WITH =
  /(?<=:\/\/)[^\s/?#\\"'`(){}<>|;&]+(?=@)|(?<=:\/\/[^\s?]*\?)(?:[^\s\\"'`(){}<>|;:&$]|&(?=[\w.~%-]+=))+/g;

/** A shorter answer is hidden only where it is the whole value: `/` is in every path. */
const SHORTEST_SECRET = 4;

/** The value of a variable without the secrets in it. */
function openValue(value: string, answers: string[]): string {
  const long = answers.filter(({ length }) => length >= SHORTEST_SECRET);
  const open = long
    .toSorted((one, other) => other.length - one.length)
    .reduce((text, answer) => text.replaceAll(answer, '•••'), value);
  return open.replace(OPENED_WITH, '•••');
}
