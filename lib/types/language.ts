/** The languages that texts are in, by BCP 47 tag, as they call themselves. One that is not whole is not here. */
export const LANGUAGES = { en: 'English' } as const;

export type Language = keyof typeof LANGUAGES;

/** `browser`: the browser's own, or else English. */
export type LanguageChoice = Language | 'browser';
