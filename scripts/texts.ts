import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import type { Plugin } from 'vite';
import { hasSyntax } from '../locales/translate.ts';
import { root } from './paths.ts';

type Tree = string | { [key: string]: Tree };

/** What is packed of the catalogue: other languages' texts, and each one's for the manifest. */
export function translatedFiles(): { relativeDest: string; contents: string }[] {
  return readdirSync(join(root, 'locales'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'texts')
    .flatMap(({ name: language }) =>
      readdirSync(join(root, 'locales', language)).flatMap((file) => {
        const contents = readFileSync(join(root, 'locales', language, file), 'utf8');
        if (file === 'manifest.json')
          return [
            {
              relativeDest: `_locales/${folderOf(language)}/messages.json`,
              contents: ofManifest(contents),
            },
          ];
        const isBundled = language === 'en' && !/^(?:errors|shared|worker)\.json$/.test(file);
        return isBundled || file === 'terminal.json'
          ? []
          : [{ relativeDest: `locales/${language}/${file}`, contents: parsed(contents) }];
      }),
    );
}

/**
 * Packs texts as what FormatJS's parser makes of them, and leaves the parser out, as its documentation has it:
 * https://formatjs.github.io/docs/guides/advanced-usage/#react-intl-without-parser-40-smaller
 */
export function parsedTexts(): Plugin {
  return {
    name: 'parsed-texts',
    enforce: 'pre',
    config: () => ({
      resolve: {
        alias: [
          {
            find: /^@formatjs\/icu-messageformat-parser$/,
            replacement: '@formatjs/icu-messageformat-parser/no-parser.js',
          },
        ],
      },
    }),
    transform: (code, id) => (/\/locales\/en\/\w+\.json$/.test(id) ? parsed(code) : null),
  };
}

/** A file's texts, those parsed that put something in or quote something. */
const parsed = (texts: string): string =>
  JSON.stringify(
    JSON.parse(texts, (_, value: unknown) =>
      typeof value === 'string' && hasSyntax(value) ? parse(value, { ignoreTag: true }) : value,
    ),
  );

/** Browsers know Chinese by where it is written: https://developer.chrome.com/docs/extensions/reference/api/i18n#locales */
const folderOf = (language: string): string =>
  language.replace('zh-Hans', 'zh_CN').replace('zh-Hant', 'zh_TW').replace('-', '_');

/** https://developer.chrome.com/docs/extensions/reference/api/i18n#concepts-and-usage */
const ofManifest = (texts: string): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(JSON.parse(texts) as Record<string, string>).map(([key, message]) => [key, { message }]),
    ),
  );

/** The types of the catalogue's English texts, with what each puts in: `Texts.Panel` is locales/en/panel.json. */
export function textTypes(): string {
  const folder = join(root, 'locales/en');
  const files = readdirSync(folder).map((name) => {
    const tree = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Tree;
    const file = name.replace('.json', '');
    return `  interface ${file.charAt(0).toUpperCase()}${file.slice(1)} ${typeOf(tree)}`;
  });
  return `declare namespace Texts {\n  type Message<Values = unknown> = string & { readonly values?: Values };\n${files.join('\n')}\n}\n`;
}

function typeOf(tree: Tree): string {
  if (typeof tree === 'string') {
    const values = [...valuesOf(parse(tree, { ignoreTag: true }))];
    return values.length === 0
      ? 'Message'
      : `Message<{ ${values.map(([name, type]) => `${name}: ${type}`).join('; ')} }>`;
  }
  return `{ ${Object.entries(tree)
    .map(([key, below]) => `${JSON.stringify(key)}: ${typeOf(below)}`)
    .join('; ')} }`;
}

function valuesOf(elements: MessageFormatElement[], found = new Map<string, string>()): Map<string, string> {
  for (const element of elements) {
    if (element.type === TYPE.literal || element.type === TYPE.pound || element.type === TYPE.tag) continue;
    if (element.type === TYPE.plural || element.type === TYPE.select) {
      const isChoice =
        element.type === TYPE.select &&
        Object.keys(element.options).every((key) => /^(true|other)$/.test(key));
      found.set(element.value, element.type === TYPE.plural ? 'number' : isChoice ? 'boolean' : 'string');
      for (const { value } of Object.values(element.options)) valuesOf(value, found);
    } else if (element.type === TYPE.number) found.set(element.value, 'number');
    else if (!found.has(element.value)) found.set(element.value, 'string | number');
  }
  return found;
}
