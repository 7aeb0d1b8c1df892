import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob, relative } from 'node:path';
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { describe, expect, it } from 'vitest';
import { isExplained, sectionsOf } from '../lib/troubleshooting.ts';
import config from '../vitest.config.ts';

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

/** What a script reads its command line with: the code in the folder of its program. */
function sourcesOf(name: string): string {
  const [folder = name] =
    /\S+(?=\/[\w-]+\.ts)/.exec(scripts[name] ?? '') ?? (name === 'start' ? ['scripts'] : []);
  return globSync(`${folder}/**/*.ts`, { cwd: root }).map(textOf).join('\n');
}

/** Whether the program of a script takes an option, or has a part of this name. */
const takes = (name: string, word: string): boolean =>
  new RegExp(`['-]${word}[' ]|\\b${word}(?:,|: )`).test(sourcesOf(name));

type Project = { test: { name: string; include: string[]; exclude?: string[] } };
const projects = (config as { test: { projects: Project[] } }).test.projects.map(({ test }) => test);

/** Whether a project runs a test, or some of a folder, whose title has these words. */
const runs = (project: string, place: string, words: string): boolean =>
  projects.some(
    ({ name, include, exclude = [] }) =>
      name === project &&
      globSync(place.endsWith('.ts') ? place : `${place}/**/*.test.{ts,tsx}`, { cwd: root }).some((file) => {
        const isIn = (globs: string[]) => globs.some((glob) => matchesGlob(file.replaceAll('\\', '/'), glob));
        return (
          isIn(include) &&
          !isIn(exclude) &&
          new RegExp(`^ *(?:it|describe)\\b.*${words}`, 'm').test(textOf(file))
        );
      }),
  );

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

  it('gives scripts options and parts that they take', () => {
    const commands = text.matchAll(/\bnpm (?:run )?([\w:-]+)(?: --silent)? -- ([^\n`#]+)/g);
    const given = [...commands].flatMap(([, name = '', words = '']) =>
      // What stands between quotation marks is a value, as the word after an option may be.
      [
        ...words
          .replaceAll(/"[^"]*"/g, '')
          .matchAll(/(?:^|\s)(?:--([a-z-]+)|(?<!--[a-z-]+ )([a-z]+))(?=\s|$)/g),
      ].map(([, option, part]) => ({ name, word: option ?? part ?? '' })),
    );
    expect(given.filter(({ name, word }) => !takes(name, word))).toEqual([]);
  });

  it('names tests in the projects that run them', () => {
    const commands = text.matchAll(/--project ([\w-]+)((?:\s+tests\/[\w./-]+)+)(?: -t '(.*?)')?/g);
    const named = [...commands].flatMap(([, project = '', paths = '', words = '']) =>
      paths
        .trim()
        .split(/\s+/)
        .map((place) => ({ project, place: place.replace(/\.$/, ''), words })),
    );
    expect(named.filter(({ project, place, words }) => !runs(project, place, words))).toEqual([]);
  });

  it('searches for what is there', () => {
    const searched = [...text.matchAll(/`git grep (?:-n )?(["'])(.*?)\1 ?(\S*)`/g)];
    const isFound = ([, , words = '', place = '']: string[]): boolean =>
      code.some(
        (file) =>
          file.replaceAll('\\', '/').startsWith(place || 'components/') &&
          new RegExp(words).test(textOf(file)),
      );
    expect(searched.filter((each) => !isFound(each))).toEqual([]);
  });

  it('names symbols that are there', () => {
    const named = [...text.matchAll(symbol)].map(([, name = '']) => name);
    expect(named.filter((name) => !symbols.has(name))).toEqual([]);
  });
});

it('the menu of the site has each page of docs/ and of the guide', () => {
  const menu = textOf('site/.vitepress/config.mjs');
  const listed = globSync('docs/{,guide/}*.md', { cwd: root }).map((page) =>
    page.replaceAll('\\', '/').slice(0, -3),
  );
  expect(listed.filter((page) => !menu.includes(`'${page}'`))).toEqual([]);
});

const featurePages = globSync('docs/{guide/[!R]*,local-model,quick-questions,sync,fleet}.md', { cwd: root });
it.each(featurePages)('%s shows what it is about', (page) =>
  expect(textOf(page)).toMatch(/^# .*\n\n!\[.+\]\([\w/-]+\.png\)/),
);

/** What a text says in each of its cases, with … for what is filled in: as a user may have it on the screen. */
const sayings = (elements: MessageFormatElement[]): string[] =>
  elements.reduce<string[]>(
    (begun, element) => cases(element).flatMap((words) => begun.map((beginning) => beginning + words)),
    [''],
  );

function cases(element: MessageFormatElement): string[] {
  if (element.type === TYPE.literal) return [element.value];
  if (element.type !== TYPE.select && element.type !== TYPE.plural) return ['…'];
  return [...new Set(Object.values(element.options).flatMap(({ value }) => sayings(value)))];
}

type Catalogue = { [name: string]: string | Catalogue };

/** Of each text of a part of the catalogue, or of those of a name: its cases. */
function textsIn(catalogue: Catalogue, only?: string): string[][] {
  return Object.entries(catalogue).flatMap(([name, text]) => {
    if (typeof text !== 'string') return textsIn(text, only);
    return only === undefined || name === only ? [sayings(parse(text, { ignoreTag: true }))] : [];
  });
}

/** Each text of the app, in each of its cases. */
const appTexts = new Set(
  globSync('locales/en/*.json', { cwd: root }).flatMap((file) =>
    textsIn(JSON.parse(textOf(file)) as Catalogue).flat(),
  ),
);
const isInApp = (name: string): boolean =>
  ['', '…'].some((end) => appTexts.has(name.replace("'", '’') + end));

it.each(pages)('%s names places of the settings that are there', (page) => {
  const named = [...textOf(page).matchAll(/_(Settings > [^_]+)_/g)].flatMap(([, way = '']) =>
    way.replaceAll(/\s+/g, ' ').split(' > '),
  );
  expect(named.filter((name) => !isInApp(name))).toEqual([]);
});

// A list's entry may begin with words of its own.
it.each(['docs/troubleshooting.md', ...featurePages.filter((page) => /guide/.test(page))])(
  '%s calls buttons and fields as the app does',
  (page) => {
    const named = [...textOf(page).matchAll(/(?<!^- )\*\*([A-Z].*?)\*\*/gm)].map(([, name = '']) => name);
    expect(named.filter((name) => !isInApp(name))).toEqual([]);
  },
);

/** What has the form of an error's code. */
const EVENTS =
  'server_status server_log server_request server_request_end server_ended model_editable_context model_slug';

const settings = JSON.parse(textOf('locales/en/settings.json')) as {
  sync: { faults: Catalogue };
  servers: { missed: Catalogue };
};
const syncFaults = settings.sync.faults;

describe('what docs/troubleshooting.md says of an error', () => {
  it('has no link in the app, where it would lead nowhere', () => {
    const linked = sectionsOf(textOf('docs/troubleshooting.md')).filter(({ text }) => text.includes(']('));
    expect(linked).toEqual([]);
  });

  it('is there for each code that the app links to, and for no other', () => {
    const thrown = code
      .filter((file) => /^(?:lib|entrypoints\/background)\//.test(file.replaceAll('\\', '/')))
      .flatMap((file) => [...textOf(file).matchAll(/'([a-z]+(?:_[a-z]+)*)'/g)].map(([, name = '']) => name))
      .filter((name) => isExplained(name) && !EVENTS.split(' ').includes(name));
    const described = sectionsOf(textOf('docs/troubleshooting.md')).flatMap(({ codes }) => codes);
    const ofSync = Object.keys(syncFaults).map((name) => `sync_${name}`);
    expect(new Set(described)).toEqual(new Set([...thrown, ...ofSync]));
  });
});

describe('the headings of docs/troubleshooting.md', () => {
  const { errors, ...rest } = JSON.parse(textOf('locales/en/errors.json')) as Record<string, Catalogue>;
  const { faults } = JSON.parse(textOf('locales/en/shared.json')) as Record<string, Catalogue>;
  const { addKey } = JSON.parse(textOf('locales/en/panel.json')) as { addKey: { faults: Catalogue } };
  const { refused, noModels } = addKey.faults;
  const beginnings = { refused, noModels, missed: settings.servers.missed } as Catalogue;
  const headings = [...textOf('docs/troubleshooting.md').matchAll(/^### (.*)$/gm)].map(
    ([, heading]) => heading,
  );

  it('are what Portside says, each once', () => {
    const said = new Set(
      textsIn({ errors: errors ?? {}, faults: faults ?? {}, syncFaults, beginnings, ...rest }).flat(),
    );
    expect(headings.filter((heading = '') => !said.has(heading))).toEqual([]);
    expect(new Set(headings).size).toBe(headings.length);
  });

  it('cover each error but those that a field explains', () => {
    // Of these most are about what was just typed.
    const {
      configFile: _file,
      configText: _text,
      import: _import,
      input: _input,
      setup,
      ...whole
    } = errors as Record<string, Catalogue>;
    const { noSite: _site, ...others } = setup as Record<string, Catalogue>;
    const mended = Object.entries(others).filter(([, error]) => 'fix' in Object(error));
    const messages = [
      ...textsIn({ ...whole, ...Object.fromEntries(mended), beginnings }, 'message'),
      ...textsIn(syncFaults),
    ];
    expect(messages.filter((each) => !each.some((text) => headings.includes(text)))).toEqual([]);
  });
});
