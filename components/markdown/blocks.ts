import type { Token, Tokens } from 'marked';
import { codeView } from './code.tsx';
import { formulaView } from './formula.ts';
import { addTo, drawn, settle, type Shared } from './ink.ts';
import { drawText } from './inline.ts';
import type { BlockToken } from './lexer.ts';
import { mend } from './mend.ts';
import { Sequence, type View } from './sequence.ts';
import { tableView } from './table.ts';
import { t } from '../../locales/texts/panel.ts';

/** Blocks of a document, and pieces of a paragraph, that are laid out together. */
const PART = 12;

type BlockView = View<BlockToken> & {
  /** The place of the next piece among those of the same paragraph. */
  piece?: number;
  /** The number of the next item. */
  next?: number;
};
type Item = Omit<Tokens.ListItem, 'type'> & { type: 'todo' | 'item' };
type Before = { token: BlockToken; view: BlockView };

/** The blocks of a document, a list's item, a quote or a footnote. */
export class Blocks {
  readonly #into: Element;
  readonly #shared: Shared;
  readonly #sequence = new Sequence<BlockToken, BlockView>((token, before) => this.#begin(token, before));

  constructor(into: Element, shared: Shared) {
    this.#into = into;
    this.#shared = shared;
  }

  draw(tokens: BlockToken[], open: boolean): void {
    this.#sequence.draw(tokens.filter(isSeen), open);
  }

  /** Nothing of these, the first ones, changes any more. */
  close(tokens: BlockToken[]): void {
    this.#sequence.close(tokens.filter(isSeen).length);
  }

  leaf(): Element {
    return this.#sequence.leaf() ?? this.#into;
  }

  /** Where the next block goes: in parts, of which those out of sight cost nothing; an item begins without one. */
  #place(): Element {
    const last = this.#into.lastElementChild;
    const isPart = last?.className === 'stretch';
    const place = this.#into.localName === 'li' && !isPart ? this.#into : last;
    return place && place.childElementCount < PART ? place : this.#part();
  }

  readonly #part = (): Element => addTo(this.#into, 'div', 'stretch');

  #begin(token: BlockToken, before?: Before): BlockView {
    switch (token.type) {
      case 'code':
        return codeView(this.#place(), token);
      case 'math':
        return formulaView(this.#place(), this.#shared);
      case 'table':
        return tableView(this.#place(), this.#shared, this.#part);
      case 'list':
        return this.#list(token, before);
      case 'blockquote': {
        const quote = addTo(this.#place(), 'blockquote');
        quote.dir = 'auto';
        return this.#container(quote);
      }
      case 'note': {
        const item = this.#shared.notes.define(token.label);
        return item ? this.#container(item) : this.#prose(token);
      }
      case 'def':
        return this.#definition();
      case 'hr': {
        const rule = addTo(this.#place(), 'hr');
        return { elements: [rule], leaf: () => this.#into, draw: () => undefined };
      }
      default:
        return this.#prose(token, before);
    }
  }

  #container<T extends { tokens: Token[] }>(element: Element): View<T> {
    const blocks = new Blocks(element, this.#shared);
    return {
      elements: [element],
      leaf: () => blocks.leaf(),
      draw: ({ tokens }, open) => blocks.draw(tokens as BlockToken[], open),
    };
  }

  #definition(): View<Tokens.Def> {
    return {
      elements: [],
      leaf: () => this.#into,
      draw: ({ tag, href, title }, open) => {
        if (!open) this.#shared.links.define(tag, { href, title: title ?? null });
      },
    };
  }

  /** Its items look the same whether there are blank lines between them or not: nothing moves when the first one comes. */
  #list(token: Tokens.List, before?: Before): BlockView {
    const goesOn = before?.token.type === 'list' && markOf(before.token) === markOf(token);
    const list = addTo(
      goesOn ? this.#part() : this.#place(),
      token.ordered ? 'ol' : 'ul',
      goesOn ? 'further' : '',
    );
    const start = (goesOn && before.view.next) || Number(token.start);
    if (list instanceof HTMLOListElement) list.start = start;
    const items = new Sequence<Item>((item) => {
      const element = addTo(list, 'li', item.type === 'todo' ? 'todo' : '');
      element.dir = 'auto';
      if (item.type === 'todo') element.append(boxOf(item.checked === true));
      return this.#container(element);
    });
    const view: BlockView = {
      elements: [list],
      leaf: () => items.leaf() ?? list,
      draw: (each, open) => {
        if (each.type !== 'list') return;
        view.next = start + each.items.length;
        items.draw(
          each.items.map((item) => ({ ...item, type: item.task ? 'todo' : 'item' })),
          open,
        );
      },
    };
    return view;
  }

  /** A paragraph, a piece of one, or a heading. */
  #prose(token: BlockToken, before?: Before): BlockView {
    const goesOn = token.type === 'paragraph' && before?.token.type === 'paragraph' && before.token.cut;
    const piece = (goesOn && before.view.piece) || 0;
    const paragraph = piece > 0 && before ? before.view.leaf() : this.#paragraph(token, goesOn);
    const element = goesOn ? addTo(paragraph, 'span') : paragraph;
    return {
      piece: (piece + 1) % PART,
      elements: [piece > 0 ? element : paragraph],
      leaf: () => paragraph,
      draw: (each, open) => {
        const text = 'text' in each ? each.text : each.raw;
        const nodes = drawn(this.#shared, !open, (into, ink) =>
          drawText(open ? mend(text) : text, into, ink),
        );
        if (open) settle(element, nodes);
        else element.replaceChildren(...nodes);
      },
    };
  }

  #paragraph(token: BlockToken, goesOn = false): Element {
    const name = token.type === 'heading' ? `h${token.depth}` : 'p';
    const element = addTo(goesOn ? this.#part() : this.#place(), name, goesOn ? 'further' : '');
    // Inside an item or a quote the direction is that of the whole, so that its marker stands where its text begins.
    if (this.#into.className === 'blocks') element.dir = 'auto';
    return element;
  }
}

const isSeen = ({ type }: BlockToken): boolean => type !== 'space';

/** Items of one list have the same: the bullet, or what stands behind the number. */
const markOf = ({ raw }: Tokens.List): string | undefined => /^ *\d*(.)/.exec(raw)?.[1];

/** Of a task; it can't be pressed. */
function boxOf(done: boolean): HTMLElement {
  const box = document.createElement('span');
  box.className = done ? 'task done' : 'task';
  box.role = 'img';
  box.ariaLabel = done ? t(($) => $.markdown.done) : t(($) => $.markdown.notDone);
  return box;
}
