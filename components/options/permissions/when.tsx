import type { JSX } from 'preact';
import type { SiteUse } from '../../../lib/types/site-rule.ts';
import { dates } from '../../../locales/dates.ts';
import { t } from '../../../locales/texts/settings.ts';

/** Since when something holds, how often it was used, and when last: two cells. */
export function When({ given }: { given: SiteUse | undefined }): JSX.Element {
  return (
    <>
      <td class="small subtle num given">
        {given ? (
          <time dateTime={given.at}>{dates.day(given.at, new Date())}</time>
        ) : (
          t(($) => $.permissions.unknown)
        )}
      </td>
      <td class="r small subtle num used">
        {given ? t(($) => $.permissions.used, { count: given.used }) : t(($) => $.permissions.unknown)}
        {given?.usedAt !== undefined && (
          <time class="sub" dateTime={given.usedAt}>
            {t(($) => $.permissions.lastUsed, { when: dates.day(given.usedAt, new Date()) })}
          </time>
        )}
      </td>
    </>
  );
}
