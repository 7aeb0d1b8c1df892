import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isStructurallySame, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { languageOf } from '../../lib/speak-language.ts';
import { LANGUAGES, type LanguageChoice } from '../../lib/types/languages.ts';
import { dates } from '../../locales/dates.ts';
import { speak } from '../../locales/translate.ts';
import { t } from '../../locales/texts/panel.ts';
import { units } from '../../locales/units.ts';

vi.mock('wxt/browser', () => ({ browser: {} }));

type Tree = string | { [key: string]: Tree };
type Elements = ReturnType<typeof parse>;

const folder = join(import.meta.dirname, '../../locales');
const namesIn = (...path: string[]) => readdirSync(join(folder, ...path)).toSorted();

/** The texts of a file by where they are in it: `start.title`. */
function textsOf(language: string, file: string): Map<string, string> {
  const texts = new Map<string, string>();
  const walk = (tree: Tree, path: string[]): void => {
    if (typeof tree === 'string') texts.set(path.join('.'), tree);
    else for (const [key, below] of Object.entries(tree)) walk(below, [...path, key]);
  };
  walk(JSON.parse(readFileSync(join(folder, language, file), 'utf8')) as Tree, []);
  return texts;
}

const parsed = (text: string) => parse(text, { ignoreTag: true });

/** The plurals of a text, each with what it tells apart. */
function pluralsIn(elements: Elements): string[][] {
  return elements.flatMap((element) => {
    if (element.type !== TYPE.plural && element.type !== TYPE.select) return [];
    const below = Object.values(element.options).flatMap(({ value }) => pluralsIn(value));
    return element.type === TYPE.plural ? [Object.keys(element.options), ...below] : below;
  });
}

/** The choices of a text, each with what it tells apart, in the order of their names. */
function choicesIn(elements: Elements): string[] {
  return elements
    .flatMap((element) => {
      if (element.type !== TYPE.plural && element.type !== TYPE.select) return [];
      const below = Object.values(element.options).flatMap(({ value }) => choicesIn(value));
      const keys = Object.keys(element.options).toSorted().join(' ');
      return element.type === TYPE.select ? [`${element.value}: ${keys}`, ...below] : below;
    })
    .toSorted();
}

/** What is wrong with a translation of a text. */
function faultOf(language: string, english: string, text: string | undefined): string | undefined {
  if (text === undefined) return 'is missing';
  if ((text.trim() === '') !== (english.trim() === '')) return 'is empty';
  const { error } = isStructurallySame(parsed(english), parsed(text));
  if (error) return error.message;
  const choices = [...new Set(choicesIn(parsed(english)))].join(', ');
  if ([...new Set(choicesIn(parsed(text)))].join(', ') !== choices) return `has not the choices ${choices}`;
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
  const told = pluralsIn(parsed(text));
  const missing = pluralCategories.filter((category) => told.some((each) => !each.includes(category)));
  return missing.length > 0 ? `has no plural for ${missing.join(', ')}` : undefined;
}

const others = Object.keys(LANGUAGES).filter((language) => language !== 'en');

