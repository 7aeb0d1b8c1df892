/** The languages that texts are in, by BCP 47 tag, as they call themselves. One that is not whole is not here. */
export const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  it: 'Italiano',
  pl: 'Polski',
  'pt-BR': 'Português (Brasil)',
  tr: 'Türkçe',
  ru: 'Русский',
  uk: 'Українська',
  he: 'עברית',
  ar: 'العربية',
  hi: 'हिन्दी',
  ja: '日本語',
  ko: '한국어',
  'zh-Hans': '简体中文',
  'zh-Hant': '繁體中文',
} as const;

export type Language = keyof typeof LANGUAGES;

/** `browser`: the browser's own, or else English. */
export type LanguageChoice = Language | 'browser';

/** The language of these whose words and script a BCP 47 tag means, if there is one: of `zh-HK` it is `zh-Hant`. */
export function languageFor(tag: string): Language | undefined {
  const spoken = (each: string): string => {
    const { language, script } = new Intl.Locale(each).maximize();
    return `${language}-${script}`;
  };
  return (Object.keys(LANGUAGES) as Language[]).find((each) => spoken(each) === spoken(tag));
}

const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar', 'he']);

/** The way a language is written, for `dir`. */
export const directionOf = (language: string): 'ltr' | 'rtl' => (RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr');
