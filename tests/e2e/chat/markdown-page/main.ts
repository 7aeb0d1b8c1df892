import '../../../../components/ui/tokens.css';
import '../../../../components/ui/base.css';
import '../../../../components/panel.css';
import '../../../../components/chat/message/message.css';
import '../../../../components/markdown/markdown.css';
import { startDrawing } from '../../../../components/markdown/streaming.ts';
import { offences } from '../../support/offences.ts';

/** What tests and benches do with the renderer, in a page without an extension around it. */
const page = {
  startDrawing,
  offences,
  /** Draws a text in pieces that end at `ends`. @returns the page's HTML, with neighbouring texts as one */
  draw(text: string, ends: number[] = []): string {
    const root = document.createElement('div');
    const drawing = startDrawing(root);
    for (const end of [...ends, text.length]) drawing.grow(text.slice(0, end));
    drawing.end();
    root.normalize();
    return root.innerHTML;
  },
  /** The same into the page, left open. @returns its HTML */
  show(text: string, ended = false): string {
    const root = document.getElementById('app') ?? document.body;
    const drawing = startDrawing(root);
    drawing.grow(text);
    if (ended) drawing.end();
    return root.innerHTML;
  },
};

export type MarkdownPage = typeof page;
Object.assign(window, { markdown: page });
