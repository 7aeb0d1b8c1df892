import type { Conversation } from '../../types/conversation.ts';
import type { ChatFormat } from './export-chats.ts';
import { readList, type TextStore } from '../composer/kept-answers.ts';
import type { Undo, Undos } from './undos.ts';
import type { ConversationView } from '../chat/conversation-view.ts';

type Deps = {
  view: Pick<ConversationView, 'chat' | 'conversationId' | 'command'>;
  undos: Undos;
  show: (conversation: Conversation | null) => void;
  /** Outlives the page. */
  store: TextStore | null;
  /** ISO 8601. */
  now: () => string;
};

/** What pages have on offer, and since when: one that opens soon after offers it too, since they may have closed. */
type Kept = [at: string, undo: Undo];
const KEY = 'undos';
const SOON_MS = 60_000;

/** Forgets the titles that it names. */
export function forgetOffers(store: Pick<Storage, 'removeItem'>): void {
  store.removeItem(KEY);
}

function isKept(value: unknown): value is Kept {
  if (!Array.isArray(value)) return false;
  const [at, undo] = value as Partial<Kept>;
  return typeof at === 'string' && typeof undo?.key === 'string';
}

/** What the user does with whole chats. */
export function createChats({ view, undos, show, store, now }: Deps) {
  const { chat, conversationId, command } = view;

  function offer(undo: Undo, shown: Conversation | null = null): void {
    const { key: id, what } = undo;
    undos.offer(undo, async () => {
      const isBack = await (what === 'chat'
        ? command('restoreConversations', { ids: [id] })
        : command('setConversation', { id, archived: what === 'unarchived' }));
      if (isBack && shown && conversationId.value === null) show(shown);
    });
  }
  return {
    /** Deletes a chat; it can be had back for a while. */
    async removeChat({ id, title }: Pick<Conversation, 'id' | 'title'>): Promise<void> {
      const shown = conversationId.value === id ? chat.value.conversation : null;
      if (!(await command('deleteConversations', { ids: [id] }))) return;
      if (conversationId.value === id) show(null);
      offer({ key: id, what: 'chat', title }, shown);
    },
    /** Puts a chat into the archive, or takes it out; that can be undone for a while. */
    async archiveChat({ id, title }: Pick<Conversation, 'id' | 'title'>, archived: boolean): Promise<void> {
      if (!(await command('setConversation', { id, archived }))) return;
      offer({ key: id, what: archived ? 'archived' : 'unarchived', title });
    },
    /** Chats as one text, all of them without `ids`; undefined when the worker did not give it. */
    async exportChats(format: ChatFormat, ids?: string[]): Promise<string | undefined> {
      const { exportParts } = await import('./export-chats.ts');
      const parts = await exportParts(format, async (request) => {
        const page = await command('exportChats', { ...request, ...(ids && { ids }) });
        return page?.reply;
      });
      return parts?.join('');
    },
    /** Offers again what was offered in a page that closed before the time was up. */
    offerAgain(): void {
      if (!store) return;
      // Read anew each time: another panel may have written meanwhile.
      const kept = (): Kept[] =>
        readList(store.getItem(KEY)).filter(
          (each): each is Kept => isKept(each) && Date.parse(now()) - Date.parse(each[0]) < SOON_MS,
        );
      /** The keys of what is on offer here. */
      let own: string[] = [];
      for (const [, undo] of kept()) offer(undo);
      undos.list.subscribe((offered) => {
        const ofChats = offered.filter(({ what }) => what !== 'message');
        const before = own;
        own = ofChats.map(({ key }) => key);
        // Each counts from when it was first offered, wherever that was.
        const left = kept().filter(([, { key }]) => own.includes(key) || !before.includes(key));
        const known = new Set([...before, ...left.map(([, { key }]) => key)]);
        const added = ofChats.filter(({ key }) => !known.has(key)).map((undo): Kept => [now(), undo]);
        const next = [...left, ...added];
        if (next.length > 0 || store.getItem(KEY)) store.setItem(KEY, JSON.stringify(next));
      });
    },
  };
}
