import { browser } from 'wxt/browser';
import { speak, type TextFile } from '../locales/translate.ts';
import { languageFor, LANGUAGES, type Language, type LanguageChoice } from './types/languages.ts';

const WORKERS = ['shared', 'errors', 'worker'];
const FILES = [...WORKERS, 'panel', 'settings'];

/** The English files that are not in this bundle: the worker's would be too large (locales/texts/shared.ts). */
const APART = import.meta.env.ENTRYPOINT === 'background' ? WORKERS : [];

/** Which of the languages is meant, where the browser's is `own`. */
export function languageOf(choice: LanguageChoice, own: string): Language {
  if (choice !== 'browser' && choice in LANGUAGES) return choice;
  return languageFor(own) ?? 'en';
}

/** Has all texts said in the chosen language from now on; in English where its files can't be had. @returns its tag */
export async function speakLanguage(choice: LanguageChoice): Promise<Language> {
  const language = languageOf(choice, browser.i18n.getUILanguage());
  try {
    speak(language, await textsOf(language, language === 'en' ? APART : FILES));
    return language;
  } catch (error) {
    console.warn(`The texts in ${LANGUAGES[language]} could not be read.`, error);
    speak('en', await textsOf('en', APART));
    return 'en';
  }
}

async function textsOf(language: Language, names: string[]): Promise<Record<string, TextFile>> {
  const files = names.map(async (name): Promise<[string, TextFile]> => {
    const url = new URL(`locales/${language}/${name}.json`, browser.runtime.getURL('/'));
    return [name, (await (await fetch(url)).json()) as TextFile];
  });
  return Object.fromEntries(await Promise.all(files));
}
