import type { Conversation } from '../types/setup.ts';
import type { ChatFormat } from './export-chats.ts';
import type { Undos } from './undos.ts';
import type { Watching } from './watching.ts';

export type Chats = {
  /** Deletes a chat; it can be had back for a while. */
  removeChat: (chat: Pick<Conversation, 'id' | 'title'>) => Promise<void>;
  /** Puts a chat into the archive, or takes it out; that can be undone for a while. */
  archiveChat: (chat: Pick<Conversation, 'id' | 'title'>, archived: boolean) => Promise<void>;
  /** Chats as one text, all of them without `ids`; undefined when the worker did not give it. */
  exportChats: (format: ChatFormat, ids?: string[]) => Promise<string | undefined>;
};

type Deps = {
  watching: Pick<Watching, 'chat' | 'conversationId' | 'command'>;
  undos: Undos;
  show: (conversation: Conversation | null) => void;
};

/** What the person does with whole chats. */
export function createChats({ watching, undos, show }: Deps): Chats {
  const { chat, conversationId, command } = watching;
  return {
    async removeChat({ id, title }) {
      const shown = conversationId.value === id ? chat.value.conversation : null;
      if (!(await command('deleteConversations', { ids: [id] }))) return;
      if (conversationId.value === id) show(null);
      undos.offer({ key: id, what: 'chat', title }, async () => {
        const restored = await command('restoreConversations', { ids: [id] });
        if (restored && shown && conversationId.value === null) show(shown);
      });
    },
    async archiveChat({ id, title }, archived) {
      if (!(await command('setConversation', { id, archived }))) return;
      undos.offer({ key: id, what: archived ? 'archived' : 'unarchived', title }, async () => {
        await command('setConversation', { id, archived: !archived });
      });
    },
    async exportChats(format, ids) {
      const { exportParts } = await import('./export-chats.ts');
      const parts = await exportParts(format, async (request) => {
        const page = await command('exportChats', { ...request, ...(ids && { ids }) });
        return page?.reply;
      });
      return parts?.join('');
    },
  };
}
