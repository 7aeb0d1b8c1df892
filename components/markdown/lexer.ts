import {
  Lexer,
  Tokenizer,
  type MarkedOptions,
  type Token,
  type Tokens,
  type TokenizerExtensionFunction,
} from 'marked';
import { isTable } from './lines.ts';

export type MathToken = { type: 'math'; raw: string; tex: string; display: boolean };
/** `[text][label]`, `[label]` or `![alt][label]`: a link or an image once its label is defined. */
export type ReferenceToken = {
  type: 'reference';
  raw: string;
  label: string;
  image: boolean;
  text: string;
  tokens: Token[];
};
export type FootnoteToken = { type: 'footnote'; raw: string; label: string };
export type OwnToken = MathToken | ReferenceToken | FootnoteToken;

/**
 * The rules for formulas keep prices out: `$` opens before a character and not after a letter or a digit, closes after a
 * character and not before a letter or a digit, and a formula that starts with a digit has a sign of TeX in it.
 */
const dollars = /^\$(?![\s$])((?:\\[^\n]|[^\\$\n]){0,1000}?)(?<=\S)\$(?![\w$])/;
const mathStart = (src: string): number | undefined => /(?<![\w\\$])\$|\\[([]/.exec(src)?.index;
const math: TokenizerExtensionFunction = (src) => {
  const display = /^\$\$(?!\$)([^$\n]{1,2000}?)\$\$|^\\\[([^\n]{1,2000}?)\\\]/.exec(src);
  const [raw, tex] = display
    ? [display[0], display[1] ?? display[2] ?? '']
    : ((/^\\\(([^\n]{1,2000}?)\\\)/.exec(src) ?? dollars.exec(src) ?? []) as string[]);
  if (raw === undefined || tex === undefined || tex.trim() === '') return undefined;
  if (/^\$\d/.test(raw) && !/[\\^_={}+]/.test(tex)) return undefined;
  return { type: 'math', raw, tex, display: display !== null };
};

const reference: TokenizerExtensionFunction = function (src) {
  const note = /^\[\^([^\]\s]{1,80})\]/.exec(src);
  if (note) return { type: 'footnote', raw: note[0], label: note[1] ?? '' };
  const found = /^(!?)\[((?:\\[^\n]|[^\\[\]\n]){1,300})\](?!\()(?:\[([^\\[\]\n]{0,300})\])?/.exec(src);
  if (!found || this.lexer.state.inLink) return undefined;
  const [raw, bang, text = '', label] = found;
  return {
    type: 'reference',
    raw,
    label: label || text,
    image: bang === '!',
    text,
    tokens: bang === '!' ? [] : this.lexer.inlineTokens(text),
  };
};

const none = (): undefined => undefined;

/** HTML is text. */
class Rows extends Tokenizer {
  override html = none;
}

/** Longer blocks are split before (blocks.ts). */
class Prose extends Rows {
  override blockquote = none;
  override list = none;
  override fences = none;
  override table = none;
  override code = none;

  /** A footnote where none can be is text. */
  override def(src: string): Tokens.Def | undefined {
    return /^ {0,3}\[\^/.test(src) ? undefined : super.def(src);
  }
}

/** Made without the package's `Marked`, which would bring its parser and renderers. */
const optionsFor = (tokenizer: Tokenizer): MarkedOptions => ({
  gfm: true,
  breaks: true,
  tokenizer,
  extensions: {
    inline: [reference, math],
    startInline: [mathStart],
    renderers: {},
    childTokens: {},
  },
});
const prose = optionsFor(new Prose());
const rows = optionsFor(new Rows());

/** Paragraphs, headings, rules and definitions; undefined if the parser gives up. */
export function lexProse(text: string): Token[] | undefined {
  try {
    return Lexer.lex(text, prose);
  } catch {
    return undefined; // the parser found no end
  }
}

/** What stands in a paragraph; text as it is if the parser gives up. */
export function lexInline(text: string): Token[] {
  try {
    return Lexer.lexInline(text, prose);
  } catch {
    return [{ type: 'text', raw: text, text, escaped: false } satisfies Tokens.Text];
  }
}

/** @param head the table's first two lines; without a `row` the table is its head only */
export function lexTable(head: string, row = ''): Tokens.Table | undefined {
  const [first = '', second = ''] = head.split('\n');
  if (!isTable(first, second)) return undefined;
  try {
    const token = Lexer.lex(`${head}\n${row}`, rows).find(({ type }) => type === 'table');
    return token as Tokens.Table | undefined;
  } catch {
    return undefined; // the parser found no end
  }
}
