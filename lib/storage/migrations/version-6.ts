import { NONCE } from '../chats/nonce.ts';
import { putSecret } from '../secrets/secret-store.ts';
import type { Upgrade, Upgraded } from './version-2.ts';

/** Version 6: secrets are encrypted. The upgrade is one transaction: all of them, or none. */
export async function upgradeToVersion6(_db: Upgraded, tx: Upgrade): Promise<void> {
  const secrets = tx.objectStore('secrets');
  for (const name of await secrets.getAllKeys())
    if (name !== NONCE) await putSecret(secrets, await secrets.get(name), name);
}
