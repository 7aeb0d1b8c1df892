/** Repetitions that a pattern may have: on short texts (check-arguments.ts) these end soon. One without `^` has one more. */
const MOST_REPEATS = 2;
const LONGEST = 200;

/**
 * True when testing the pattern on a short text surely ends soon: a repeated group holds neither repetition nor choice,
 * there are few of both, and nothing looks around or back. Many a harmless pattern fails this as well.
 */
export function isSafePattern(pattern: string): boolean {
  if (pattern.length > LONGEST || /\(\?(?!:)|\\[1-9k]/.test(pattern) || !compiles(pattern)) return false;
  // oxlint-disable-next-line portside/linear-regex -- at most LONGEST characters
  const bare = pattern.replace(/\\./gs, 'e').replace(/\[(?:[^\]])*\]/g, 'c');
  /** For each open group: whether it holds a repetition or a choice. */
  const groups: boolean[] = [false];
  let costs = pattern.startsWith('^') ? 0 : 1;
  let closed = false;
  for (const [token] of bare.matchAll(/\(\?:|[()|]|[*+?]\??|\{[\d,]+\}\??|[^]/g)) {
    const repeats = /^(?:[*+?]|\{)/.test(token);
    const exact = /^\{\d+\}/.test(token);
    if (token.startsWith('(')) groups.push(false);
    else if (repeats && closed) return false;
    if (token === '|' || (repeats && !exact)) {
      costs += 1;
      groups[groups.length - 1] = true;
    }
    closed = token === ')' && (groups.pop() ?? false);
    if (closed) groups[groups.length - 1] = true;
  }
  return costs <= MOST_REPEATS;
}

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false; // that it does not is the answer
  }
}
