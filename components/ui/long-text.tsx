import type { ComponentChildren, JSX } from 'preact';

/** Characters of a piece. Chromium takes the square of a paragraph's to lay it out, where letters join or directions mix. */
const LONGEST = 2_000;
/** Of Latin letters alone it costs little, and as a user reads it a text stays whole. */
const LONGEST_LATIN = 50_000;
const LATIN = /^[\p{sc=Latin}\p{ASCII}\u00A0-\u00BF\u2010-\u2027\u2030-\u205E€]*$/u;
/** It ends with a line or else with a word, where it can. */
const PIECES = /[^]{1,2000}$|[^]{1,1999}\n|[^]{1,1999}\s|[^]{1,2000}/gu;

/** Whether it is drawn in pieces. */
export const isLong = (text: string): boolean =>
  text.length > LONGEST && (text.length > LONGEST_LATIN || !LATIN.test(text));

/**
 * Text of others, as long as they like: much of it in pieces, a line each, of which those out of sight cost nothing.
 * @param props.isCut stands on one line, which has no room for more than the first
 * @param props.draw what is drawn of the text between two places; itself unless told
 */
export function LongText(props: {
  text: string;
  isCut?: boolean;
  draw?: (start: number, end: number) => ComponentChildren;
}): JSX.Element {
  const { text, isCut, draw = (start, end) => text.slice(start, end) } = props;
  if (isCut ? text.length <= LONGEST : !isLong(text)) return <>{draw(0, text.length)}</>;
  const pieces = [...text.matchAll(PIECES)];
  if (isCut) return <>{draw(0, pieces[0]?.[0].length ?? 0)}…</>;
  return (
    <>
      {pieces.map(({ 0: piece, index }) => (
        <span class="piece" key={index}>
          {draw(index, index + piece.length)}
        </span>
      ))}
    </>
  );
}
