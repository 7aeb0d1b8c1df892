import { createConversations } from '../../entrypoints/background/chat/conversations.ts';
import { createChatFiles } from '../../entrypoints/background/data/chat-files.ts';
import { joinStore, type SyncKey } from '../../lib/sync/key-file.ts';
import { rowsHere } from '../../lib/sync/local.ts';
import { openState } from '../../lib/sync/state.ts';
import { sync } from '../../lib/sync/sync.ts';
import type { Ask, Store } from '../../lib/sync/store.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import { loadPath } from '../../lib/storage/chats/messages.ts';
import { purgeDeleted } from '../../lib/storage/chats/purge.ts';
import { says, scriptedModel } from '../fakes/scripted-model.ts';
import { startWorker } from '../fakes/worker.ts';

export const PASSPHRASE = 'correct horse battery';

export type Machine = Awaited<ReturnType<typeof openMachine>>;

const ANSWERS = Array.from({ length: 9 }, (_, at) => says(`Answer ${at}`));

/** A machine with a database of its own. */
export async function openMachine(
  open: () => Store,
  key?: SyncKey,
  { turns = ANSWERS, fileSize }: { turns?: Parameters<typeof scriptedModel>; fileSize?: number } = {},
) {
  const db = await openDatabase(crypto.randomUUID());
  const name = crypto.randomUUID();
  const states = await openState(name, `sync ${name}`);
  const { model } = scriptedModel(...turns);
  const { runs, until } = startWorker({ db, model });
  const files = createChatFiles(db, { send: () => {}, written: () => {}, runs, now: Date.now });
  const conversations = createConversations(db, { runs, deleted: () => {} });
  const commands = {
    importChats: files.importMany,
    deleteConversations: conversations.remove,
    deleteMessage: conversations.deleteMessage,
    restoreMessage: runs.restoreMessage,
    setConversation: conversations.set,
  };
  /** Characters of each of the imports that were asked for. */
  const imports: number[] = [];
  const ask = ((command: keyof typeof commands, request: never) => {
    if (command === 'importChats') imports.push(JSON.stringify(request).length);
    return commands[command](request);
  }) as Ask;
  let count = 0;
  let own = key;
  return {
    db,
    conversations,
    imports,
    /** Asks in a chat, at its end, and waits for the answer. */
    async ask(conversationId: string, text: string): Promise<string> {
      const runId = `${name}.${count++}`;
      await runs.start({ conversationId, runId, message: { id: `${runId}.message`, text } });
      await until((event) => event.type === 'run' && event.runId === runId && event.event.type === 'run_end');
      return `${runId}.message`;
    },
    /** @param puts files that get through before the line is cut */
    async sync(puts = Infinity) {
      const opened = open();
      let left = puts;
      const put: Store['put'] = async (...file) => {
        if (left-- <= 0) throw new Error('The line is dead.');
        return opened.put(...file);
      };
      const store = { ...opened, put };
      const { signal } = new AbortController();
      own ??= await joinStore(store, PASSPHRASE);
      return sync({
        db,
        store,
        key: own,
        states,
        ask,
        tell: () => {},
        signal,
        mostLoose: 4,
        ...(fileSize && { fileSize }),
      });
    },
    titles: async () => (await conversations.list({})).conversations.map(({ title }) => title).toSorted(),
    /** Every message of a chat that is not deleted. */
    rows: (conversationId: string) => rowsHere(db, conversationId),
    said: async (conversationId: string) =>
      (await rowsHere(db, conversationId)).map(({ content }) => content).toSorted(),
    /** The branch that is shown. */
    async shown(conversationId: string): Promise<string[]> {
      const chat = await db.get('conversations', conversationId);
      return (await loadPath(db, conversationId, chat?.leafId ?? null)).map(({ content }) => content);
    },
    /** Has back what was deleted of a chat, and the chat. */
    async undo(conversationId: string): Promise<void> {
      await conversations.restore({ ids: [conversationId] });
      const deleted = await db.getAllFromIndex('messages', 'by-deleted');
      for (const row of deleted)
        if (row.conversationId === conversationId) await runs.restoreMessage({ messageId: row.id });
    },
    purge: () => purgeDeleted(db, '9999'),
    close() {
      states.close();
      db.close();
    },
  };
}
