import type { JSX } from 'preact';
import { newsOf, entryOf } from '../../lib/changelog.ts';
import { version } from '../../package.json';
import { t } from '../../locales/texts/settings.ts';
import { Problem } from './form/problem.tsx';
import { useAsked } from './form/use-asked.ts';

/** Which version this is, and what changed with it: the changelog’s own words, which are English. */
export function News(): JSX.Element {
  const { answer, error } = useAsked(
    async () => newsOf(entryOf((await import('../../CHANGELOG.md?raw')).default, version)),
    [],
  );
  const title = t(($) => $.nativeHostPage.portside, { version });
  return (
    <section class="block" aria-label={title}>
      <h2>{title}</h2>
      {error && <Problem error={error} />}
      <details class="fold-field">
        <summary>{t(($) => $.general.news)}</summary>
        <ul class="news" lang="en" dir="ltr">
          {answer?.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </details>
    </section>
  );
}
