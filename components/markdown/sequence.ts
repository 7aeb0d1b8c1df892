/** What one token is drawn as. What it becomes as it grows is of the same type. */
export type View<T> = {
  /** `open`: more may come, so what is half said is not shown raw. */
  draw(token: T, open: boolean): void;
  /** Where the text grows. */
  leaf(): Element;
  readonly elements: Element[];
};

type Drawn<T, V> = { view: V; token: T; open: boolean };

/**
 * Tokens drawn one below the other: blocks, items, rows. Only the last is open; one that is closed is not drawn again as
 * long as it is the same.
 */
export class Sequence<T extends { type: string; raw: string }, V extends View<T> = View<T>> {
  readonly #begin: (token: T, before?: { token: T; view: V }) => V;
  #drawn: Drawn<T, V>[] = [];
  /** The last of those that are closed for good. */
  #before: Drawn<T, V> | undefined;

  /** @param begin what a token is drawn as, behind `before` */
  constructor(begin: (token: T, before?: { token: T; view: V }) => V) {
    this.#begin = begin;
  }

  draw(tokens: T[], open: boolean): void {
    for (const [at, token] of tokens.entries()) {
      const isOpen = open && at === tokens.length - 1;
      const old = this.#drawn[at];
      if (old && goesOn(old.token, token)) {
        if (old.token.raw === token.raw && old.open === isOpen) continue;
        Object.assign(old, { token, open: isOpen });
        old.view.draw(token, isOpen);
      } else {
        this.#keep(at);
        const view = this.#begin(token, this.#drawn.at(-1) ?? this.#before);
        this.#drawn.push({ view, token, open: isOpen });
        view.draw(token, isOpen);
      }
    }
    this.#keep(tokens.length);
  }

  /** The first `count` tokens will not be among those that are drawn next. */
  close(count: number): void {
    this.#before = this.#drawn.splice(0, count).at(-1) ?? this.#before;
  }

  leaf(): Element | undefined {
    return this.#drawn.at(-1)?.view.leaf();
  }

  #keep(count: number): void {
    for (const { view } of this.#drawn.splice(count)) {
      for (const element of view.elements) {
        const { parentElement } = element;
        element.remove();
        if (parentElement?.className === 'stretch' && !parentElement.firstChild) parentElement.remove();
      }
    }
  }
}

/** Whether the one became the other when more text came: if it has several lines, only its last one is another. */
function goesOn(old: { type: string; raw: string }, token: { type: string; raw: string }): boolean {
  const raw = old.raw.trimEnd();
  return old.type === token.type && token.raw.startsWith(raw.slice(0, raw.lastIndexOf('\n') + 1) || raw);
}
