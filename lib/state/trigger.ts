/** What opens a menu over the composer: prompts or context. */
export type MenuKind = 'prompts' | 'context';

export const triggerSign: Record<MenuKind, string> = { prompts: '/', context: '@' };

/** What stands in the text for it: from `start` on, `/` or `@` and what was typed of the name. */
export type Trigger = { kind: MenuKind; start: number; end: number; query: string };

/** The trigger that ends at the caret: `/` only at the text's start, `@` where a word can begin. */
export function triggerAt(text: string, caret: number): Trigger | null {
  const before = text.slice(0, caret);
  const slash = /^\/(\S*)$/.exec(before);
  if (slash) return { kind: 'prompts', start: 0, end: caret, query: slash[1] ?? '' };
  const at = /(?<![^\s([{"'“‘])@([^\s@]*)$/.exec(before);
  return at ? { kind: 'context', start: at.index, end: caret, query: at[1] ?? '' } : null;
}

/** The text without the trigger; as it is when something else stands there by now. */
export function withoutTrigger(text: string, { kind, start, end, query }: Trigger): string {
  const written = triggerSign[kind] + query;
  return text.slice(start, end) === written ? text.slice(0, start) + text.slice(end) : text;
}
