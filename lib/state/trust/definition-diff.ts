import type { Definition } from '../../types/tools/server-tool.ts';
import type { SkillEntry } from '../../types/tools/skill.ts';
import { visible } from '../shown-text.ts';

/** `gap`: lines that are the same in both and stand for themselves. */
export type DiffLine = { type: 'same' | 'old' | 'new' | 'gap'; text: string };

/** What is longest comes last. */
const PARTS = ['title', 'description', 'annotations', 'inputSchema', 'skill'] as const;
export type DiffPart = { part: (typeof PARTS)[number]; lines: DiffLine[] };

/**
 * What is another one in a tool's definition, line by line, with hidden characters made visible. Keys of objects are sorted,
 * as their order says nothing. @param before absent: all of it is new
 */
export function definitionDiff(before: Definition | undefined, now: Definition): DiffPart[] {
  // Of a skill the rest is Portside's, or stands there once more.
  return PARTS.filter((part) => !now.skill || part === 'skill').flatMap((part) => {
    const of = (definition: Definition | undefined) =>
      linesOf(part === 'skill' ? definition?.skill && manifest(definition.skill) : definition?.[part]);
    const [old, current] = [of(before), of(now)];
    const lines = diffLines(old, current);
    return lines.every(({ type }) => type === 'same') ? [] : [{ part, lines: inContext(lines) }];
  });
}

/** What a skill says of itself, and its files, each in a line. */
function manifest({ frontmatter, resources }: SkillEntry): unknown {
  if (resources === 'dynamic') return { frontmatter, resources };
  const files = resources.map(({ uri, size, digest }) => [uri, `${digest} (${size})`]);
  return { frontmatter, resources: Object.fromEntries(files) as unknown };
}

function linesOf(value: unknown): string[] {
  if (value === undefined || value === '') return [];
  const text = typeof value === 'string' ? value : JSON.stringify(sorted(value), null, 2);
  return visible(text).split(/\r?\n/);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]));
}

/** More pairs of lines than this are not compared with each other: all old ones are shown, then all new ones. */
const MOST_PAIRS = 1_000_000;

/** By their longest common subsequence, between what both begin and end with. */
function diffLines(old: string[], now: string[]): DiffLine[] {
  const shortest = Math.min(old.length, now.length);
  let head = 0;
  while (head < shortest && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < shortest - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const as = (type: DiffLine['type'], lines: string[]) => lines.map((text) => ({ type, text }));
  return [
    ...as('same', now.slice(0, head)),
    ...betweenOf(old.slice(head, old.length - tail), now.slice(head, now.length - tail)),
    ...as('same', now.slice(now.length - tail)),
  ];
}

function betweenOf(old: string[], now: string[]): DiffLine[] {
  const lines: DiffLine[] = [];
  // `common[i][j]`: lines that the rest of both has in common, from i and j on.
  const isCompared = old.length * now.length <= MOST_PAIRS;
  const common = Array.from(
    { length: old.length + 1 },
    () => new Uint32Array(isCompared ? now.length + 1 : 0),
  );
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (let i = isCompared ? old.length - 1 : -1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1)
      common[i]![j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [before, after] = [old[i], now[j]];
    if (isCompared && before === after && before !== undefined) {
      lines.push({ type: 'same', text: before });
      [i, j] = [i + 1, j + 1];
    } else if (before !== undefined && (after === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ type: 'old', text: before });
      i += 1;
    } else {
      lines.push({ type: 'new', text: after ?? '' });
      j += 1;
    }
  }
  return lines;
}

/** Of lines that are the same only those beside a change: nothing is to be hidden among many others. */
function inContext(lines: DiffLine[]): DiffLine[] {
  const isChange = (line: DiffLine | undefined) => line !== undefined && line.type !== 'same';
  const kept = lines.map((line, at): DiffLine =>
    [lines[at - 1], line, lines[at + 1]].some(isChange) ? line : { type: 'gap', text: '' },
  );
  return kept.filter(({ type }, at) => type !== 'gap' || kept[at - 1]?.type !== 'gap');
}
