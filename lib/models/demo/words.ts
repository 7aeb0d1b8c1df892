/** Words that say nothing about which tool is meant. */
const stopWords = new Set(
  (
    'a an and also any are as ask at be but by call can could data did do does each for from get gets give given has ' +
    'have hello help hey hi how i if in input into is it its just let like make many may me mcp me much my need no not ' +
    'now of on one or our out output please return returns run server should show so some tell than thank thanks that ' +
    'the their them then there these they thing this to tool tools up us use used using want was we were what when ' +
    'where which who why will with word would yes you your'
  ).split(' '),
);

/** Few enough to be read at a glance: what people say for what tools are called. */
const synonyms: Record<string, string> = {
  add: 'sum',
  plus: 'sum',
  total: 'sum',
  repeat: 'echo',
  say: 'echo',
  times: 'multiply',
  product: 'multiply',
  picture: 'image',
  forecast: 'weather',
};

/** Cuts the endings of English plurals and verb forms; crude, the same on both sides of a comparison. */
export function stem(word: string): string {
  const base = word
    .replace(/ies$/, 'y')
    .replace(/(ss|sh|ch|x)es$/, '$1')
    .replace(/(?<=[^su])s$/, '')
    .replace(/(?<=\w{3})(ing|ed)$/, '')
    .replace(/([bdgmnprt])\1$/, '$1');
  const trimmed = base.length > 3 ? base.replace(/e$/, '') : base;
  return synonyms[word] ?? synonyms[base] ?? trimmed;
}

/** The stems of the words that carry meaning, in order, without repeats; `getSum2` and `get-sum` both give `sum`. */
export function meaningfulStems(text: string): string[] {
  const words = text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => /\p{L}{2}/u.test(word) && !stopWords.has(word));
  return [...new Set(words.map(stem))];
}
