import { ChevronRight } from 'lucide';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { entryOf, newsOf } from '../../lib/changelog.ts';
import { version } from '../../package.json';
import { t } from '../../locales/texts/settings.ts';
import { Icon } from '../ui/icon.tsx';
import { Problem } from './form/problem.tsx';
import { useAsked } from './form/use-asked.ts';

/** Which version this is, and what changed with it. */
export function News(): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const title = t(($) => $.nativeHostPage.portside, { version });
  return (
    <section class="block" aria-label={title}>
      <h2>{title}</h2>
      <details class="fold-field" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{t(($) => $.general.news)}</summary>
        {isOpen && <Lines />}
      </details>
      <p>
        <a class="btn" href="#troubleshooting">
          {t(($) => $.options.help)}
          <Icon of={ChevronRight} small />
        </a>
      </p>
    </section>
  );
}

/** The changelog’s own words, which are English. */
function Lines(): JSX.Element {
  const { answer, error } = useAsked(
    async () => newsOf(entryOf((await import('../../CHANGELOG.md?raw')).default, version)),
    [],
  );
  if (error) return <Problem error={error} />;
  return (
    <ul class="news" lang="en" dir="ltr">
      {answer?.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
