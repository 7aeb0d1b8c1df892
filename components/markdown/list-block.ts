import type { Block, Further, InnerBlocks } from './block.ts';
import { bulletOf, indentOf, interrupts, isBlank, outdent, type Bullet } from './lines.ts';
import { t } from '../../locales/texts/panel.ts';

/** Items of a list that are laid out together. */
const MOST = 40;

/**
 * A list, whose items close one by one. Its items look the same whether there are blank lines between them or not:
 * nothing moves when the first one comes.
 */
export class ListBlock implements Block {
  readonly #further: Further;
  #list: HTMLElement;
  readonly #inner: (element: Element) => InnerBlocks;
  #bullet: Bullet;
  #item: InnerBlocks;

  constructor(into: Element, inner: (element: Element) => InnerBlocks, bullet: Bullet, further: Further) {
    this.#list = listIn(into, bullet.start);
    this.#further = further;
    this.#inner = inner;
    this.#bullet = bullet;
    this.#item = this.#begin(bullet);
  }

  take(line: string): boolean {
    if (isBlank(line)) this.#item.line('');
    else if (indentOf(line) >= this.#bullet.width) this.#item.line(outdent(line, this.#bullet.width));
    else return this.#next(line);
    return true;
  }

  /** Another item, or what goes on in this one without being indented. */
  #next(line: string): boolean {
    const bullet = bulletOf(line);
    if (bullet?.kind === this.#bullet.kind) {
      this.#item.close();
      this.#bullet = bullet;
      this.#item = this.#begin(bullet);
      return true;
    }
    if (bullet || !this.lazy() || interrupts(line)) return false;
    this.#item.line(line.trimStart());
    return true;
  }

  #begin({ content }: Bullet): InnerBlocks {
    if (this.#list.childElementCount >= MOST) this.#goOn();
    const item = document.createElement('li');
    item.dir = 'auto';
    this.#list.append(item);
    const blocks = this.#inner(item);
    const task = /^\[([ xX])\][ \t]+(?=\S)/.exec(content);
    if (task) {
      item.className = 'todo';
      item.append(boxOf(task[1] !== ' '));
    }
    blocks.line(task ? content.slice(task[0].length) : content);
    return blocks;
  }

  /** In another list, which continues the numbers. */
  #goOn(): void {
    const start = this.#list instanceof HTMLOListElement ? this.#list.start + MOST : undefined;
    this.#list = listIn(this.#further(), start);
    this.#list.classList.add('further');
  }

  more = (text: string): void => this.#item.more(text);
  draw = (open: boolean): void => this.#item.draw(open);
  close = (): void => this.#item.close();
  leaf = (): Element => this.#item.leaf();
  lazy = (): boolean => this.#item.lazy();
}

function listIn(into: Element, start: number | undefined): HTMLElement {
  const list = document.createElement(start === undefined ? 'ul' : 'ol');
  if (list instanceof HTMLOListElement) list.start = start ?? 1;
  into.append(list);
  return list;
}

/** Of a task; it can't be pressed. */
function boxOf(done: boolean): HTMLElement {
  const box = document.createElement('span');
  box.className = done ? 'task done' : 'task';
  box.role = 'img';
  box.ariaLabel = done ? t(($) => $.markdown.done) : t(($) => $.markdown.notDone);
  return box;
}
