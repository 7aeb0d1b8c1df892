import type { IDBPObjectStore, StoreNames } from 'idb';
import { isProviderForbidden } from '../../fleet/rules.ts';
import { type ChatChange, type ChatChoice, withChanges } from '../../types/conversation.ts';
import type { Database, Schema } from '../schema.ts';

type SettingsStore = Pick<
  IDBPObjectStore<Schema, StoreNames<Schema>[], 'settings', 'readwrite'>,
  'get' | 'put'
>;

const KEY = 'newChat';

const choiceIn = (stored: unknown): ChatChoice =>
  (stored ?? { providerId: null, model: null, settings: {} }) as ChatChoice;

/** How the next new chat is asked; its provider and model are those chosen last. */
export async function loadNewChat(db: Database): Promise<ChatChoice> {
  return choiceIn(await db.get('settings', KEY));
}

/** Changes what is given and nothing else, inside the caller's transaction. */
export async function changeNewChat(
  settings: SettingsStore,
  { tools, ...change }: ChatChange,
): Promise<void> {
  const before = choiceIn(await settings.get(KEY));
  await settings.put(
    { ...before, ...change, ...(tools && { tools: withChanges(before.tools, tools) }) },
    KEY,
  );
}

/**
 * New chats ask the provider that was set up first, as long as none is chosen that is there, and allowed. The demo model makes way for
 * what is added.
 */
export async function ensureNewChatProvider(db: Database, added?: number): Promise<void> {
  const tx = db.transaction(['settings', 'providers'], 'readwrite');
  const settings = tx.objectStore('settings');
  const { providerId } = choiceIn(await settings.get(KEY));
  const all = await tx.objectStore('providers').getAll();
  const providers = all.filter((provider) => !isProviderForbidden(provider));
  const chosen = providers.find(({ id }) => id === providerId);
  if (!chosen || (added !== undefined && chosen.preset === 'demo')) {
    await changeNewChat(settings, { providerId: added ?? providers[0]?.id ?? null, model: null });
  }
  await tx.done;
}
