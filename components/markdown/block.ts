/**
 * A block that is still open. What it does with a line depends on that line only, never on the pieces it came in: so
 * an answer that streamed and the same answer drawn at once are the same.
 */
export type Block = {
  /** Takes the line if it belongs to the block. What was taken may go on in `more`. */
  take: (line: string) => boolean;
  /** The line just taken goes on. */
  more: (text: string) => void;
  /** Shows what was taken and is not shown yet. `open`: more may come, so what is half said is not shown raw. */
  draw: (open: boolean) => void;
  /** Nothing comes any more. Draws what is left; from now on nothing of it changes. */
  close: () => void;
  /** Where the text grows. */
  leaf: () => Element;
  /** Whether it ends in a paragraph, which goes on in lines without the marks of what it stands in. */
  lazy: () => boolean;
};

/** The blocks in a list's item, a quote or a footnote, one below the other (blocks.ts). */
export type InnerBlocks = Omit<Block, 'take'> & { readonly into: Element; line: (line: string) => void };

/** Where a block goes on that has become long: a place that is laid out by itself. */
export type Further = () => Element;
