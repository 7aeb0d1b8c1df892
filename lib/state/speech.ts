import { t } from '../../locales/texts/panel.ts';

/** A part of the text that can be spoken, and where the next one begins. */
type Piece = { said: string; end: number };

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const MATH = /^ {0,3}\$\$/;
const TABLE_RULE = /^ {0,3}\|?[ :]*-+[ :]*(\|[ :]*-+[ :]*)+\|?$|^ {0,3}\|[ :]*-+[ :]*\|$/;
/** What begins a block of its own, so that the line before it is over. */
const BEGINS = /^\s*([-*+]\s|\d+[.)]\s|#{1,6}\s|>|\||`{3}|~{3}|\$\$|$)/;
/** Signs at a line's head that are seen, not said. */
const HEAD = /^\s*((>\s?)|([-*+]|\d+[.)])\s+(\[[ xX]\]\s+)?|#{1,6}\s+)+/;

/**
 * What of a growing markdown text can be spoken: sentences that are finished, a code block as "Code, 12 lines.", a table
 * as "Table, 3 rows.", a link by its text.
 * @param from where the last piece ended
 * @param over whether the text grows no more
 * @returns null when nothing more is finished
 */
export function nextSpoken(text: string, from: number, over: boolean): Piece | null {
  const start = from + (/^\s*/.exec(text.slice(from))?.[0].length ?? 0);
  if (start >= text.length) return null;
  const first = lineAt(text, start);
  const fence = FENCE.exec(first.line)?.[1];
  if (fence !== undefined)
    return block(text, start, over, fence, (lines) => t(($) => $.speech.code, { lines }));
  if (MATH.test(first.line)) return block(text, start, over, '$$', () => t(($) => $.speech.formula));
  // Whether this is the head of a table, its next line tells.
  if (first.line.includes('|')) {
    const second = lineAt(text, first.end);
    if (!(first.whole && second.whole) && !over) return null;
    if (TABLE_RULE.test(second.line.trimEnd())) return table(text, start, over);
  }
  return sentence(text, start, over);
}

type Line = { line: string; end: number; whole: boolean };

/** `end`: where the next one begins. */
function lineAt(text: string, start: number): Line {
  const at = text.indexOf('\n', start);
  return at === -1
    ? { line: text.slice(start), end: text.length, whole: false }
    : { line: text.slice(start, at), end: at + 1, whole: true };
}

/** From a line that opens to the one that closes; both on one line for a formula. */
function block(
  text: string,
  start: number,
  over: boolean,
  sign: string,
  say: (lines: number) => string,
): Piece | null {
  const first = lineAt(text, start);
  if (sign === '$$' && first.line.trim().length > 3 && first.line.trimEnd().endsWith(sign)) {
    return { said: say(1), end: first.end };
  }
  let end = first.end;
  for (let lines = 0; end < text.length; lines += 1) {
    const { line, end: next, whole } = lineAt(text, end);
    if (line.trim().startsWith(sign) && (whole || over)) return { said: say(lines), end: next };
    if (next === text.length && !whole) return over ? { said: say(lines + 1), end: next } : null;
    end = next;
    if (end === text.length && over) return { said: say(lines + 1), end };
  }
  return over ? { said: say(0), end } : null;
}

function table(text: string, start: number, over: boolean): Piece | null {
  let end = lineAt(text, lineAt(text, start).end).end;
  let rows = 0;
  while (end < text.length) {
    const { line, end: next, whole } = lineAt(text, end);
    if (line.trim() === '' || !line.includes('|')) {
      return whole || over || line.trim() !== '' ? { said: t(($) => $.speech.table, { rows }), end } : null;
    }
    rows += 1;
    end = next;
  }
  return over ? { said: t(($) => $.speech.table, { rows }), end } : null;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
/** So much of a paragraph is looked at for the end of a sentence. */
const LONGEST = 2000;

function sentence(text: string, start: number, over: boolean): Piece | null {
  const head = HEAD.exec(text.slice(start, start + 200))?.[0].length ?? 0;
  const begin = start + head;
  const { end, closed } = paragraphEnd(text, begin, over);
  const paragraph = text.slice(begin, Math.min(end, begin + LONGEST));
  const length = firstSentence(paragraph);
  const isFinished = length < paragraph.length || closed || length >= LONGEST;
  return isFinished ? { said: spoken(paragraph.slice(0, length)), end: begin + length } : null;
}

/** Its length, up to the next one. A sign within an address or before a picture ends none. */
function firstSentence(paragraph: string): number {
  for (const { index, segment } of segmenter.segment(paragraph)) {
    if (/\s$/.test(segment)) return index + segment.length;
  }
  return paragraph.length;
}

/** Lines that belong together. `closed`: what comes is not of them any more. */
function paragraphEnd(text: string, from: number, over: boolean): { end: number; closed: boolean } {
  let { end, whole } = lineAt(text, from);
  while (whole && end < text.length && end - from < LONGEST) {
    const next = lineAt(text, end);
    if (!next.whole && !over && next.line.trim().length < 4) return { end, closed: false };
    if (BEGINS.test(next.line)) return { end, closed: true };
    ({ end, whole } = next);
  }
  return { end, closed: over };
}

/** Without the signs of markdown, which may be cut anywhere. */
function spoken(markdown: string): string {
  return (
    markdown
      .replace(/!\[([^\]]*)\](\([^)]*\)|\[[^\]]*\])?/g, (_whole, alt: string) =>
        t(($) => $.speech.image, { alt: alt || 'none' }),
      )
      .replace(/\[\^[^\]\s]+\]/g, '')
      // oxlint-disable-next-line portside/linear-regex -- at most LONGEST characters
      .replace(/\[([^\]]*)\](\([^)]*\)|\[[^\]]*\])/g, '$1')
      .replace(/<?https?:\/\/([^\s/>)]+)[^\s>)]*>?/g, '$1')
      .replace(/\\([!-/:-@[-`{-~])/g, '$1')
      .replace(/(\*{1,3}|~~|`+)/g, '')
      .replace(/(?<![\p{L}\p{N}])_{1,2}|_{1,2}(?![\p{L}\p{N}])/gu, '')
      .replace(/\s+/g, ' ')
      .trim()
  );
}
