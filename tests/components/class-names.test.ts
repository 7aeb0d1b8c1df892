import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** The style sheets of a page: all that its modules import, at once or later. */
function sheetsOf(entry: string): string[] {
  const seen = new Set<string>();
  const walk = (file: string): void => {
    if (seen.has(file) || !existsSync(file)) return;
    seen.add(file);
    const imports = /(?:from|import|import\()\s*'(\.[^']+)'/g;
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(imports)) walk(join(dirname(file), path));
  };
  walk(join(root, entry));
  return [...seen].filter((file) => file.endsWith('.css')).toSorted();
}

/** Classes that a sheet styles wherever they stand: `.name { … }`, alone or among others. */
function styledAlone(sheet: string): Set<string> {
  const css = readFileSync(sheet, 'utf8').replace(/\/\*[^]*?\*\//g, '');
  const lists = [...css.matchAll(/([^{};]+)\{/g)].map(([, list = '']) => list);
  const selectors = lists.flatMap((list) =>
    list.replace(/\([^()]*(?:\([^()]*\)[^()]*)*\)/g, '()').split(','),
  );
  return new Set(selectors.map((each) => each.trim()).filter((each) => /^\.[\w-]+$/.test(each)));
}

/** Class names that two sheets of the page style, each for its own elements and so for the other's. */
function shared(entry: string): string[] {
  const places = new Map<string, string[]>();
  for (const sheet of sheetsOf(entry)) {
    for (const name of styledAlone(sheet)) {
      places.set(name, [...(places.get(name) ?? []), relative(root, sheet)]);
    }
  }
  return [...places]
    .filter(([, sheets]) => sheets.length > 1)
    .map(([name, sheets]) => `${name}: ${sheets.join(', ')}`);
}

describe('a class name', () => {
  it.each(['entrypoints/sidepanel/main.tsx', 'entrypoints/options/main.tsx'])(
    'is styled by one sheet of %s alone',
    (entry) => {
      expect(sheetsOf(entry).length).toBeGreaterThan(5);
      expect(shared(entry)).toEqual([]);
    },
  );
});
