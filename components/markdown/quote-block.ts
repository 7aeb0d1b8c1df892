import type { Block, InnerBlocks } from './block.ts';
import { interrupts, isBlank, isQuote, withoutQuote } from './lines.ts';

/** A quote, whose blocks close one by one. */
export class QuoteBlock implements Block {
  readonly #blocks: InnerBlocks;

  constructor(into: Element, inner: (element: Element) => InnerBlocks, line: string) {
    const quote = document.createElement('blockquote');
    quote.dir = 'auto';
    into.append(quote);
    this.#blocks = inner(quote);
    this.#blocks.line(withoutQuote(line));
  }

  take(line: string): boolean {
    if (isQuote(line)) this.#blocks.line(withoutQuote(line));
    else if (!isBlank(line) && this.lazy() && !interrupts(line)) this.#blocks.line(line.trimStart());
    else return false;
    return true;
  }

  more = (text: string): void => this.#blocks.more(text);
  draw = (open: boolean): void => this.#blocks.draw(open);
  close = (): void => this.#blocks.close();
  leaf = (): Element => this.#blocks.leaf();
  lazy = (): boolean => this.#blocks.lazy();
}
