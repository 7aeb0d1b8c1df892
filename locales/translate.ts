import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { IntlMessageFormat } from 'intl-messageformat';

/** Texts that put nothing in. */
type Plain = Texts.Message | { readonly [key: string]: Plain };
type All<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer Each) => void
  ? Each
  : never;
type ValuesOf<Picked> = Picked extends string
  ? Picked extends Texts.Message<infer Values>
    ? Values
    : never
  : All<{ [Key in keyof Picked]: ValuesOf<Picked[Key]> }[keyof Picked]>;
/** What is said, in the shape of what was picked: one text, or an object of them. */
type Said<Picked> = Picked extends string ? string : { [Key in keyof Picked]: Said<Picked[Key]> };

/** Says a text of the catalogue, or each of an object of them, in the chosen language. */
export type Translate<Catalogue> = {
  <Picked extends Plain>(pick: (texts: Catalogue) => Picked): Said<Picked>;
  <Picked>(pick: (texts: Catalogue) => Picked, values: ValuesOf<Picked>): Said<Picked>;
};

/** A text as it is written in ICU MessageFormat; in a build as its parser's output (scripts/texts.ts). */
type Text = string | MessageFormatElement[];
type Tree = Text | { readonly [key: string]: Tree };
/** The texts of one file of a language. */
export type TextFile = Record<string, Tree>;
type Put = Record<string, string | number>;

/** English, which comes with the code, is written with the dates of Britain, as its words are. */
const ENGLISH = 'en-GB';
let tag: string = ENGLISH;
let translated: Record<string, TextFile> = {};
let noticed = (): void => undefined;
const formats = new Map<Text, IntlMessageFormat>();

/** The language in which texts, numbers, dates and lists are written: a BCP 47 tag. */
export const language = (): string => tag;

/**
 * Says everything in another language from now on.
 * @param files its texts, by the names of their files; none for English
 */
export function speak(chosen: string, files: Record<string, TextFile>): void {
  tag = chosen === 'en' ? ENGLISH : chosen;
  translated = files;
  formats.clear();
}

/** Has `notice` called with each text that is said: so a view learns that it depends on the language. */
export function onSaid(notice: () => void): void {
  noticed = notice;
}

/**
 * What says the texts of these files.
 * @param english the English ones, by name
 * @returns a function that picks a text by where it is in its file, and puts values in (ICU MessageFormat)
 */
export function translator<Catalogue>(english: Record<string, object>): Translate<Catalogue> {
  const sources = Object.entries(english) as [string, TextFile][];
  const texts = new Proxy({} as Catalogue & object, {
    get(_, key: string) {
      const source = sources.find(([, file]) => key in file);
      return source && (translated[source[0]] ?? source[1])[key];
    },
  });
  return (pick: (texts: Catalogue) => unknown, values?: unknown) => {
    noticed();
    return say(pick(texts) as Tree, values as Put | undefined) as never;
  };
}

/** Whether a text is more than its letters: it puts something in, chooses or quotes. */
export const hasSyntax = (text: string): boolean => /[{']/.test(text);

function say(picked: Tree, values: Put | undefined): Tree {
  if (typeof picked === 'string' && !hasSyntax(picked)) return picked;
  if (typeof picked === 'string' || isParsed(picked)) return String(formatOf(picked).format(values));
  return Object.fromEntries(Object.entries(picked).map(([key, text]) => [key, say(text, values)]));
}

const isParsed = (picked: Tree): picked is MessageFormatElement[] => Array.isArray(picked);

function formatOf(text: Text): IntlMessageFormat {
  const known = formats.get(text);
  if (known) return known;
  const format = new IntlMessageFormat(text, tag, undefined, { ignoreTag: true });
  formats.set(text, format);
  return format;
}
