import { h, render } from 'preact';
import type { Block } from './block.ts';
import { CodeHead } from './code-head.tsx';
import { highlight, labelOf } from './highlight.ts';
import { closesFence, indentOf, isBlank, outdent, type Fence } from './lines.ts';
import { watchWidth } from './scrolls.ts';

/** Lines from which on a slice ends at the next blank line, and at which it ends in any case. */
const SOFT = 60;
const HARD = 120;

/**
 * Code, in slices that are laid out and highlighted by themselves: a line costs the same in the ten thousandth line as
 * in the first. A slice begins with the blank line that ended the one before it, as nothing that is open there matters
 * to the highlighter.
 */
export class CodeBlock implements Block {
  /** Null for code that is indented. */
  readonly #fence: Fence | null;
  readonly #code = document.createElement('code');
  readonly #slices: string[] = [];
  #slice: Element | undefined;
  /** The open slice. */
  #text = '';
  #lines = 0;
  /** What of the open slice is shown. */
  #shown = '';
  /** Blank lines that belong to it only if more code comes. */
  #blank: string[] = [];
  #closed = false;

  constructor(into: Element, fence: Fence | null, line?: string) {
    this.#fence = fence;
    const box = document.createElement('div');
    const head = document.createElement('div');
    const pre = document.createElement('pre');
    box.className = 'code';
    head.className = 'code-head';
    pre.dir = 'ltr';
    pre.append(this.#code);
    box.append(head, pre);
    into.append(box);
    const all = (): string => [...this.#slices, this.#text].join('\n');
    render(h(CodeHead, { label: labelOf(fence?.language ?? ''), text: all }), head);
    if (line !== undefined) this.take(line);
  }

  take(line: string): boolean {
    if (this.#closed) return false;
    if (this.#fence) {
      this.#closed = closesFence(line, this.#fence.mark);
      if (!this.#closed) this.#add(outdent(line, Math.min(this.#fence.indent, indentOf(line))));
      return true;
    }
    if (isBlank(line)) this.#blank.push(outdent(line, 4));
    else if (indentOf(line) < 4) return false;
    else for (const each of [...this.#blank.splice(0), outdent(line, 4)]) this.#add(each);
    return true;
  }

  more(text: string): void {
    if (!this.#closed) this.#text += text;
  }

  #add(line: string): void {
    if ((this.#lines >= SOFT && isBlank(line)) || this.#lines >= HARD) this.#endSlice();
    this.#text = this.#lines === 0 ? line : `${this.#text}\n${line}`;
    this.#lines += 1;
  }

  #endSlice(): void {
    this.draw();
    if (this.#slice) highlight(this.#text, this.#fence?.language ?? '', this.#slice);
    this.#slices.push(this.#text);
    this.#text = this.#shown = '';
    this.#lines = 0;
    this.#slice = undefined;
  }

  draw(): void {
    if (this.#lines === 0 || (this.#slice && this.#shown.length === this.#text.length)) return;
    if (!this.#slice) {
      this.#slice = document.createElement('span');
      this.#slice.className = 'slice';
      this.#slice.append('');
      this.#code.append(this.#slice);
    }
    const { firstChild } = this.#slice;
    if (firstChild instanceof Text) firstChild.appendData(this.#text.slice(this.#shown.length));
    this.#shown = this.#text;
  }

  close(): void {
    if (this.#lines > 0) this.#endSlice();
    this.#closed = true;
    watchWidth(this.#code);
  }

  leaf = (): Element => this.#slice ?? this.#code;
  lazy = (): boolean => false;
}
