import type { Token } from 'marked';
import type { Block, Further } from './block.ts';
import { cutAt } from './cut.ts';
import { drawn, replace, settle, type Ink, type Shared } from './ink.ts';
import { drawInline } from './inline.ts';
import { lexInline, lexProse, lexTable } from './lexer.ts';
import { columnsOf, interrupts, isBlank, isHeading, isRule, isUnderline } from './lines.ts';
import { mend } from './mend.ts';
import { tableOf } from './table-block.ts';

/** Characters of a paragraph that are laid out together. */
const MOST = 6000;

/**
 * A paragraph, a heading, a rule or link definitions. A long paragraph is drawn in pieces, of which only the last is
 * open: so a word costs the same wherever it stands.
 */
export class ProseBlock implements Block {
  readonly #into: Element;
  readonly #shared: Shared;
  readonly #further: Further;
  /** What stands above. */
  readonly #above: ChildNode | null;
  #text: string;
  /** A heading or a rule, which has one line only. */
  #whole: boolean;
  /** The paragraph whose beginning is drawn for good, and its open piece. */
  #cut: { paragraph: Element; piece: Element; length: number } | undefined;
  #stale = true;

  constructor(into: Element, shared: Shared, line: string, further: Further) {
    this.#further = further;
    this.#into = into;
    this.#shared = shared;
    this.#above = into.lastChild;
    this.#text = line;
    this.#whole = isHeading(line) || isRule(line);
    this.#cutLong();
  }

  /** As far as it can be the head of a table. */
  get lastLine(): string | undefined {
    return this.#cut || this.#whole ? undefined : this.#text.slice(this.#text.lastIndexOf('\n') + 1);
  }

  withoutLastLine(): void {
    this.#text = this.#text.slice(0, Math.max(0, this.#text.lastIndexOf('\n')));
    this.#stale = true;
  }

  take(line: string): boolean {
    if (this.#whole || isBlank(line)) return false;
    const underline = isUnderline(line) && !this.#cut;
    if (!underline && interrupts(line)) return false;
    this.#whole = underline;
    this.more(`\n${line}`);
    return true;
  }

  more(text: string): void {
    this.#text += text;
    this.#stale = true;
    if (!this.#whole) this.#cutLong();
  }

  draw(open: boolean): void {
    if (!this.#stale) return;
    this.#stale = false;
    this.#show(open ? mend(this.#text) : this.#text, !open);
  }

  close(): void {
    this.#stale = true;
    this.draw(false);
  }

  leaf(): Element {
    const last = this.#cut?.paragraph ?? this.#into.lastElementChild;
    return last?.matches('p, h1, h2, h3, h4, h5, h6') ? last : this.#into;
  }

  lazy = (): boolean => !this.#whole;

  #show(text: string, final: boolean): void {
    const put = final ? replace : settle;
    if (this.#cut) {
      const { piece } = this.#cut;
      put(
        piece,
        drawn(this.#shared, final, (into, ink) => drawInline(lexInline(text), into, ink)),
      );
      return;
    }
    const nodes = drawn(this.#shared, final, (into, ink) => drawProse(text, into, ink));
    // Inside an item or a quote the direction is that of the whole, so that its marker stands where its text begins.
    if (this.#into.parentElement?.className === 'blocks')
      for (const node of nodes) if (node instanceof HTMLElement) node.dir = 'auto';
    put(this.#into, nodes, this.#above);
  }

  /** Draws what is long enough for good. */
  #cutLong(): void {
    for (let at = cutAt(this.#text); at > 0; at = cutAt(this.#text)) {
      this.#show(this.#text.slice(0, at), true);
      this.#text = this.#text.slice(at);
      const paragraph = this.#cut?.paragraph ?? this.#into.lastElementChild;
      if (paragraph?.localName !== 'p' || this.#into.lastChild === this.#above) return;
      const length = (this.#cut?.length ?? 0) + at;
      const piece = document.createElement('span');
      this.#cut =
        length < MOST ? { paragraph, piece, length } : { paragraph: this.#goOn(), piece, length: 0 };
      this.#cut.paragraph.append(piece);
    }
  }

  /** In another element, which begins with a line. */
  #goOn(): Element {
    const paragraph = document.createElement('p');
    paragraph.className = 'further';
    paragraph.dir = 'auto';
    this.#further().append(paragraph);
    return paragraph;
  }
}

function drawProse(text: string, into: Element, ink: Ink): void {
  const head = ink.final ? undefined : headOf(text);
  if (head) return void into.append(tableOf(head, ink));
  const tokens = lexProse(text) ?? [{ type: 'paragraph', raw: text, tokens: lexInline(text) }];
  for (const token of tokens) drawToken(token, into, ink);
}

/** What looks like a table's first row is shown as that before the second has come. */
function headOf(text: string): ReturnType<typeof lexTable> {
  const [head = '', second = ''] = text.split('\n');
  if (!/^ {0,3}\|[^|\n]*\|/.test(head) || second !== '') return undefined;
  return lexTable(`${head}\n|${' - |'.repeat(columnsOf(head))}`);
}

function drawToken(token: Token, into: Element, ink: Ink): void {
  if (token.type === 'space') return;
  if (token.type === 'def') {
    const { tag, href, title } = token as { tag: string; href: string; title?: string };
    if (ink.final) ink.shared.links.define(tag, { href, title: title ?? null });
    return;
  }
  if (token.type === 'hr') return into.append(document.createElement('hr'));
  const { depth, tokens } = token as { depth?: number; tokens?: Token[] };
  const element = document.createElement(token.type === 'heading' ? `h${depth ?? 1}` : 'p');
  if (tokens) drawInline(tokens, element, ink);
  else element.append(token.raw);
  into.append(element);
}
