import type { ComponentChildren } from 'preact';

/** Stands in a text for what is no text. */
export const PART = '\0';

/** A text of the catalogue with an element in the place of `PART`, wherever its language puts it. */
export function withPart(text: string, part: ComponentChildren): ComponentChildren {
  const [before, after] = text.split(PART);
  return [before, part, after];
}

/** A name within a text that is put together, for `withCode`. */
export const asCode = (name: string): string => `${PART}${name}${PART}`;

/** A text with what is `asCode` in it drawn so. */
export const withCode = (text: string): ComponentChildren =>
  text.split(PART).map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));