describe('the languages', () => {
  it('are those that have a folder', () => {
    const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const names = folders.map(({ name }) => name).filter((name) => name !== 'texts');
    expect(names.toSorted()).toEqual(Object.keys(LANGUAGES).toSorted());
  });

  it.each([
    ['browser', 'en-US', 'en'],
    ['browser', 'tlh', 'en'],
    ['en', 'fr', 'en'],
    // Of a version that had it.
    ['tlh', 'fr', 'fr'],
    ['browser', 'zh-HK', 'zh-Hant'],
    ['browser', 'de-AT', 'de'],
  ] as const)('%s, in a browser in %s, is %s', (choice, own, language) =>
    expect(languageOf(choice as LanguageChoice, own)).toBe(language),
  );

  it('have no text that is said nowhere', () => {
    const sources = globSync('{lib,components,entrypoints,native-host,locales}/**/*.{ts,tsx}', {
      cwd: join(folder, '..'),
    }).map((file) => readFileSync(join(folder, '..', file), 'utf8'));
    const picked = new Set(sources.join('\n').match(/\$(?:\[\w+\](?=\.))?(?:\.\w+|\['[\w-]+'\])+/g));
    /** By its own path, by one of an object that it is in, or by one whose first name is chosen at run time. */
    const isSaid = (path: string[]): boolean =>
      path.some((_, at) => picked.has(['$', ...path.slice(0, at + 1)].join('.'))) ||
      picked.has(['$[page]', ...path.slice(1)].join('.'));
    const files = namesIn('en').filter((file) => file !== 'manifest.json'); // said by the manifest
    const unsaid = files.flatMap((file) =>
      [...textsOf('en', file).keys()].filter((path) => !isSaid(path.split('.'))),
    );
    expect(unsaid).toEqual([]);
  });

  it.for(namesIn('en'))('are written in ICU MessageFormat: %s', (file) => {
    const texts = textsOf('en', file);
    expect(texts.size).toBeGreaterThan(0);
    expect(
      [...texts].map(([path, text]) => [path, faultOf('en', text, text)]).filter(([, fault]) => fault),
    ).toEqual([]);
  });

  it.each([
    ['de', 'Add {name}', 'Füge hinzu', 'different'],
    [
      'de',
      '{count, plural, one {# tool} other {# tools}}',
      '{count, plural, other {# Tools}}',
      'plural for one',
    ],
    [
      'pl',
      '{count, plural, one {# a} other {# b}}',
      '{count, plural, one {# a} other {# b}}',
      'for few, many',
    ],
    ['de', '{a, select, none {x} other {y}}', '{a, select, keine {x} other {y}}', 'choices a: none other'],
    ['de', 'Save', '', 'empty'],
    ['de', 'Save', undefined, 'missing'],
  ])('have their faults found: %s, %s as %s', (language, english, text, fault) =>
    expect(faultOf(language, english, text)?.toLowerCase()).toContain(fault),
  );

  it.for(others.flatMap((language) => namesIn('en').map((file) => [language, file] as const)))(
    'are whole: %s, %s',
    ([language, file]) => {
      const english = textsOf('en', file);
      const texts = textsOf(language, file);
      const faults = [...english].flatMap(([path, text]) => {
        const fault = faultOf(language, text, texts.get(path));
        return fault === undefined ? [] : [`${path} ${fault}`];
      });
      const strange = [...texts.keys()].filter((path) => !english.has(path));
      expect({ faults, strange }).toEqual({ faults: [], strange: [] });
    },
  );
});

describe('what is said', () => {
  afterEach(() => speak('en', {}));

  it('is in the language that was chosen last, with its plurals and numbers', () => {
    speak('pl', {
      panel: {
        start: { models: '{count, plural, one {# model} few {# modele} many {# modeli} other {# modelu}}' },
      },
    });
    const said = [1, 3, 12_345].map((count) => t(($) => $.start.models, { count }));
    expect(said).toEqual(['1 model', '3 modele', '12\u00a0345 modeli']);
    expect(units.listed(['a', 'b', 'c'])).toBe('a, b i c');
    speak('ja', {});
    expect(units.commas(['a', 'b'])).toBe('a、b');
    speak('en', {});
    expect(t(($) => $.start.models, { count: 12_345 })).toBe('12,345 models');
  });

  it.each([
    ['fr', 'a, b, c', 'Octobre'],
    ['ru', 'a, b, c', 'Октябрь'],
    ['ko', 'a, b, c', '10월'],
    ['ar', 'a، b، c', 'أكتوبر'],
  ] as const)(
    'has commas between what it lists, and a capital where a month is a heading: %s',
    (...[language, list, month]) => {
      speak(language, {});
      expect(units.commas(['a', 'b', 'c'])).toBe(list);
      expect(dates.month('2025-10-15T12:00:00.000Z', true)).toBe(month);
      speak('en', {});
    },
  );
});
