/** What is drawn anew has another one. */
export const withoutRef = (line: string): string => line.replace(/ \[ref=\w+\]/, ' [ref]');

/** Stands for words that the page changes by itself. */
const ANY = '\u{E000}';

/**
 * Words of a place that the page changes by itself. `isIdle`: it did so while nothing was done; what comes of it is its own
 * without anything that went, too.
 */
export type OwnWords = { words: Iterable<string>; isIdle: boolean };

export function linesApart(gone: string[], came: string[], own: OwnWords[]) {
  const byLength = (words: Iterable<string>): string[] => [...words].toSorted((a, b) => b.length - a.length);
  const places = placesOf(own);
  const words = byLength(places.keys());
  const others = byLength(new Set(own.flatMap((each) => (each.isIdle ? [...each.words] : []))));
  /** With the places of its words: a clock's line takes the place of no message. */
  const masked = (line: string): string => {
    const its = new Set<number | undefined>();
    const rest = words.reduce((left, word) => {
      const now = withoutWord(left, word);
      if (now !== left) its.add(places.get(word));
      return now;
    }, withoutRef(line));
    return `${rest} ${[...its].toSorted().join(' ')}`;
  };
  const counts = (lines: string[]): Map<string, number> => {
    const found = new Map<string, number>();
    for (const line of lines.map(masked)) if (line.includes(ANY)) found.set(line, (found.get(line) ?? 0) + 1);
    return found;
  };
  const split = (lines: string[], other: string[]) => {
    const left = counts(other);
    const isPaired = (line: string): boolean => {
      const as = masked(line);
      const count = left.get(as) ?? 0;
      left.set(as, count - 1);
      return count > 0;
    };
    return Map.groupBy(lines, (line) => isPaired(line) || isNothingElse(others.reduce(withoutWord, line)));
  };
  const [left, added] = [split(gone, came), split(came, gone)];
  return {
    gone: left.get(false) ?? [],
    came: added.get(false) ?? [],
    byItself: [
      ...(left.get(true) ?? []).map((line) => `- ${line}`),
      ...(added.get(true) ?? []).map((line) => `+ ${line}`),
    ],
  };
}

/** Of each word the place that changes it; those that share one are one. */
function placesOf(own: OwnWords[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const [at, each] of own.entries()) {
    const words = [...each.words];
    const shared = new Set(words.flatMap((word) => places.get(word) ?? []));
    for (const [word, place] of places) if (shared.has(place)) places.set(word, at);
    for (const word of words) places.set(word, at);
  }
  return places;
}

/** A line of a role and such words alone. */
const isNothingElse = (line: string): boolean =>
  line.includes(ANY) && !/[\p{L}\p{N}]/u.test(line.replace(/^- [\w/]+/, '').replaceAll(/ \[[^\]]*\]/g, ''));

const isLetter = (text: string, at: number): boolean => /[\p{L}\p{N}]/u.test(text.charAt(at));

/** A line with a mark in the place of a word, where that is not a part of another one. */
function withoutWord(line: string, word: string): string {
  let masked = '';
  let from = 0;
  for (let at = line.indexOf(word); at !== -1; at = line.indexOf(word, from)) {
    const end = at + word.length;
    const isPart =
      (isLetter(word, 0) && isLetter(line, at - 1)) ||
      (isLetter(word, word.length - 1) && isLetter(line, end));
    masked += line.slice(from, at) + (isPart ? word : ANY);
    from = end;
  }
  return masked + line.slice(from);
}
