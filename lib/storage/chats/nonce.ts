import type { Database } from '../schema.ts';

/** In `secrets`, which no export, no log and no page has; not encrypted, since it opens nothing outside. */
export const NONCE = 'nonce';

/**
 * What marks the text of others in a chat's requests (lib/agent/context/fence.ts): 8 hexadecimal digits, the same for as
 * long as the profile lives, whichever worker asks, and of no use in another chat.
 */
export async function nonceOf(db: Database, conversationId: string): Promise<string> {
  const secret = (await db.get('secrets', NONCE)) ?? (await newSecret(db));
  const bytes = new TextEncoder().encode(`${String(secret)} ${conversationId}`);
  const hash = new DataView(await crypto.subtle.digest('SHA-256', bytes));
  return hash.getUint32(0).toString(16).padStart(8, '0');
}

/** Of two that are made at once the first one stays. */
async function newSecret(db: Database): Promise<unknown> {
  const { store, done } = db.transaction('secrets', 'readwrite');
  const secret = (await store.get(NONCE)) ?? crypto.randomUUID();
  await store.put(secret, NONCE);
  await done;
  return secret;
}
