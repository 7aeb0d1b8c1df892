import type { Block, InnerBlocks } from './block.ts';
import { indentOf, interrupts, isBlank, outdent } from './lines.ts';

/** The text of a footnote; its further blocks are indented. */
export class NoteBlock implements Block {
  readonly #blocks: InnerBlocks;

  constructor(blocks: InnerBlocks, line: string) {
    this.#blocks = blocks;
    blocks.line(line);
  }

  take(line: string): boolean {
    if (isBlank(line)) this.#blocks.line('');
    else if (indentOf(line) >= 2) this.#blocks.line(outdent(line, Math.min(4, indentOf(line))));
    else if (this.lazy() && !interrupts(line)) this.#blocks.line(line);
    else return false;
    return true;
  }

  more = (text: string): void => this.#blocks.more(text);
  draw = (open: boolean): void => this.#blocks.draw(open);
  close = (): void => this.#blocks.close();
  leaf = (): Element => this.#blocks.leaf();
  lazy = (): boolean => this.#blocks.lazy();
}
