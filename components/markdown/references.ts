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
