import { createSerial } from '../../../lib/async.ts';
import { NEW_CHAT } from '../../../lib/protocol/chats.ts';
import type { Place } from '../../../lib/protocol/panel.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { loadSetting } from '../../../lib/storage/configuration/settings.ts';
import { placeKey, putShownChat, shownChatAt } from '../../../lib/storage/chats/shown-chats.ts';

/**
 * Which chat was last shown at which place: everywhere, in a window or beside a tab, as the user has set it.
 * @param isStarting whether a chat that is not there yet is about to be
 */
export function createShownChats(db: Database, isStarting: (conversationId: string) => boolean) {
  /** Each looks at what the one before has written. */
  const inTurn = createSerial();
  /** The chat that belongs to a place; null when none does, or it is not there any more. */
  const at = (place: Place): Promise<string | null> => inTurn(() => find(place));

  async function find(place: Place): Promise<string | null> {
    const key = await placeKey(db, place);
    const id = key === undefined ? undefined : await shownChatAt(db, key);
    if (id !== undefined && (id === NEW_CHAT || (await isKept(id)))) return id;
    // Beside a tab that has none, one begins.
    return key?.startsWith('tab') ? NEW_CHAT : null;
  }

  async function isKept(id: string): Promise<boolean> {
    const row = await db.get('conversations', id);
    return row ? row.deletedAt === undefined : isStarting(id);
  }

  const put = (place: Place, id: string): Promise<void> =>
    inTurn(async () => {
      const key = await placeKey(db, place);
      if (key !== undefined) await putShownChat(db, key, id);
    });

  return { at, put, isFollowed: async () => (await loadSetting(db, 'panelScope')) === 'all' };
}
