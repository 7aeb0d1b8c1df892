import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const pages = globSync('{*.md,{.github,docs,lib,locales,native-host,store,tests}/**/*.md}', { cwd: root });
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8');

/** As GitHub names a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

const anchorsOf = (page: string): string[] =>
  [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** Whether a link of a page leads somewhere: to a file, and to a heading of it. */
function leads(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : relative(root, join(root, dirname(page), path));
  return existsSync(join(root, target)) && (anchor === undefined || anchorsOf(target).includes(anchor));
}

const rooms =
  'assets components demo docs entrypoints lib locales native-host scripts site store tests .github'.split(
    ' ',
  );
/** From the root of the checkout, wherever the page is. `*` stands for any name. */
const path = new RegExp(`(?<![\\w./@-])(?:${rooms.join('|').replace('.', '\\.')})/[\\w./*-]*[\\w*/]`, 'g');

/** Names of functions, of keys and of constants are told from other words by their form. */
const symbol = /`([a-z]+[A-Z]\w*|[A-Z][A-Z_]{3,})`/g;
const code = globSync(`{*.ts,{${rooms.join(',')}}/**/*.{ts,tsx,mjs}}`, { cwd: root });
const symbols = new Set(code.flatMap((file) => textOf(file).match(/\w+/g) ?? []));

const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };

describe.each(pages)('%s', (page) => {
  const text = textOf(page);

  it('links to files and headings that are there', () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !/^[a-z]+:/.test(link) && !leads(page, link))).toEqual([]);
  });

  it('names paths that are there', () => {
    const named = text.replaceAll(/\]\([^)\s]+\)|https?:\S+/g, '').match(path) ?? [];
    expect(named.filter((each) => globSync(each, { cwd: root }).length === 0)).toEqual([]);
  });

  it('names scripts that are there', () => {
    const named = [...text.matchAll(/\bnpm (?:run (\w+(?:[:-]\w+)*)|(start|test)\b)/g)].map(
      ([, run, short]) => run ?? short,
    );
    expect(named.filter((name) => name === undefined || !(name in scripts))).toEqual([]);
  });

  it('names symbols that are there', () => {
    const named = [...text.matchAll(symbol)].map(([, name = '']) => name);
    expect(named.filter((name) => !symbols.has(name))).toEqual([]);
  });
});
