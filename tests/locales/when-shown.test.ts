import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';

type Node = { type: string; start: number } & Record<string, unknown>;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** What speaks the language of the moment: `t(…)`, and what is written with it. */
const SPEAKS = /^(?:t|units|phrases|dates)$/;
/** Methods that call what they are given at once. */
const AT_ONCE = /^(?:map|flatMap|filter|forEach|reduce|find|sort|toSorted|from|fromEntries)$/;

const nameOf = (node: unknown): string => (isNode(node) ? String(node['name'] ?? '') : '');

/** The lines on which a module says something while it loads, when no language is chosen yet. */
function saidAtLoad(name: string, source: string): number[] {
  const lines: number[] = [];
  const walk = (value: unknown, isCalled = false): void => {
    if (Array.isArray(value)) return value.forEach((each) => walk(each));
    if (!isNode(value)) return undefined;
    const { type } = value;
    const isLater = /Function/.test(type) || (type === 'PropertyDefinition' && value['static'] !== true);
    if (isLater && !isCalled) return undefined;
    if (type.startsWith('TS') && !/^TS(As|Satisfies|NonNull)/.test(type)) return undefined;
    if (type === 'CallExpression') {
      const callee = value['callee'] as Node;
      const isMember = callee.type === 'MemberExpression';
      const said = nameOf(isMember ? callee['object'] : callee);
      if (SPEAKS.test(said)) lines.push(source.slice(0, value.start).split('\n').length);
      const called = callee.type === 'ParenthesizedExpression' ? callee['expression'] : callee;
      walk(called, true);
      const calls = isMember && AT_ONCE.test(nameOf(callee['property']));
      for (const argument of value['arguments'] as unknown[]) walk(argument, calls);
      return undefined;
    }
    return Object.values(value).forEach((part) => walk(part));
  };
  walk(parseSync(name, source).program);
  return lines;
}

const root = join(import.meta.dirname, '../..');
const files = globSync('{lib,components,entrypoints,locales}/**/*.{ts,tsx}', { cwd: root })
  .filter((file) => !file.startsWith('entrypoints/gallery/'))
  .toSorted();
// Before the tests, whose time is for what may hang.
const found = files.flatMap((file) =>
  saidAtLoad(file, readFileSync(join(root, file), 'utf8')).map((line) => `${file}:${line}`),
);

describe('a text', () => {
  it('is said when it is shown, in the language of that moment, not when its module loads', () => {
    expect(files.length).toBeGreaterThan(300);
    expect(found).toEqual([]);
  });

  it.each([
    'const names = { a: t(($) => $.a) };',
    'export const list = keys.map((key) => t(($) => $[key]));',
    'const size = units.bytes(1000);',
    'class A { static name = t(($) => $.a); }',
    'const name = (() => t(($) => $.a))();',
  ])('is found where a module says it as it loads: %s', (source) => {
    expect(saidAtLoad('sample.tsx', source)).toEqual([1]);
  });

  it.each([
    'const name = () => t(($) => $.a);',
    'function name() { return [1].map(() => t(($) => $.a)); }',
    'const View = memo(() => <p>{t(($) => $.a)}</p>);',
    'class A { name = t(($) => $.a); }',
    'type A = typeof t;',
  ])('is not found where it waits: %s', (source) => {
    expect(saidAtLoad('sample.tsx', source)).toEqual([]);
  });
});
