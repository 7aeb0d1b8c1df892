import type { Conversation } from '../types/setup.ts';
import type { Undos } from './undos.ts';
import type { Watching } from './watching.ts';

export type Chats = {
  /** Deletes a chat; it can be had back for a while. */
  removeChat: (chat: Pick<Conversation, 'id' | 'title'>) => Promise<void>;
  /** Chats as one text, all of them without `ids`; undefined when the worker did not give it. */
  exportChats: (format: 'markdown' | 'json', ids?: string[]) => Promise<string | undefined>;
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
    async exportChats(format, ids) {
      const texts: string[] = [];
      let after: string | undefined;
      do {
        const page = await command('exportChats', {
          format,
          ...(ids && { ids }),
          ...(after !== undefined && { after }),
        });
        if (!page) return undefined;
        texts.push(page.reply.text);
        after = page.reply.next;
      } while (after !== undefined);
      return texts.join('');
    },
  };
}
