import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cuts, uncalled } from '../scripts/leave-out.ts';

const root = join(import.meta.dirname, '..');
const packages = globSync('node_modules/{openai/**,@modelcontextprotocol/client/dist,marked/lib}/*.mjs', {
  cwd: root,
}).concat(
  'node_modules/@formatjs/icu-messageformat-parser/index.js',
  'node_modules/@wllama/wllama/esm/index.js',
  'node_modules/marked/lib/marked.esm.js',
  'node_modules/zod/v4/core/schemas.js',
);

it.each(cuts)('what the bundle leaves out of $file is in the version that is installed', ({ file, part }) => {
  const found = packages.filter((path) => file.test(path));
  expect(found).toHaveLength(1);
  expect(found.map((path) => readFileSync(join(root, path), 'utf8')).join('')).toMatch(part);
});

it('Portside calls none of the methods that the bundle leaves out', () => {
  const pattern = new RegExp(`\\bclient\\??\\.(?:${[...uncalled.mcp, ...uncalled.openai].join('|')})\\(`);
  const files = globSync('{lib,entrypoints}/**/*.ts', { cwd: root });
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((path) => pattern.test(readFileSync(join(root, path), 'utf8')))).toEqual([]);
});

it('the MCP client looks up one type of its specification', () => {
  const dist = join(root, 'node_modules/@modelcontextprotocol/client/dist');
  const code = globSync(`${dist}/{public-*,index}.mjs`)
    .map((path) => readFileSync(path, 'utf8'))
    .join('')
    .replaceAll(/^\s*\*.*$/gm, '');
  const names = [...code.matchAll(/\b(?:isSpecType|specTypeSchemas)\.(\w+)/g)].map(([, name]) => name);
  expect(new Set(names)).toEqual(new Set(['Implementation']));
});

it('no text has a skeleton of a number or a date, whose parser the bundle leaves out', () => {
  const texts = globSync('locales/*/*.json', { cwd: root });
  expect(texts.length).toBeGreaterThan(100);
  expect(texts.filter((path) => readFileSync(join(root, path), 'utf8').includes('::'))).toEqual([]);
});
