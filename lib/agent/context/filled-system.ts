/** Only for a model that is sent the tool that it speaks of. */
const READS_PAGES = `You can read the pages that are open in the browser: when the question is about "this page" or what the user sees, call read_page first.`;

/** A system prompt of the settings as a model gets it; undefined when there is nothing in it. */
export function filledSystem(
  text: string,
  { now, language, readsPages }: { now: Date; language: string; readsPages: boolean },
): string | undefined {
  const date = now.toLocaleDateString('en', {
    weekday: 'long',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
  });
  const name = new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? language;
  const own = text.trim().replaceAll('{{date}}', date).replaceAll('{{language}}', name);
  return own === '' ? undefined : [own, ...(readsPages ? [READS_PAGES] : [])].join('\n');
}
