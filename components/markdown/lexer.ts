import {
  Lexer,
  Tokenizer,
  type MarkedOptions,
  type Token,
  type TokenizerExtensionFunction,
  type Tokens,
} from 'marked';
import { cutAt, SOFT } from './cut.ts';

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

/** `[^label]: text`, with the blocks of the text. */
export type NoteToken = { type: 'note'; raw: string; label: string; text: string; tokens: BlockToken[] };
/** `cut`: the paragraph goes on in the next token. */
export type ParagraphToken = Pick<Tokens.Paragraph, 'type' | 'raw' | 'text'> & { cut?: boolean };
export type BlockToken =
  | Tokens.Space
  | Tokens.Code
  | Tokens.Heading
  | Tokens.Hr
  | Tokens.Blockquote
  | Tokens.List
  | Tokens.Table
  | Tokens.Def
  | ParagraphToken
  | MathToken
  | NoteToken;

/** Lists and quotes in each other; what lies deeper is text. */
const DEEPEST = 8;
/** Items of a list that are one token, so that those before them are closed while it grows. */
const MOST_ITEMS = 40;
/** Characters of a quote that are one token: marked takes the square of the lines that have no mark. */
const LONGEST_QUOTE = 8000;
/** Characters in which the end of a paragraph is looked for at first: marked takes the square of its lines. */
const WINDOW = 4000;
/** Cells of a table that has fewer characters than cells: marked fills each row up to as many as its head has. */
const MOST_CELLS = 1_000;

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

/** A formula in lines of its own, none of them blank. One that has no end, or none yet, is a paragraph. */
const mathBlock: TokenizerExtensionFunction = function (src) {
  if (!/^ {0,3}(?:\$\$|\\\[)/.test(src)) return undefined;
  const found =
    /^ *(?:\$\$((?:(?!\n[ \t]*\n)[^]){1,8000}?)\$\$|\\\[((?:(?!\n[ \t]*\n)[^]){1,8000}?)\\\])/.exec(src);
  if (!found) {
    const text = /^(?:(?!\n[ \t]*\n)[^]){0,8000}/.exec(src)?.[0] ?? '';
    // As marked's own paragraph is queued: a lazy line of a quote is merged into both.
    return { type: 'paragraph', raw: text, text, tokens: this.lexer.inline(text) };
  }
  const rest = /^[.,;:]?[ \t]*(?:\n|$)/.exec(src.slice(found[0].length))?.[0];
  const tex = found[1] ?? found[2] ?? '';
  if (rest === undefined || tex.trim() === '') return undefined;
  return { type: 'math', raw: found[0] + rest, tex, display: true };
};

/** What ends a paragraph and is not marked's. */
const interrupts = /\n {0,3}(?:\$\$|\\\[|\[\^[^\]\s]{1,80}\]:)/;

/** In one line, or in two of which the second begins with the address. */
const definition: TokenizerExtensionFunction = (src) => {
  const found =
    /^ {0,3}\[(?!\^)((?:\\[^\n]|[^\\[\]\n]){1,300})\]:[ \t]*(?:\n[ \t]*)?(?:<([^<>\n]*)>|([^<\s]\S*))(?:[ \t]+(?:"([^"\n]*)"|'([^'\n]*)'|\(([^()\n]*)\)))?[ \t]*(?:\n|$)/.exec(
      src,
    );
  if (!found) return undefined;
  const [raw, tag = '', pointed, bare, ...titles] = found;
  return { type: 'def', raw, tag, href: pointed ?? bare ?? '', title: titles.find(Boolean) };
};

const none = (): undefined => undefined;
const box = /^\[[ xX]\] /;

/** HTML is text. */
class Blocks extends Tokenizer {
  #depth = 0;
  override html = none;
  override def = none;

  #nested<T>(lex: () => T): T | undefined {
    if (this.#depth >= DEEPEST) return undefined;
    this.#depth += 1;
    try {
      return lex();
    } finally {
      this.#depth -= 1;
    }
  }

