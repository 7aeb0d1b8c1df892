import { languages, type Language } from './languages.ts';
import { t } from '../../locales/texts/panel.ts';

const names = new Map(
  (Object.entries(languages) as [Language, { also: string[] }][]).flatMap(([name, { also }]) =>
    [name, ...also].map((each) => [each, name] as const),
  ),
);

/** Longer lines are data, not code to read. */
const LONGEST_LINE = 5000;

/** What a fence says that it is written in, as people write it. */
export function labelOf(language: string): string {
  if (language === '') return t(($) => $.markdown.plainText);
  const name = names.get(language.toLowerCase());
  return name ? languages[name].label : language.slice(0, 40);
}

let colour: ((text: string, name: Exclude<Language, 'plaintext'>, into: Element) => void) | undefined;

/** Colours the text of `into`, now if all that takes is there, else when it is. An unknown language stays as it is. */
export function highlight(text: string, language: string, into: Element): void {
  const name = names.get(language.toLowerCase());
  if (name === undefined || name === 'plaintext') return;
  if (text.split('\n').some((line) => line.length > LONGEST_LINE)) return;
  if (colour) return colour(text, name, into);
  void import('./colours.ts').then(
    ({ colour: loaded }) => (colour = loaded)(text, name, into),
    () => undefined,
  );
}
