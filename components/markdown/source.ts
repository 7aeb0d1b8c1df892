import { decided } from './lines.ts';

/** What a line is, is decided by so much of it. */
const ENOUGH = 1024;

/**
 * What could make the page show another order of letters than there is, or carry invisible text: controls, bidi
 * overrides and isolates, tag characters. Marks and joiners that scripts and pictographs need stay.
 */
const UNSEEN = /(?![\t\n])[\p{Cc}\u202a-\u202e\u2066-\u2069\ufff9-\ufffb]|\u{e0001}|[\u{e0020}-\u{e007f}]/gu;

export type Reader = { line: (text: string) => void; more: (text: string) => void };

/**
 * Cuts a growing text into lines. A line is handed on as soon as nothing that is still to come can change what it is, and
 * goes on by `more`; so the reader is told the same of the same text, whatever pieces it came in.
 */
export class Source {
  readonly #reader: Reader;
  /** What of the present line was not handed on. */
  #rest = '';
  /** How much of the present line was. */
  #told = 0;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  append(text: string): void {
    // Half a character pair, or half a line end, waits for the other half.
    const all = this.#rest + text;
    const waits = /[\ud800-\udbff\r]$/.test(all) ? all.slice(-1) : '';
    const lines = all
      .slice(0, all.length - waits.length)
      .replace(/\r\n?/g, '\n')
      .replace(UNSEEN, '')
      .split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) this.#end(line);
    this.#rest = this.#start(last);
    if (this.#rest !== '' && (this.#told > 0 || decided(this.#rest))) {
      this.#tell(this.#rest);
      this.#rest = '';
    }
    this.#rest += waits;
  }

  /** The text ends here. */
  end(): void {
    if (this.#rest !== '') this.#end(this.#rest.replace(/\r$/, ''));
  }

  #end(line: string): void {
    const rest = this.#start(line);
    if (rest !== '' || this.#told === 0) this.#tell(rest);
    this.#told = 0;
    this.#rest = '';
  }

  /** Hands on enough of a long line. @returns what is left */
  #start(line: string): string {
    if (this.#told > 0 || line.length <= ENOUGH) return line;
    this.#tell(line.slice(0, ENOUGH));
    return line.slice(ENOUGH);
  }

  #tell(text: string): void {
    if (this.#told === 0) this.#reader.line(text);
    else this.#reader.more(text);
    this.#told += text.length;
  }
}
