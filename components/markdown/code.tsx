import type { Tokens } from 'marked';
import { render, type JSX } from 'preact';
import { addTo, watchWidth } from './ink.ts';
import { labelOf, nameOf } from './languages.ts';
import type { View } from './sequence.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { t } from '../../locales/texts/panel.ts';

/** Lines from which on a slice ends at the next blank line, and at which it ends in any case. */
const SOFT = 60;
const HARD = 120;

/**
 * Characters of a slice, but for its last line. The highlighter's time grows with the square of a slice of some languages:
 * so many take a tenth of a second of those that take longest.
 */
const MOST = 4000;

/** Longer lines are data, not code to read. */
const LONGEST_LINE = 1000;

/** Characters of a slice, in the midst of a line: Chromium takes the square of a line's to lay it out, where directions mix. */
const LONGEST = 8000;
/** Characters in which a blank line is looked for. */
const BLANK = 200;

/**
 * Code, in slices that are laid out and highlighted by themselves: a line costs the same in the ten thousandth line as
 * in the first. A slice begins with the blank line that ended the one before it, as nothing that is open there matters
 * to the highlighter.
 */
export function codeView(place: Element, { lang = '' }: Tokens.Code): View<Tokens.Code> {
  const language = /^\{?\.?([^\s{}]*)/.exec(lang)?.[1] ?? '';
  const box = addTo(place, 'div', 'code');
  const head = addTo(box, 'div', 'code-head');
  const pre = addTo(box, 'pre');
  pre.dir = 'ltr';
  const code = addTo(pre, 'code');
  /** What is shown, and where in it the open slice begins. */
  let shown = '';
  let from = 0;
  let slice: Element | undefined;
  render(<CodeHead label={labelOf(language)} text={() => shown} />, head);

  const show = (text: string): void => {
    if (text.length === shown.length && slice) return;
    slice ??= addTo(code, 'span', 'slice');
    slice.append(text.slice(Math.max(from, shown.length)));
    slice.normalize();
    shown = text;
  };
  const endSlice = (): void => {
    const text = shown.slice(from);
    // While it was open it may have had the line end that ended it.
    if (slice && slice.textContent !== text) slice.textContent = text;
    if (slice) highlight(text, language, slice);
    slice = undefined;
  };
  return {
    elements: [box],
    leaf: () => slice ?? code,
    draw: (token, open) => {
      const text = token.text.replace(/\n$/, '');
      if (!text.startsWith(shown)) {
        code.replaceChildren();
        [shown, from, slice] = ['', 0, undefined];
      }
      for (let end = sliceEnd(text, from); end >= 0; end = sliceEnd(text, from)) {
        show(text.slice(0, end));
        endSlice();
        from = text[end] === '\n' ? end + 1 : end;
      }
      if (text !== '') show(text);
      if (open) return;
      endSlice();
      watchWidth(code);
    },
  };
}

/** Where the slice ends that begins at `from`; -1 if it may go on. */
function sliceEnd(text: string, from: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at - from <= LONGEST; at = text.indexOf('\n', at + 1)) {
    lines += 1;
    if (
      lines >= HARD ||
      at - from >= MOST ||
      (lines >= SOFT && /^[ \t]*\n/.test(text.slice(at + 1, at + BLANK)))
    )
      return at;
  }
  const end = from + LONGEST;
  if (text.length <= end + BLANK) return -1;
  return /[\udc00-\udfff]/.test(text[end] ?? '') ? end - 1 : end;
}

/** Colours the text of `into` once all that takes is there. An unknown language stays as it is. */
function highlight(text: string, language: string, into: Element): void {
  const name = nameOf(language);
  if (name === undefined || name === 'plaintext') return;
  if (text.split('\n').some((line) => line.length > LONGEST_LINE)) return;
  void import('./colours.ts').then(
    ({ colour }) => colour(text, name, into),
    () => undefined,
  );
}

/** What a block of code is written in, and the button that copies all of it. */
function CodeHead({ label, text }: { label: string; text: () => string }): JSX.Element {
  return (
    <>
      <span class="grow cut">{label}</span>
      <CopyButton name={t(($) => $.markdown.copyCode)} text={text} />
    </>
  );
}
