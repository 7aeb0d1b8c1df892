import { Blocks } from './blocks.ts';
import { asTable, lexBlocks } from './lexer.ts';
import { Definitions, Footnotes } from './references.ts';

/**
 * What could make the page show another order of letters than there is, or carry invisible text: controls, bidi
 * overrides and isolates, tag characters. Marks and joiners that scripts and pictographs need stay.
 */
const UNSEEN = /(?![\t\n])[\p{Cc}\u202a-\u202e\u2066-\u2069\ufff9-\ufffb]|\u{e0001}|[\u{e0020}-\u{e007f}]/gu;

/** A line of nothing but marks, which says what it is with its next character. */
const UNDECIDED =
  // oxlint-disable-next-line portside/linear-regex -- tested on 200 characters
  /^(?:[ \t>]|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$))*(?:[-*_=+|:#~$\\\d.)[\]xX \t]*|`{1,2}|(?:`{3}|~{3})[^\n]*|\[\^[^\]\s]*\]?)$/;

/**
 * Markdown that is drawn while it comes. The same text is drawn the same, at once or in any pieces.
 * @param root where the document is drawn; what is in it is removed
 */
export function startDrawing(root: Element) {
  const body = document.createElement('div');
  body.className = 'blocks';
  root.replaceChildren(body);
  const blocks = new Blocks(body, { links: new Definitions(), notes: new Footnotes(body) });
  let seen = '';
  /** What is not closed yet, and half a character pair or half a line end that waits for the other half. */
  let source = '';
  let half = '';
  let caret: Element | undefined;
  const removeCaret = (): void => {
    caret?.classList.remove('caret');
    if (caret?.className === '') caret.removeAttribute('class');
    caret = undefined;
  };
  return {
    /** Draws what is new in `text`, which is all there is so far. @returns false if it does not begin with what was drawn */
    grow(text: string): boolean {
      if (!text.startsWith(seen)) return false;
      // It is no part of what is drawn: an element with it differs from the same one drawn again.
      removeCaret();
      const fresh = half + text.slice(seen.length);
      seen = text;
      half = /[\ud800-\udbff\r]$/.exec(fresh)?.[0] ?? '';
      source += fresh
        .slice(0, fresh.length - half.length)
        .replace(/\r\n?/g, '\n')
        .replace(UNSEEN, '');
      const line = source.lastIndexOf('\n') + 1;
      const tokens = lexBlocks(
        UNDECIDED.test(source.slice(line, line + 200)) ? source.slice(0, line) : source,
      );
      const last = tokens.at(-1);
      blocks.draw(last ? [...tokens.slice(0, -1), asTable(last)] : [], true);
      const closed = tokens.slice(0, closedIn(tokens));
      blocks.close(closed);
      source = source.slice(closed.reduce((length, { raw }) => length + raw.length, 0));
      caret = blocks.leaf();
      caret.classList.add('caret');
      return true;
    },
    /** Nothing more comes. */
    end(): void {
      removeCaret();
      blocks.draw(lexBlocks(source + half.replace('\r', '')), false);
    },
  };
}

export type Drawing = ReturnType<typeof startDrawing>;

/** How many of the first blocks nothing that is still to come can change: the last two may still be one. */
function closedIn(tokens: { type: string }[]): number {
  const blocks = [...tokens.keys()].filter((at) => tokens[at]?.type !== 'space');
  return blocks.at(-2) ?? 0;
}
