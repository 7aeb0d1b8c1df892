import { signal } from '@preact/signals';
import { h, render } from 'preact';
import '../../../../components/ui/tokens.css';
import '../../../../components/ui/base.css';
import '../../../../components/panel.css';
import '../../../../components/chat/message/message.css';
import '../../../../components/markdown/markdown.css';
import { Markdown } from '../../../../components/markdown/markdown.tsx';
import { sanitise } from '../../../../components/markdown/sanitise.ts';
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
  /** What the sanitiser leaves of HTML as it would be drawn. */
  sanitise(html: string): string {
    const root = new DOMParser().parseFromString(`<div>${html}`, 'text/html').querySelector('div');
    if (root) sanitise(root);
    return root?.innerHTML ?? '';
  },
  /** The same into the page, left open. @returns its HTML */
  show(text: string, ended = false): string {
    const root = document.getElementById('app') ?? document.body;
    const drawing = startDrawing(root);
    drawing.grow(text);
    if (ended) drawing.end();
    return root.innerHTML;
  },
  /** A text that comes in one piece and is whole at once. @returns characters that are drawn after each task, and the HTML in the end */
  async arrive(text: string): Promise<{ drawn: number[]; html: string }> {
    const root = document.createElement('div');
    document.body.append(root);
    const coming = signal('');
    render(h(Markdown, { text: coming }), root);
    coming.value = text;
    render(h(Markdown, { text }), root);
    const drawn = [];
    do {
      drawn.push(root.textContent?.length ?? 0);
      await new Promise((resolve) => setTimeout(resolve));
    } while (drawn.at(-1) !== root.textContent?.length);
    const html = root.querySelector('.prose')?.innerHTML ?? '';
    root.remove();
    return { drawn, html };
  },
};

export type MarkdownPage = typeof page;
Object.assign(window, { markdown: page });
