import { withoutQuotes } from './texts.ts';

/** A full stop inside "e.g." or an ellipsis ends no sentence. */
const sentenceEnd = /(?:[!?]+|(?<!\.\p{L}?)\.)(?=\s|$)|;|\n\s*\n/gu;

/** Negations that ask for something all the same, or speak of nothing that could be done. */
const harmless =
  /\b(?:do not|don['’]?t) (?:worry|panic|mind)\s*[,–—]|\bnever mind\s*[,–—]|\bno (?:problem|worries)\s*[,–—]|\b(?:do not|don['’]?t|never) (?:forget|hesitate) to\b/giu;

const without =
  /\b(?:without|instead\s+of|rather\s+than)\s+(?:ever\s+)?\p{L}+ing\b[^,]*(?:,\s*(?:or\s+)?\p{L}+ing\b[^,]*)*/giu;

/** "with no X", "x: no" and "set x to no" give a parameter its value. */
const negation =
  /\b(?:not|never|cannot|dont|nobody|nothing|none|neither|nor|avoid|refrain|refuse|decline|stop|quit|cease|skip|omit|forget|\p{L}+n['’]t)\b|(?<!(?:\bwith|\bto|[:=])\s*)\bno\b/iu;

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
    'know (?:if|when|who|about)',
    'whether',
    "what(?:[’']s| is| are) (?:(?:the|an?) )?[\\p{L}\\p{N}_-]+ tools?",
    '(?:was|were|been) (?:\\p{L}+ )?\\p{L}+ed',
    'you (?:have |just |already )*(?!need)\\p{L}+ed',
  ]
    .map((words) => `\\b${words.replaceAll(' ', '\\s+')}\\b`)
    .join('|'),
  'isu',
);

/** What a sentence may begin with before it comes to its point. */
const opening =
  /^(?:\W*\b(?:please|hey|hi|hello|so|and|but|or|well|ok|okay|now|then|also|just|(?:can|could|will|would) you)\b)*\W*/iu;

/** Questions to be answered with yes, no or a time, requests for an explanation, and statements that are no wish. */
const opensWithoutWish = new RegExp(
  [
    'when|who|whose|is|are|am|was|were|did|does|has|had|(?:do|have) (?:i|we|you|they)',
    '(?:can|could|will|would|may|might|must|shall|should)(?! you)',
    'explain|describe|discuss|(?:tell|remind) (?:me|us) (?:about|if|when|who)',
    "(?:i|we|he|she|they|it)(?!(?:[’']d| would) (?:like|love)\\b|(?: just| really)? (?:want|need|wish)\\b)",
  ]
    .map((words) => `^(?:${words.replaceAll(' ', '\\s+')})\\b`)
    .join('|'),
  'iu',
);

/**
 * The parts of a message that ask for something to be done, each in its place, the others blanked out: "Do not X",
 * "without doing X", "How do I X?", "Is X done?" and "I did X" ask for no X. When in doubt nothing is
 * asked for. Quoted texts are left alone.
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
  if (asksForWords.test(sentence) || opensWithoutWish.test(sentence.replace(opening, '')))
    return blotted(sentence);
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
