import type { PanelEvent, TextAppend } from '../../lib/protocol/panel.ts';
import { type Chat, chatFrom, emptyChat, withRows } from '../../lib/state/chat/chat.ts';

/** A copy of the chat that the panel shows, kept by what the panel is told; text that streams in is in its message. */
export function createChatCopy() {
  let chat = emptyChat;
  let subscription = 0;
  return {
    chat: (): Chat => chat,
    subscribed: (to: number): void => void (subscription = to),
    /** What does not fit together is for the panel to see to: a snapshot follows. */
    take(event: PanelEvent): void {
      if (!('subscription' in event) || event.subscription !== subscription) return;
      if (event.type === 'snapshot') chat = chatFrom(event.snapshot);
      else if (event.type === 'change') chat = withRows(chat, event.rows);
      else if (event.type === 'append') chat = withText(chat, event);
    },
  };
}

function withText(chat: Chat, { messageId, part, at, text }: TextAppend): Chat {
  const messages = chat.messages.map((message) => {
    if (message.id !== messageId || message.role !== 'assistant' || typeof part !== 'string') return message;
    const before = part === 'text' ? message.content : (message.reasoning ?? '');
    if (before.length !== at) return message;
    return { ...message, [part === 'text' ? 'content' : 'reasoning']: before + text };
  });
  return { ...chat, messages };
}
