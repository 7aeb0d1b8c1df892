import type { ComponentChildren } from 'preact';

/** Stands in a text for what is no text. */
export const PART = '\0';

/** A text of the catalogue with an element in the place of `PART`, wherever its language puts it. */
export function withPart(text: string, part: ComponentChildren): ComponentChildren {
  const [before, after] = text.split(PART);
  return [before, part, after];
}
