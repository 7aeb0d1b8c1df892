import { t } from '../../locales/texts/panel.ts';

export type Target = { href: string; title: string | null };

/** The definitions of a document, and what waits for one: a definition may come after all that uses it. */
export class Definitions<T> {
  readonly #known = new Map<string, T>();
  readonly #waiting = new Map<string, ((defined: T) => void)[]>();

  /** Runs `use` now, or when the label is defined. */
  use(label: string, use: (defined: T) => void): void {
    const key = keyOf(label);
    const known = this.#known.get(key);
    if (known !== undefined) return use(known);
    const waiting = this.#waiting.get(key) ?? [];
    waiting.push(use);
    this.#waiting.set(key, waiting);
  }

  get(label: string): T | undefined {
    return this.#known.get(keyOf(label));
  }

  /** The first definition of a label counts. */
  define(label: string, defined: T): void {
    const key = keyOf(label);
    if (this.#known.has(key)) return;
    this.#known.set(key, defined);
    for (const use of this.#waiting.get(key) ?? []) use(defined);
    this.#waiting.delete(key);
  }
}

const keyOf = (label: string): string => label.trim().replace(/\s+/g, ' ').toLowerCase();

type Note = { item: HTMLElement; number: number };

/** The notes at the end of a document, numbered as they are defined. */
export class Footnotes {
  readonly #notes = new Definitions<Note>();
  readonly #section = document.createElement('section');
  readonly #list = document.createElement('ol');
  readonly #after: Element;

  /** @param after the body of the document */
  constructor(after: Element) {
    this.#after = after;
    this.#section.className = 'footnotes';
    this.#section.ariaLabel = t(($) => $.markdown.footnotes);
    this.#section.append(this.#list);
  }

  /** @returns where the note's text goes, or undefined if the label has one */
  define(label: string): HTMLElement | undefined {
    if (this.#notes.get(label)) return undefined;
    const item = document.createElement('li');
    item.tabIndex = -1;
    item.dir = 'auto';
    this.#list.append(item);
    if (!this.#section.parentNode) this.#after.after(this.#section);
    this.#notes.define(label, { item, number: this.#list.childElementCount });
    return item;
  }

  /** Makes `mark` lead to the note, once there is one. */
  mark(label: string, mark: HTMLElement, final: boolean): void {
    const become = ({ item, number }: Note): void => {
      const button = document.createElement('button');
      button.className = 'link';
      button.ariaLabel = t(($) => $.markdown.footnote, { number });
      button.textContent = String(number);
      button.addEventListener('click', () => item.focus());
      mark.replaceChildren(button);
    };
    if (final) return this.#notes.use(label, become);
    const known = this.#notes.get(label);
    if (known) become(known);
  }
}
