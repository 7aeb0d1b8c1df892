import { signal } from '@preact/signals';
import { directionOf } from '../../lib/types/languages.ts';
import { onSaid, speak, type TextFile } from '../../locales/translate.ts';

const files = import.meta.glob<TextFile>('../../locales/*/{shared,errors,panel,settings,worker}.json', {
  import: 'default',
});
const spoken = signal('en');
onSaid(() => void spoken.value);

/** Says what is drawn in a language that has a folder in locales/, by its BCP 47 tag. */
export async function speakIn(language: string): Promise<void> {
  if (language === spoken.peek()) return; // each text would be parsed and drawn again
  const loaded = Object.entries(files)
    .filter(([path]) => language !== 'en' && path.includes(`/${language}/`))
    .map(async ([path, load]) => [/(\w+)\.json$/.exec(path)?.[1] ?? '', await load()] as const);
  speak(language, Object.fromEntries(await Promise.all(loaded)));
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
  spoken.value = language;
}
