import type { Block } from './block.ts';
import { drawFormula } from './formula.ts';
import { drawn, type Shared } from './ink.ts';
import { isBlank } from './lines.ts';
import { watchWidth } from './scrolls.ts';
import { t } from '../../locales/texts/panel.ts';

/** Much longer is no formula. */
const LONGEST = 8000;

/** A formula in lines of its own. It appears when it is whole; one that never ends is shown as it was written. */
export class FormulaBlock implements Block {
  readonly #box = document.createElement('div');
  readonly #shared: Shared;
  readonly #end: string;
  #text: string;

  constructor(into: Element, shared: Shared, line: string) {
    this.#shared = shared;
    this.#text = line.trimStart();
    this.#end = this.#text.startsWith('$') ? '$$' : '\\]';
    this.#box.className = 'formula';
    into.append(this.#box);
  }

  take(line: string): boolean {
    if (this.#whole() || isBlank(line) || this.#text.length > LONGEST) return false;
    this.#text += `\n${line}`;
    return true;
  }

  more(text: string): void {
    this.#text += text;
  }

  draw(): void {
    // Half a formula is no formula.
  }

  close(): void {
    if (!this.#whole() || this.#text.length > LONGEST) {
      this.#box.className = 'plain';
      this.#box.dir = 'auto';
      this.#box.textContent = this.#text;
      return;
    }
    const end = this.#text.indexOf(this.#end, 2);
    const tex = this.#text.slice(2, end);
    const formula = { tex, display: true, raw: this.#text.slice(0, end + 2) };
    this.#box.role = 'group';
    this.#box.ariaLabel = t(($) => $.markdown.formula);
    const rest = this.#text.slice(end + 2).trim();
    this.#box.append(...drawn(this.#shared, true, (into, ink) => drawFormula(formula, into, ink)));
    if (rest) this.#box.append(rest);
    if (this.#box.firstElementChild) watchWidth(this.#box.firstElementChild);
  }

  leaf = (): Element => this.#box;
  lazy = (): boolean => false;

  #whole(): boolean {
    return this.#text.indexOf(this.#end, 2) > 0;
  }
}
