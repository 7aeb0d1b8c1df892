import type { Database } from '../schema.ts';
import { sha256 } from '../../sha256.ts';

/** In `secrets`, which no export, no log and no page has; not encrypted, since it opens nothing outside. */
export const NONCE = 'nonce';

/**
 * What marks the text of others in a chat's requests (lib/agent/context/fence.ts): 8 hexadecimal digits, the same for as
 * long as the profile lives, whichever worker asks, and of no use in another chat.
 */
export async function nonceOf(db: Database, conversationId: string): Promise<string> {
  const secret = known.get(db) ?? (await db.get('secrets', NONCE)) ?? (await newSecret(db));
  known.set(db, secret);
  return (await sha256(`${String(secret)} ${conversationId}`)).slice(0, 8);
}

/** Read once: between Enter and the model's request each transaction is waited for. */
const known = new WeakMap<Database, unknown>();

/** Of two that are made at once the first one stays. */
async function newSecret(db: Database): Promise<unknown> {
  const { store, done } = db.transaction('secrets', 'readwrite');
  const secret = (await store.get(NONCE)) ?? crypto.randomUUID();
  await store.put(secret, NONCE);
  await done;
  return secret;
}
