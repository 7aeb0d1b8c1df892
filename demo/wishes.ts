import { withoutQuotes } from './texts.ts';

/** A full stop inside "e.g." or an ellipsis ends no sentence. */
const sentenceEnd = /(?:[!?]+|(?<!\.\p{L}?)\.)(?=\s|$)|;|\n\s*\n/gu;

/** Negations that ask for something all the same, or speak of nothing that could be done. */
const harmless =
  /\b(?:do not|don['’]?t) (?:worry|panic|mind)\s*[,–—]|\bnever mind\s*[,–—]|\b(?:do not|don['’]?t|never) (?:forget|hesitate) to\b/giu;

const without = /\bwithout\s+(?:ever\s+)?\p{L}+ing\b[^,]*(?:,\s*(?:or\s+)?\p{L}+ing\b[^,]*)*/giu;

const negation = /\b(?:not|never|cannot|dont|avoid|refrain|\p{L}+n['’]t)\b/iu;

/** Where the part of a sentence that is negated may begin, and where the part after it is a wish again. */
const partStart = /[,:(–—]\s|\(|\b(?:and|then|but|or)\s/giu;
const butRather = /\bbut\b|,\s*instead\b/iu;

/** How something is done, why, and whether one should: asks for words, not for the deed. */
const asksForWords = new RegExp(
  [
    'how (?:do|does|did|can|could|should|would|might|may|must|to|come|else|exactly)',
    'how (?:is|are|was|were) .*\\p{L}ed',
    'what (?:do|does|did|would|will) .*do',
    'what (?:happens|if|would happen|will happen)',
    'why',
    'should (?:i|we|one)',
    'is it (?:safe|possible|allowed|okay|ok|wise|dangerous)',
  ]
    .map((words) => `\\b${words.replaceAll(' ', '\\s+')}\\b`)
    .join('|'),
  'isu',
);

/**
 * The parts of a message that ask for something to be done, each in its place, the others blanked out: "Do not X",
 * "without doing X" and "How do I X?" ask for no X. When in doubt nothing is asked for. Quoted texts are left alone.
 */
export function wishes(message: string): string {
  const plain = withoutQuotes(message).replace(harmless, blotted);
  const ends = [...plain.matchAll(sentenceEnd)].map(({ 0: mark, index }) => index + mark.length);
  const starts = [0, ...ends];
  const wished = starts.map((start, index) => wishIn(plain.slice(start, ends[index]))).join('');
  return wished.replace(/[^]/g, (letter, index: number) => (letter === blot ? ' ' : message.charAt(index)));
}

/** Stands for a letter that asks for nothing; a space may be one of a quoted text. */
const blot = '\0';

function blotted(text: string): string {
  return blot.repeat(text.length);
}

function wishIn(sentence: string): string {
  if (asksForWords.test(sentence)) return blotted(sentence);
  return positivePart(sentence.replace(without, blotted));
}

function positivePart(sentence: string): string {
  const at = negation.exec(sentence)?.index;
  if (at === undefined) return sentence;
  const starts = [...sentence.slice(0, at).matchAll(partStart)].at(-1);
  const from = starts ? starts.index + starts[0].length : 0;
  const rest = butRather.exec(sentence.slice(at))?.index;
  const to = rest === undefined ? sentence.length : at + rest;
  return sentence.slice(0, from) + blotted(sentence.slice(from, to)) + positivePart(sentence.slice(to));
}
