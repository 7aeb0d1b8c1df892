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
  let level: unknown[] = [value];
  let parts = 0;
  let characters = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEEPEST) return t(($) => $.errors.offer.excess.deep, { most: DEEPEST });
    const next: unknown[] = [];
    for (const each of level) {
      parts += 1;
      if (typeof each === 'string') characters += each.length;
      if (typeof each !== 'object' || each === null) continue;
      for (const [key, part] of Object.entries(each)) {
        characters += key.length;
        next.push(part);
      }
    }
    if (parts + next.length > most.parts || characters > most.characters)
      return t(($) => $.errors.offer.excess.large);
    level = next;
  }
  return undefined;
}
