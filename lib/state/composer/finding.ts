import { effect, signal, type ReadonlySignal } from '@preact/signals';
import type { SearchHit } from '../../protocol/chats.ts';
import type { Reply } from '../../protocol/commands.ts';
import { withOlder, type Chat } from '../chat/chat.ts';
import type { ConversationView } from '../chat/conversation-view.ts';

/** A message to be brought before the reader's eyes. A later one of the same id is another wish. */
export type ScrollTarget = {
  messageId: string;
  /** The message itself, or a result of its calls. */
  id: string;
};

type Deps = Pick<ConversationView, 'chat' | 'conversationId' | 'command'> & {
  /** Counts the snapshots that were taken. */
  snapshots: ReadonlySignal<number>;
};

/** What stands further up: older pages, and any message, on whatever branch, brought before the reader's eyes. */
export function createFinding({ chat, conversationId, command, snapshots }: Deps) {
  const found = signal<ScrollTarget | null>(null);
  /** The user wants to see something else by now. */
  let wish = 0;

  /** Shows the message of a hit in its chat, which is shown already or about to be. */
  async function find(hit: Pick<SearchHit, 'id' | 'conversationId' | 'messageId'>): Promise<void> {
    const mine = (wish += 1);
    const { conversationId: id, messageId } = hit;
    const isWanted = (): boolean => mine === wish && conversationId.value === id;
    if (messageId === undefined) return;
    const isHere = await until(() => !isWanted() || chat.value.messages.length > 0).then(isWanted);
    if (!isHere) return;
    if (!(await reach(messageId, isWanted)) && isWanted()) {
      const before = snapshots.value;
      if (!(await command('switchVersion', { messageId }))) return;
      await until(() => !isWanted() || snapshots.value > before);
      if (!isWanted() || !(await reach(messageId, isWanted))) return;
    }
    if (isWanted()) found.value = { messageId, id: hit.id };
  }

  /** Loads older pages until the message is there, and shows them all at once. */
  async function reach(messageId: string, isWanted: () => boolean): Promise<boolean> {
    const holds = (page: Pick<Chat, 'messages'>): boolean => page.messages.some(({ id }) => id === messageId);
    const pages: Reply<'olderMessages'>[] = [];
    const first = chat.value.messages[0]?.id;
    let top: Pick<Chat, 'messages' | 'hasOlder'> = chat.value;
    while (!holds(top) && top.hasOlder) {
      const leafId = top.messages[0]?.parentId;
      const older = leafId ? await command('olderMessages', { leafId }) : undefined;
      if (!older || !isWanted() || chat.value.messages[0]?.id !== first) return false;
      pages.push(older.reply);
      top = older.reply;
    }
    if (!holds(top)) return false;
    if (pages.length > 0) chat.value = pages.reduce(withOlder, chat.value);
    return true;
  }

  /** @param before called when they are there, just before they are shown */
  async function loadOlder(before?: () => void): Promise<void> {
    const leafId = chat.value.messages[0]?.parentId;
    const id = conversationId.value;
    if (!leafId || id === null) return;
    const older = await command('olderMessages', { leafId });
    // Of another version, if that was switched to meanwhile.
    if (!older || id !== conversationId.value || chat.value.messages[0]?.parentId !== leafId) return;
    before?.();
    chat.value = withOlder(chat.value, older.reply);
  }

  return { found: found as ReadonlySignal<ScrollTarget | null>, find, loadOlder };
}

/** Resolves when the condition, which reads signals, holds. */
function until(condition: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    let stop: (() => void) | undefined;
    let done = false;
    stop = effect(() => {
      if (done || !condition()) return;
      done = true;
      resolve();
      // The first run comes before there is a way to stop.
      queueMicrotask(() => stop?.());
    });
  });
}
