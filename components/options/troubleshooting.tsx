import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { sectionsOf } from '../../lib/troubleshooting.ts';
import { t } from '../../locales/texts/settings.ts';
import { Problem } from './form/problem.tsx';
import { useAsked } from './form/use-asked.ts';
import { Crumb, PageHead } from './page-head.tsx';
import './troubleshooting.css';

/** The page Troubleshooting: docs/troubleshooting.md, which is English. `code`: of the error that led here. */
export function TroubleshootingPage({ code }: { code: string | undefined }): JSX.Element {
  const page = useRef<HTMLDivElement>(null);
  const { answer, error } = useAsked(load, []);
  useEffect(() => page.current?.querySelector('.told')?.scrollIntoView({ block: 'center' }), [answer, code]);
  return (
    <>
      <Crumb href="#general">{t(($) => $.options.general)}</Crumb>
      <PageHead title={t(($) => $.options.help)} />
      {error && <Problem error={error} />}
      {answer && (
        <div class="troubleshooting" lang="en" dir="ltr" ref={page}>
          {answer.sections.map(({ text, codes }) => (
            <section key={text} class={code !== undefined && codes.includes(code) ? 'told' : ''}>
              <answer.Markdown text={text} />
            </section>
          ))}
        </div>
      )}
    </>
  );
}

/** No other page of the settings needs them. */
async function load() {
  const [{ default: text }, { Markdown }] = await Promise.all([
    import('../../docs/troubleshooting.md?raw'),
    import('../markdown/markdown.tsx'),
  ]);
  return { sections: sectionsOf(text), Markdown };
}
