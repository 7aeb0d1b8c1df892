import type { Block } from './block.ts';
import { CodeBlock } from './code-block.ts';
import { FormulaBlock } from './formula-block.ts';
import type { Shared } from './ink.ts';
import { bulletOf, fenceOf, footnoteOf, indentOf, isBlank, isQuote, isTable, opensMath } from './lines.ts';
import { ListBlock } from './list-block.ts';
import { NoteBlock } from './note-block.ts';
import { ProseBlock } from './prose-block.ts';
import { QuoteBlock } from './quote-block.ts';
import { TableBlock } from './table-block.ts';

/** Lists and quotes in each other; what lies deeper is text. */
const DEEPEST = 8;

/** Blocks of a document that are laid out together. */
const PART = 12;

/**
 * A run of blocks, one below the other: those of a document, a list's item, a quote. Only the last is open; one that is
 * closed is never touched again. Which blocks there are is found line by line, by the rules of GFM for what starts and
 * ends a block; what stands in each is parsed by marked.
 */
export class Blocks {
  readonly into: Element;
  readonly #shared: Shared;
  readonly #depth: number;
  #open: Block | undefined;

  constructor(into: Element, shared: Shared, depth = 0) {
    this.into = into;
    this.#shared = shared;
    this.#depth = depth;
  }

  line(line: string): void {
    const head = this.#open instanceof ProseBlock ? this.#open.lastLine : undefined;
    if (head !== undefined && isTable(head, line)) return this.#table(head, line);
    if (this.#open?.take(line)) return;
    this.close();
    if (!isBlank(line)) this.#open = this.#begin(line);
  }

  more(text: string): void {
    this.#open?.more(text);
  }

  draw(open: boolean): void {
    this.#open?.draw(open);
  }

  close(): void {
    this.#open?.close();
    this.#open = undefined;
  }

  leaf(): Element {
    return this.#open?.leaf() ?? this.into;
  }

  lazy(): boolean {
    return this.#open?.lazy() ?? false;
  }

  /** What stood above the head of a table is a paragraph of its own. */
  #table(head: string, line: string): void {
    if (this.#open instanceof ProseBlock) this.#open.withoutLastLine();
    this.close();
    this.#open = new TableBlock(this.#place(), this.#shared, `${head}\n${line}`, this.#further);
  }

  /** Where the next block goes: in parts, of which those out of sight cost nothing; an item begins without one. */
  #place(): Element {
    const last = this.into.lastElementChild;
    const isPart = last?.className === 'stretch';
    const place = this.into.localName === 'li' && !isPart ? this.into : last;
    return place && place.childElementCount < PART ? place : this.#further();
  }

  readonly #further = (): Element => {
    const part = document.createElement('div');
    part.className = 'stretch';
    this.into.append(part);
    return part;
  };

  #begin(line: string): Block {
    const [shared, depth] = [this.#shared, this.#depth + 1];
    const inner = (element: Element): Blocks => new Blocks(element, shared, depth);
    const isCode = indentOf(line) >= 4;
    const [, label, text = ''] = (!isCode && footnoteOf(line)) || [];
    const note = label === undefined || depth > 1 ? undefined : shared.notes.define(label);
    if (note) return new NoteBlock(inner(note), text);
    const into = this.#place();
    if (isCode) return new CodeBlock(into, null, line);
    const fence = fenceOf(line);
    if (fence) return new CodeBlock(into, fence);
    if (opensMath(line)) return new FormulaBlock(into, shared, line);
    if (depth > DEEPEST) return new ProseBlock(into, shared, line, this.#further);
    if (isQuote(line)) return new QuoteBlock(into, inner, line);
    const bullet = bulletOf(line);
    return bullet
      ? new ListBlock(into, inner, bullet, this.#further)
      : new ProseBlock(into, shared, line, this.#further);
  }
}