  note(src: string): NoteToken | undefined {
    if (this.#depth > 0) return undefined;
    const found =
      /^ {0,3}\[\^([^\]\s]{1,80})\]:[ \t]*([^\n]*(?:\n+(?: {2}|\t)[^\n]+|\n(?! {0,3}(?:\[\^|[-*+>#|$]|\d+[.)]|```|~~~)|[ \t]*(?:\n|$))[^\n]+)*)\n?/.exec(
        src,
      );
    if (!found) return undefined;
    const [raw, label = '', indented = ''] = found;
    const text = indented.replace(/^(?: {2,4}|\t)/gm, '');
    const tokens = this.#nested(() => this.lexer.blockTokens(text)) as BlockToken[];
    return { type: 'note', raw, label, text, tokens };
  }

  override blockquote(src: string): Tokens.Blockquote | undefined {
    const end = src.length > LONGEST_QUOTE ? src.lastIndexOf('\n', LONGEST_QUOTE) + 1 : 0;
    return this.#nested(() => super.blockquote(end > 0 ? src.slice(0, end) : src));
  }

  override list(src: string): Tokens.List | undefined {
    const list = this.#nested(() => super.list(src));
    // The box is in the first paragraph of an item, or before it: whether there are blank lines makes no difference here.
    for (const item of list?.items ?? []) {
      item.tokens = item.tokens.filter(({ type }) => type !== 'checkbox');
      const [first] = item.tokens;
      if (!item.task || first?.type !== 'paragraph') continue;
      first.raw = first.raw.replace(box, '');
      first['text'] = String(first['text']).replace(box, '');
    }
    return list;
  }

  /** Looks for the rows only where a head is: marked would look through all that follows. What is made of blanks alone is none. */
  override table(src: string): Tokens.Table | undefined {
    const head = /^[^\n]*\n[^\n]*/.exec(src)?.[0];
    const columns = head === undefined ? 0 : (super.table(head)?.header.length ?? 0);
    if (columns === 0) return undefined;
    const text = src.split(/\n[ \t]*\n/, 1)[0] ?? '';
    const cells = columns * text.split('\n').length;
    return cells > Math.max(text.length, MOST_CELLS) ? undefined : super.table(src);
  }

  /** A long paragraph is several tokens, so that those before them are closed while it grows. */
  override paragraph(src: string): (Tokens.Paragraph & ParagraphToken) | undefined {
    const near = src.slice(0, WINDOW);
    const line = near.search(interrupts) + 1;
    const holdsPicture = line === 0 && near.includes('](data:image/');
    const found = super.paragraph(holdsPicture ? src : line > 0 ? near.slice(0, line) : near);
    if (!found) return undefined;
    const at = cutAt(found.text);
    const own = found.raw.search(interrupts);
    const cut = at >= 0 && (own < 0 || at < own);
    const end = cut ? at : own;
    return end < 0 ? found : { ...found, raw: found.raw.slice(0, end), text: found.text.slice(0, end), cut };
  }

  /** In an item without blank lines too. */
  override text(src: string): Tokens.Text | undefined {
    return this.paragraph(src) as unknown as Tokens.Text | undefined;
  }

  /** An underline beneath a text that may have been cut is none. */
  override lheading(src: string): Tokens.Heading | undefined {
    const found = super.lheading(src.slice(0, SOFT));
    return found && found.raw.length < SOFT && !interrupts.test(found.raw) ? found : undefined;
  }
}

const tokenizer = new Blocks();
const note: TokenizerExtensionFunction = (src) => tokenizer.note(src);

/** Made without the package's `Marked`, which would bring its parser and renderers. */
const options: MarkedOptions = {
  gfm: true,
  breaks: true,
  tokenizer,
  extensions: {
    block: [mathBlock, note, definition],
    inline: [reference, math],
    startInline: [mathStart],
    renderers: {},
    childTokens: {},
  },
};

/** The blocks of a text, without what stands in them; a paragraph if the parser gives up. */
export function lexBlocks(text: string): BlockToken[] {
  try {
    return (new Lexer(options).blockTokens(text) as BlockToken[]).flatMap(split);
  } catch {
    return [{ type: 'paragraph', raw: text, text }]; // the parser found no end
  }
}

function split(token: BlockToken): BlockToken[] {
  if (token.type !== 'list' || token.items.length <= MOST_ITEMS) return [token];
  const items = token.items.slice(0, MOST_ITEMS);
  const raw = items.map((item) => item.raw).join('');
  const rest = { ...token, items: token.items.slice(MOST_ITEMS), raw: token.raw.slice(raw.length) };
  return [{ ...token, items, raw }, ...split(rest)];
}

/** Like a table's first row: shown as that before the second has come. */
export function asTable(token: BlockToken): BlockToken {
  if (token.type !== 'paragraph' || !/^ {0,3}\|[^|\n]*\|[^\n]*\n?$/.test(token.raw)) return token;
  const cells = token.text
    .trim()
    .replace(/\\\|/g, '')
    .replace(/^\||\|$/g, '')
    .split('|');
  return lexBlocks(`${token.text}\n|${' - |'.repeat(cells.length)}`)[0] ?? token;
}

/**
 * What stands in a piece of a paragraph, a heading or a cell; text as it is if the parser gives up. What is longer than a
 * piece is read in pieces: marked takes the square of what is open.
 */
export function lexInline(text: string): Token[][] {
  const pieces: Token[][] = [];
  for (let rest = text; rest !== '';) {
    const at = cutAt(rest);
    const piece = at < 0 ? rest : rest.slice(0, at);
    rest = rest.slice(piece.length);
    try {
      pieces.push(Lexer.lexInline(piece, options));
    } catch {
      pieces.push([{ type: 'text', raw: piece, text: piece, escaped: false } satisfies Tokens.Text]);
    }
  }
  return pieces;
}
