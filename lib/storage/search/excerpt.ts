import type { SearchHit } from '../../protocol/chats.ts';
import { fits, MOST_TEXT, type Term, wordsIn } from './words.ts';

type Range = { start: number; end: number; terms: Set<Term> };

/** Characters of an excerpt, and of those before its first word. */
const LENGTH = 160;
const BEFORE = 40;
/** Enough to choose from. */
const MOST_RANGES = 100;

/**
 * The part of a text that holds most of what is looked for, as it is written there.
 * @returns undefined when a term is not in the text (any more)
 */
export function excerptOf(text: string, terms: Term[]): SearchHit['excerpt'] | undefined {
  const searched = text.slice(0, MOST_TEXT);
  const ranges = rangesIn(searched, terms);
  const found = new Set(ranges.flatMap((range) => [...range.terms]));
  if (found.size < terms.length) return undefined;
  const first = bestOf(ranges);
  const start = edge(searched, Math.max(0, (first?.start ?? 0) - BEFORE));
  const end = edge(searched, Math.min(searched.length, start + LENGTH));
  return piecesOf(searched, start, Math.max(end, first?.end ?? 0), ranges);
}

/** Where the terms stand: names that begin at one place count once, with their shortest part that fits. */
function rangesIn(text: string, terms: Term[]): Range[] {
  const ranges: Range[] = [];
  const missing = new Set(terms);
  for (const { word, start, end } of wordsIn(text)) {
    const found = terms.filter((term) => fits(term, word));
    if (found.length === 0) continue;
    const last = ranges.at(-1);
    if (last && start < last.end) {
      if (start === last.start) last.end = Math.min(last.end, end);
      for (const term of found) last.terms.add(term);
    } else if (ranges.length < MOST_RANGES || found.some((term) => missing.has(term)))
      ranges.push({ start, end, terms: new Set(found) });
    for (const term of found) missing.delete(term);
    if (missing.size === 0 && ranges.length >= MOST_RANGES) break;
  }
  return ranges;
}

/** The range from which on most different terms are within sight. */
function bestOf(ranges: Range[]): Range | undefined {
  let best: Range | undefined;
  let most = 0;
  for (const [index, range] of ranges.entries()) {
    const near = ranges.slice(index).filter(({ end }) => end <= range.start + LENGTH - BEFORE);
    const { size } = new Set(near.flatMap(({ terms }) => [...terms]));
    if (size > most) [best, most] = [range, size];
  }
  return best ?? ranges[0];
}

/** Of one character, such as an emoji's: more has no language. */
const MOST_PARTS = 32;

/** A place near `at` that cuts no word, or at least no letter, in two. */
function edge(text: string, at: number): number {
  if (at === 0 || at === text.length) return at;
  const space = /\s/.exec(text.slice(at, at + 15));
  const cut = space ? at + space.index : at;
  const [parts = ''] = /^[\udc00-\udfff\p{M}\u200d]*/u.exec(text.slice(cut, cut + MOST_PARTS)) ?? [];
  return cut + parts.length;
}

function piecesOf(text: string, start: number, end: number, ranges: Range[]): SearchHit['excerpt'] {
  const pieces: SearchHit['excerpt'] = [];
  const add = (from: number, to: number, hit: boolean): void => {
    const piece = text.slice(from, to).replace(/\s+/g, ' ');
    if (piece !== '') pieces.push({ text: piece, hit });
  };
  let at = start;
  if (start > 0) pieces.push({ text: '…', hit: false });
  for (const range of ranges.filter((each) => each.start >= start && each.end <= end)) {
    add(at, range.start, false);
    add(range.start, range.end, true);
    at = range.end;
  }
  add(at, end, false);
  if (end < text.length) pieces.push({ text: '…', hit: false });
  return pieces;
}
