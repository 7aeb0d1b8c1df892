import type { Message, Versions } from '../types/message.ts';
import type { ChatChange, Conversation, ConversationState } from '../types/conversation.ts';
import type { ToolCall } from '../types/tools/tool-call.ts';

/** Chats: their list, their branches, their drafts. */
export type ChatCommands = {
  /** At most 50 messages of the branch that ends in `leafId` (inclusive), oldest first, with their calls. */
  olderMessages(request: { leafId: string }): {
    messages: Message[];
    toolCalls: ToolCall[];
    hasOlder: boolean;
    versions: Record<string, Versions>;
  };
  /** Shows another version of a message, with what followed it last. @throws AppError `run_live` */
  switchVersion(request: { messageId: string }): void;
  /** Begins a chat that holds a copy of this one's branch up to a message and its answer's end; that one stays as it is. */
  forkConversation(request: { messageId: string; conversationId: string }): Conversation;
  /** Takes a message and all that follows it out of its chat. @throws AppError `run_live` */
  deleteMessage(request: { messageId: string }): void;
  /** Undoes that, as long as it can be undone. */
  restoreMessage(request: { messageId: string }): void;
  /** Pinned ones first (all of them, with the first page, and the newest of projects), then newest first, 50 at a time. `before`: the last one's `updatedAt`. */
  listConversations(request: { archived?: boolean; before?: string }): ConversationPage;
  /** `title`: the user's from now on. */
  setConversation(request: { id: string; title?: string; pinned?: boolean; archived?: boolean }): void;
  /** They can be had back for a while; what goes on in them is stopped. */
  deleteConversations(request: { ids: string[] }): void;
  restoreConversations(request: { ids: string[] }): void;
  /** Closes tabs, as far as this chat opened them. */
  closeTabs(request: { conversationId: string; tabIds: number[] }): void;
  /** Brings a tab to the front. @throws AppError `page_gone` */
  showTab(request: { tabId: number }): void;
  /** Changes how a chat is asked, from its next message on; of NEW_CHAT: the chat that begins next. */
  setChat(request: { conversationId: string } & ChatChange): void;
  /**
   * @param request `sent`: what was the draft. Without a text only that is removed, and not if it went back into the draft.
   * `returned`: it was not sent after all, and goes before what the draft holds by now
   */
  saveDraft(request: {
    conversationId: string;
    text: string;
    sent?: { runId: string; text: string; draft?: string };
    returned?: true;
  }): void;
  /**
   * Titles, messages and tool results that hold all these words, or words that begin so; newest first, 20 at a time.
   * `before`: the `at` and the `id` of the last hit of the page before.
   */
  search(request: { text: string; before?: Pick<SearchHit, 'at' | 'id'> }): {
    hits: SearchHit[];
    hasMore: boolean;
  };
};

/**
 * `count`: of all chats, archived ones or the others, whatever this page holds. `damaged`: there are some that it leaves out,
 * since they can't be shown.
 */
export type ConversationPage = {
  conversations: ListedConversation[];
  hasMore: boolean;
  count: number;
  damaged?: true;
};

/** A conversation without its system prompt, and what goes on in it, if anything. */
export type ListedConversation = Conversation & { state?: ConversationState };

/** Where words were found. `messageId` is absent for a title. */
export type SearchHit = {
  id: string;
  conversationId: string;
  title: string;
  messageId?: string;
  role?: Message['role'];
  /** ISO 8601. */
  at: string;
  /** The text around what was found, `hit` where it is the words themselves. */
  excerpt: { text: string; hit: boolean }[];
};

/** The id under which a chat that has no message yet is subscribed to and its draft kept. */
export const NEW_CHAT = 'new';

/** The conversation of calls that the user makes outside any chat, and of what servers ask in those. */
export const OWN_CALLS = '';
