import type { JSX } from 'preact';
import { isExplained } from '../../lib/troubleshooting.ts';
import { t } from '../../locales/texts/shared.ts';

/** The way from an error to what docs/troubleshooting.md says of it, where it says more than the error. */
export function MoreHelp({ code }: { code: string | undefined }): JSX.Element | null {
  if (code === undefined || !isExplained(code)) return null;
  return (
    <a href={`options.html#troubleshooting/${code}`} target="_blank" rel="noopener">
      {t(($) => $.faults.moreHelp)}
    </a>
  );
}
