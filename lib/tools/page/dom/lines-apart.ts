/** Stands for words that the page changes by itself. */
const ANY = '\u{E000}';

/**
 * @param all words of what the page changes by itself
 * @param idle those of what did so while nothing was done: what comes of it is its own without anything that went, too
 */
export function linesApart(gone: string[], came: string[], all: Iterable<string>, idle: Set<string>) {
  const words = [...all].toSorted((a, b) => b.length - a.length);
  const others = words.filter((each) => idle.has(each));
  const masked = (line: string): string => words.reduce(withoutWord, line);
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
