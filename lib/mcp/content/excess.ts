import { t } from '../../../locales/texts/errors.ts';
export type Bounds = { parts: number; characters: number };

/** Of a schema: more than a model can read, and than is checked (lib/tools/check-arguments.ts). */
const SCHEMA: Bounds = { parts: 20_000, characters: 500_000 };
const DEEPEST = 100;

/**
 * Why a value is too large to be read, in words; undefined of anything else. Level by level and without recursion:
 * depth is what it looks for.
 */
export function excess(value: unknown, most = SCHEMA): string | undefined {
  const large = t(($) => $.errors.offer.excess.large);
  let level: object[] = [[value]];
  let parts = 0;
  let characters = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEEPEST) return t(($) => $.errors.offer.excess.deep, { most: DEEPEST });
    const next: object[] = [];
    for (const each of level) {
      const held: unknown[] = Array.isArray(each) ? each : Object.values(each);
      parts += held.length;
      // Before they are gone through: sixty megabytes may be one list.
      if (parts > most.parts) return large;
      if (held !== each) for (const key of Object.keys(each)) characters += key.length;
      for (const part of held) {
        if (typeof part === 'string') characters += part.length;
        else if (typeof part === 'object' && part !== null) next.push(part);
      }
    }
    if (characters > most.characters) return large;
    level = next;
  }
  return undefined;
}
