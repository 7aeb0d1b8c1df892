import { withoutInvisible } from '../invisible.ts';
import { textsIn } from '../json.ts';
import type { Quote } from '../types/tools/approval.ts';
import type { Foreign } from './taint.ts';

/** So many characters that are the same are no accident. */
const QUOTE = 12;
/** Characters of arguments and of foreign text that are compared. */
const MOST_ARGUMENTS = 50_000;
const MOST_FOREIGN = 500_000;
/**
 * What text may be encoded as, with room for a quote. What stands before it may be of the same characters, as a path before
 * Base64 is: it is read from each of the `starts` first ones.
 */
const ENCODED: { runs: RegExp; starts: number; decode: (run: string) => string }[] = [
  {
    runs: /[\w+/-]{16,}={0,2}/g,
    starts: 4,
    decode: (run) => {
      const plain = run
        .replaceAll('-', '+')
        .replaceAll('_', '/')
        .replace(/={1,2}$/, '');
      const whole = plain.length % 4 === 1 ? plain.slice(0, -1) : plain;
      return fromBytes([...atob(whole)].map((unit) => unit.charCodeAt(0)));
    },
  },
  { runs: /[\da-f]{24,}/gi, starts: 2, decode: (run) => fromHex(run) },
  {
    runs: /\S+/g,
    starts: 1,
    decode: (run) => run.replaceAll(/(?:%[\da-f]{2})+/gi, (bytes) => fromHex(bytes.replaceAll('%', ''))),
  },
  {
    runs: /[\u{e0020}-\u{e007e}]{12,}/gu,
    starts: 1,
    decode: (run) => String.fromCodePoint(...[...run].map((tag) => tag.codePointAt(0)! - 0xe0000)),
  },
];

/** What is no text there becomes replacement characters. */
const fromBytes = (bytes: Iterable<number>): string => new TextDecoder().decode(Uint8Array.from(bytes));
const fromHex = (digits: string): string =>
  fromBytes((digits.match(/../g) ?? []).map((pair) => parseInt(pair, 16)));

/** A stretch of text that is looked for; `whole` stands for it in the arguments, where that is encoded. */
type Stretch = { text: string; whole?: string[]; ends: number[]; by: (string | undefined)[] };

/**
 * The pieces of a call's arguments that stand word for word in foreign text, also encoded or spread over several arguments,
 * and not in what the user wrote. Of that, what stands in a server's prompt is the server's, though the user edited it.
 * @param written the user's messages
 */
export function quotesIn(args: unknown, foreign: Foreign[], written: string): Quote[] {
  const { leaves, names: named } = comparedOf(args);
  const all = joined(leaves);
  const names = named.map((name) => joined([name]));
  const single = [...leaves.map((leaf) => joined([leaf])), ...names];
  const stretches = [all, ...names, ...single.flatMap(asSeen), ...[all, ...single].flatMap(decoded)];
  const grams = new Map<string, [Stretch, number][]>();
  for (const stretch of stretches) {
    for (let at = 0; at + QUOTE <= stretch.text.length; at += 1) {
      const gram = stretch.text.slice(at, at + QUOTE);
      const known = grams.get(gram);
      if (known) known.push([stretch, at]);
      else grams.set(gram, [[stretch, at]]);
    }
  }
  const most = shareOf(foreign);
  const mark = ({ from, text }: Foreign): void => {
    const seen = withoutInvisible(text.slice(0, most)).text; // as the model read it
    for (let at = 0; at + QUOTE <= seen.length; at += 1) {
      const gram = seen.slice(at, at + QUOTE);
      for (const [{ by }, start] of grams.get(gram) ?? []) by.fill(from, start, start + QUOTE);
      grams.delete(gram);
    }
  };
  const latest = foreign.toReversed();
  latest.filter((each) => each.isTyped).forEach(mark);
  for (let at = 0; at + QUOTE <= written.length; at += 1) grams.delete(written.slice(at, at + QUOTE));
  latest.filter((each) => !each.isTyped).forEach(mark);
  const quotes = stretches.flatMap(quotesOf).map((quote): [string, Quote] => [JSON.stringify(quote), quote]);
  return [...new Map(quotes).values()];
}

