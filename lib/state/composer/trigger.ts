/** What opens a menu over the composer: prompts or context. */
export type MenuKind = 'prompts' | 'context';

export const triggerSign: Record<MenuKind, string> = { prompts: '/', context: '@' };

/** What stands in the text for it: from `start` on, `/` or `@` and what was typed of the name. */
export type Trigger = { kind: MenuKind; start: number; end: number; query: string };

const patterns: [MenuKind, RegExp][] = [
  ['prompts', /^\/((?!\s)[^\n]*)$/],
  ['context', /(?<![^\s([{"'“‘])@((?!\s)[^\n@]*)$/],
];

/**
 * The trigger that ends at the caret: `/` only at the text's start, `@` where a word can begin.
 * @param isNamed whether a query with spaces in it is one: the name of something may hold them
 */
export function triggerAt(
  text: string,
  caret: number,
  isNamed: (kind: MenuKind, query: string) => boolean = () => false,
): Trigger | null {
  const before = text.slice(0, caret);
  for (const [kind, pattern] of patterns) {
    const found = pattern.exec(before);
    const query = found?.[1] ?? '';
    if (found && (!/\s/.test(query) || isNamed(kind, query))) {
      return { kind, start: found.index, end: caret, query };
    }
  }
  return null;
}

/** The text without the trigger; as it is when something else stands there by now. */
export function withoutTrigger(text: string, { kind, start, end, query }: Trigger): string {
  const written = triggerSign[kind] + query;
  return text.slice(start, end) === written ? text.slice(0, start) + text.slice(end) : text;
}
