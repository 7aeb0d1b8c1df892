import { NEW_CHAT } from '../../protocol/chats.ts';
import type { Message } from '../../types/message.ts';
import type { Run } from '../../types/run.ts';
import type { Conversation } from '../../types/conversation.ts';
import { withoutCache } from '../configuration/cache.ts';
import type { Database } from '../schema.ts';
import { type JournalEntry, putEntry, type Written } from './journal.ts';
import { putShownIn, shownIn } from './shown-chats.ts';
import { everyMessage, HISTORY_PIECE, readHistory, type Reading } from './messages.ts';

/**
 * What a run that is asked for begins with, as it stands at one moment: the run, if it was asked for before, the
 * conversation, also a deleted one, and the message that it stands at.
 */
export type RunStartRows = {
  known: Run | undefined;
  before: Conversation | undefined;
  leaf: Message | undefined;
  /** Of the conversation, or, where it has not begun, of the new chat. */
  draft: string | undefined;
};

const STORES: Written[] = ['runs', 'conversations', 'messages', 'drafts', 'unindexed', 'settings'];

/**
 * Reads what a run begins with and writes what `entryFor` makes of it, if anything, which must be in these stores: in
 * one transaction, since between Enter and the model's request each costs more than all that is done in it.
 * @param at the key of the place that shows the chat from then on; no setting is read anew for that
 * @returns besides, the branch up to the leaf, if it was written and the branch is short enough to be read with it
 */
export async function beginRun(
  db: Database,
  runId: string,
  conversationId: string,
  entryFor: (found: RunStartRows) => JournalEntry | undefined,
  at?: string,
): Promise<RunStartRows & { history: Message[] | undefined }> {
  const tx = withoutCache(db).transaction(STORES, 'readwrite');
  const messages = tx.objectStore('messages');
  const places = messages.index('by-place');
  const drafts = tx.objectStore('drafts');
  const settings = tx.objectStore('settings');
  const [known, before, last, draft, newDraft, shown] = await Promise.all([
    tx.objectStore('runs').get(runId),
    tx.objectStore('conversations').get(conversationId),
    // Mostly it stands at its last message, which can be asked for without knowing which one that is.
    places.openCursor(everyMessage(conversationId), 'prev'),
    drafts.get(conversationId),
    drafts.get(NEW_CHAT),
    at === undefined ? undefined : shownIn(settings),
  ]);
  const leafId = before?.leafId ?? null;
  let leaf = last?.value;
  if (leaf?.id !== leafId) leaf = leafId === null ? undefined : await messages.get(leafId);
  const found = { known, before, leaf, draft: before ? draft : newDraft };
  const entry = entryFor(found);
  if (!entry) return { ...found, history: undefined };
  const isShort = leaf === undefined || leaf.seq < HISTORY_PIECE;
  const reading: Reading = { get: (id) => messages.get(id), getAll: (range) => places.getAll(range) };
  const [history] = await Promise.all([
    isShort ? readHistory(reading, leaf ?? null) : undefined,
    at !== undefined && shown ? putShownIn(settings, shown, at, conversationId) : undefined,
    putEntry(tx, entry),
  ]);
  return { ...found, history };
}