/** Whether there is more than what is compared, of the arguments or of the foreign text. */
export const isPartlyCompared = (args: unknown, foreign: Foreign[]): boolean =>
  textsIn(args).reduce((sum, { text }) => sum + text.length, 0) > MOST_ARGUMENTS ||
  foreign.some(({ text, isCut }) => isCut || text.length > shareOf(foreign));

/** Of all that a call's arguments hold together, as much as is compared. */
function comparedOf(args: unknown): { leaves: string[]; names: string[] } {
  let left = MOST_ARGUMENTS;
  const cut = (texts: { text: string }[]): string[] =>
    texts.flatMap(({ text }) => {
      const kept = text.slice(0, left);
      left -= kept.length;
      return kept || [];
    });
  const all = textsIn(args);
  return {
    leaves: cut(all.filter(({ of }) => of !== undefined)),
    names: cut(all.filter(({ of }) => of === undefined)),
  };
}

/** Characters of each foreign text that are compared: what short ones leave is for the long, lest one take all. */
function shareOf(foreign: Foreign[]): number {
  let left = MOST_FOREIGN;
  const lengths = foreign.map(({ text }) => text.length).toSorted((one, other) => one - other);
  for (const [at, length] of lengths.entries()) {
    const share = Math.floor(left / (lengths.length - at));
    if (length > share) return share;
    left -= length;
  }
  return MOST_FOREIGN;
}

function joined(leaves: string[]): Stretch {
  const text = leaves.join('');
  let end = 0;
  return { text, ends: leaves.map((leaf) => (end += leaf.length)), by: Array.from({ length: text.length }) };
}

/** What is invisible keeps no quote apart. */
function asSeen({ text: leaf }: Stretch): Stretch[] {
  const { text, invisible } = withoutInvisible(leaf);
  const by = Array.from({ length: text.length }, () => undefined);
  return invisible === 0 ? [] : [{ text, whole: [leaf], ends: [text.length], by }];
}

function decoded({ text: leaf, ends: all }: Stretch): Stretch[] {
  return ENCODED.flatMap(({ runs, starts, decode }) => {
    let next = 0;
    return [...leaf.matchAll(runs)].flatMap(({ 0: run, index }) => {
      const cuts = [index];
      // Both are in order: a search among all of them for each run would take the square.
      for (; next < all.length && all[next]! < index + run.length; next += 1)
        if (all[next]! > cuts.at(-1)!) cuts.push(all[next]!);
      cuts.push(index + run.length);
      const whole = cuts.slice(1).map((end, at) => leaf.slice(cuts[at], end));
      return Array.from({ length: starts }, (_none, start) => run.slice(start)).flatMap((part) => {
        try {
          const text = decode(part);
          if (text === part) return [];
          return [{ text, whole, ends: [text.length], by: Array.from({ length: text.length }) }];
        } catch {
          return []; // it only looked encoded
        }
      });
    });
  });
}

/** Runs of characters of one source, each within one argument. */
function quotesOf({ text, whole, ends, by }: Stretch): Quote[] {
  const source = by.find((from) => from !== undefined);
  if (whole !== undefined)
    return source === undefined ? [] : whole.map((part) => ({ text: part, from: source }));
  const quotes: Quote[] = [];
  const isEnd = new Set(ends);
  let start = 0;
  for (let at = 1; at <= by.length; at += 1) {
    if (at < by.length && by[at] === by[start] && !isEnd.has(at)) continue;
    const from = by[start];
    if (from !== undefined) quotes.push({ text: text.slice(start, at), from });
    start = at;
  }
  return quotes;
}
