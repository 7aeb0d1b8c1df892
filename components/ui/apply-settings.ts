import { effect, type ReadonlySignal, signal } from '@preact/signals';
import type { Setup } from '../../lib/protocol/setup.ts';
import { speakLanguage } from '../../lib/speak-language.ts';
import { directionOf, type LanguageChoice } from '../../lib/types/languages.ts';
import { onSaid } from '../../locales/translate.ts';

/**
 * Keeps the page in the theme and the text size that the user chose. Without a choice of the first it follows the
 * system (tokens.css).
 */
export function applyTheme(setup: ReadonlySignal<Setup | null>): void {
  effect(() => {
    const { theme = 'system', textSize = 'normal' } = setup.value?.settings ?? {};
    const { dataset } = document.documentElement;
    if (theme === 'system') delete dataset['theme'];
    else dataset['theme'] = theme;
    if (textSize === 'normal') delete dataset['textSize'];
    else dataset['textSize'] = textSize;
  });
}

/** What was chosen last, so that a page does not begin in another language. */
const LAST = 'language';

const lastChoice = (): LanguageChoice | null =>
  inStorage(() => localStorage.getItem(LAST) as LanguageChoice | null);

const keepChoice = (choice: LanguageChoice): void =>
  void inStorage(() =>
    choice === 'browser' ? localStorage.removeItem(LAST) : localStorage.setItem(LAST, choice),
  );

/** Firefox has no storage for a page that is being closed (NS_ERROR_FAILURE): that one needs none. */
function inStorage<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    console.debug(error);
    return null;
  }
}

/** Keeps the page in the language of the settings. Resolves as soon as something can be said. */
export async function applyLanguage(setup: ReadonlySignal<Setup | null>): Promise<void> {
  const spoken = signal('');
  onSaid(() => void spoken.value);
  const apply = async (choice: LanguageChoice): Promise<void> => {
    const language = await speakLanguage(choice);
    document.documentElement.lang = language;
    document.documentElement.dir = directionOf(language);
    spoken.value = language;
  };
  await apply(lastChoice() ?? 'browser');
  effect(() => {
    const choice = setup.value?.settings.language;
    if (choice === undefined) return;
    keepChoice(choice);
    void apply(choice);
  });
}
