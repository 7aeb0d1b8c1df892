import type { JSX } from 'preact';
import type { StorageUsed } from '../../../lib/protocol/data.ts';
import { t } from '../../../locales/texts/settings.ts';
import { units } from '../../../locales/units.ts';

const shares = ['chats', 'results', 'attachments'] as const;

/** How much is kept, and of what. */
export function Storage({ used }: { used: StorageUsed | null }): JSX.Element {
  if (!used) return <p class="storage muted">{t(($) => $.data.measuring)}</p>;
  return (
    <div class="storage">
      <p>
        <strong class="num">{t(($) => $.data.used, { size: units.bytes(used.total) })}</strong>{' '}
        <span class="subtle">{t(($) => $.data.quota, { size: units.bytes(used.quota) })}</span>
      </p>
      <ul class="key">
        {shares.map((share) => (
          <li key={share}>
            {t(($) => $.data.shares[share])} {units.bytes(used[share])}
          </li>
        ))}
      </ul>
    </div>
  );
}
