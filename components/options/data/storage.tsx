import type { JSX } from 'preact';
import type { StorageUsed } from '../../../lib/protocol.ts';
import { en } from '../../../locales/en-options.ts';

const words = en.data;
const shares = ['chats', 'results', 'attachments'] as const;

/** How much is kept, and of what. */
export function Storage({ used }: { used: StorageUsed | null }): JSX.Element {
  if (!used) return <p class="storage muted">{words.measuring}</p>;
  const all = shares.reduce((sum, share) => sum + used[share], 0);
  return (
    <div class="storage">
      <p>
        <strong class="num">{words.used(used.total)}</strong>{' '}
        <span class="subtle">{words.quota(used.quota)}</span>
      </p>
      <div class="usage" aria-hidden="true">
        {all > 0 &&
          shares.map((share) => <span key={share} style={{ width: `${(100 * used[share]) / all}%` }} />)}
      </div>
      <ul class="key">
        {shares.map((share) => (
          <li key={share}>
            <i />
            {words.shares[share]} {words.bytes(used[share])}
          </li>
        ))}
      </ul>
    </div>
  );
}
