import { Blocks } from './blocks.ts';
import { Footnotes } from './footnotes.ts';
import { Definitions } from './references.ts';
import { Source } from './source.ts';

/** Markdown that is drawn while it comes. The same text is drawn the same, at once or in any pieces. */
export type Drawing = {
  /** Draws what is new in `text`, which is all there is so far. @returns false if it does not begin with what was drawn */
  grow: (text: string) => boolean;
  /** Nothing more comes. */
  end: () => void;
};

/**
 * @param root where the document is drawn; what is in it is removed
 */
export function startDrawing(root: Element): Drawing {
  const body = document.createElement('div');
  body.className = 'blocks';
  root.replaceChildren(body);
  const blocks = new Blocks(body, { links: new Definitions(), notes: new Footnotes(body) });
  const source = new Source(blocks);
  let seen = '';
  let caret: Element | undefined;
  const removeCaret = (): void => {
    caret?.classList.remove('caret');
    if (caret?.className === '') caret.removeAttribute('class');
    caret = undefined;
  };
  return {
    grow(text) {
      if (!text.startsWith(seen)) return false;
      // It is no part of what is drawn: an element with it differs from the same one drawn again.
      removeCaret();
      source.append(text.slice(seen.length));
      seen = text;
      blocks.draw(true);
      caret = blocks.leaf();
      caret.classList.add('caret');
      return true;
    },
    end() {
      source.end();
      blocks.close();
      removeCaret();
    },
  };
}
