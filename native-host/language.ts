import { languageFor } from '../lib/types/languages.ts';
import { speak, type TextFile } from '../locales/translate.ts';

/** Bundled, since the native host is one file. */
const files = import.meta.glob<TextFile>('../locales/*/terminal.json', { eager: true, import: 'default' });

/** Has what is written to the terminal said in the language that the system speaks. @param tag BCP 47 */
export function speakTerminal(tag = new Intl.DateTimeFormat().resolvedOptions().locale): void {
  const language = languageFor(tag);
  const terminal = language && files[`../locales/${language}/terminal.json`];
  if (terminal) speak(language, { terminal });
}
