/** Characters of a text that are searched, and different words in them. */
export const MOST_TEXT = 100_000;
const MOST_WORDS = 5_000;
/** Characters of a word that count. */
const LONGEST_WORD = 64;
/** Of a longer name only the parts are words. */
const MOST_PARTS = 8;

/** A folded word of a text, and where in the text it stands. */
export type Word = { word: string; start: number; end: number };

/** Letters and digits, joined to names and numbers: `foo_bar`, `issue-1708`, `me@example.com`, `don't`, `1,000.5`. */
const NAME = /[\p{L}\p{N}\p{M}]+(?:(?:_+|[-.@'’‐‑]|(?<=\d),(?=\d))[\p{L}\p{N}\p{M}]+)*/gu;
const PART = /[\p{L}\p{N}\p{M}]+/gu;
/** Where a new part of a name begins by its case: `camelCase`, `HTTPServer`. */
const HUMP = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
/** Scripts that put no spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/**
 * The words of a text in order. A name is there from each of its parts to its end, and by its parts: `foo_bar` as
 * `foo_bar`, `foo` and `bar`.
 */
export function* wordsIn(text: string): Generator<Word> {
  for (const { 0: name, index } of text.matchAll(NAME)) {
    const parts = partsOf(name);
    const end = index + name.length;
    for (const [position, part] of parts.entries()) {
      const start = index + part.start;
      const isLast = position === parts.length - 1;
      if (!isLast && parts.length <= MOST_PARTS && !part.isSegment)
        yield* word(name.slice(part.start), start, end);
      yield* word(name.slice(part.start, part.end), start, index + part.end);
    }
  }
}

function* word(original: string, start: number, end: number): Generator<Word> {
  const folded = fold(original.slice(0, LONGEST_WORD)).slice(0, LONGEST_WORD);
  if (folded !== '') yield { word: folded, start, end };
}

type Part = { start: number; end: number; isSegment?: true };

function partsOf(name: string): Part[] {
  if (UNSPACED.test(name)) return segmentsOf(name);
  const parts: Part[] = [];
  for (const { 0: part, index } of name.matchAll(PART)) {
    let start = index;
    // What is longer is no name: its humps would be noise.
    for (const hump of part.length <= LONGEST_WORD ? part.split(HUMP) : [part]) {
      parts.push({ start, end: start + hump.length });
      start += hump.length;
    }
  }
  return parts;
}

function segmentsOf(name: string): Part[] {
  return [...segmenter.segment(name)]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ index, segment }) => ({ start: index, end: index + segment.length, isSegment: true }));
}

/** Accents and points of scripts that are read without them too. In others a mark is part of the letter. */
const MARKS = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/g;
const ALIKE: Record<string, string> = {
  ß: 'ss',
  ς: 'σ',
  ı: 'i',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
  '’': "'",
  '‐': '-',
};
const UNLIKE = new RegExp(`[${Object.keys(ALIKE).join('')}]`, 'g');
// oxlint-disable-next-line no-control-regex
const PLAIN = /^[\0-\x7f]*$/;

/** Without case and accents, in one form: what is written alike is the same word. */
function fold(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  const bare = text.normalize('NFKD').toLowerCase().replace(MARKS, '').normalize('NFC');
  return bare.replace(UNLIKE, (letter) => ALIKE[letter] ?? letter);
}

export function distinctWords(text: string): string[] {
  const words = new Set<string>();
  for (const { word: each } of wordsIn(text.slice(0, MOST_TEXT))) {
    words.add(each);
    if (words.size === MOST_WORDS) break;
  }
  return [...words];
}

/** What a text must hold: a word, or with `isPrefix` one that begins so. */
export type Term = { word: string; isPrefix: boolean };

const MOST_TERMS = 6;
/** A shorter word is looked for as a whole, unless it is still being typed. */
const SHORTEST_PREFIX = 3;

/** What a query asks for: names whole, without their parts. The last word may go on, and so may any longer one. */
export function termsOf(query: string): Term[] {
  const words: string[] = [];
  let covered = 0;
  for (const { word: each, start, end } of wordsIn(query.slice(0, 1_000))) {
    if (start < covered) continue;
    covered = end;
    if (!words.includes(each)) words.push(each);
  }
  const wanted = words.slice(0, MOST_TERMS);
  return wanted.map((each, index) => ({
    word: each,
    isPrefix: index === wanted.length - 1 || each.length >= SHORTEST_PREFIX,
  }));
}

export const fits = ({ word: wanted, isPrefix }: Term, found: string): boolean =>
  isPrefix ? found.startsWith(wanted) : found === wanted;
