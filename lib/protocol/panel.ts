import type { AppToolEvent, AppToolRequest } from '../types/app.ts';
import type { AttachmentSummary } from '../types/attachment.ts';
import type { WireError } from '../types/error.ts';
import type { Message, Versions } from '../types/message.ts';
import type { PageTab } from '../types/page.ts';
import type { ServerRequest } from '../types/request.ts';
import { type Activity, type CallDeltaPart, idle, type Run } from '../types/run.ts';
import type { Conversation, ConversationState } from '../types/conversation.ts';
import type { ServerStatus } from '../types/server.ts';
import type { ToolCall } from '../types/tools/tool-call.ts';
import type { WireEntry } from '../types/wire-log.ts';
import type { Setup } from './setup.ts';

/**
 * How far something has come that the worker owns and pages have a copy of. Numbers grow by one with each change and
 * count within one life of the worker, its epoch. What no worker has written yet is at 0.
 */
export type Revision = { epoch: string; number: number };

/** What a page says on the event port. */
export type PanelRequest = Subscribe | Visibility | AppToolRequest;

/** Whether the user can see the panel has changed. */
type Visibility = { type: 'visibility'; isHidden: boolean };

/**
 * Shows a conversation from now on: in effect at once, and the last one holds. Answered by what was missed since `have`,
 * or by a snapshot, and then by every change. Said again whenever the page finds that it missed something.
 */
export type Subscribe = {
  type: 'subscribe';
  /** Comes back in each event of this subscription, so that the page can leave out late events of an earlier one. */
  subscription: number;
  /** null: the one that waits for the user, else what was last shown at this place, else the newest. */
  conversationId: string | null;
  /** What the page has of it; a chat that is about to begin has the number 0. */
  have?: Revision;
  /** What the page has of the configuration, and of the list of chats. */
  setup?: Revision;
  chats?: Revision;
  place?: Place;
  /** The user chose it, here. */
  isChoice?: boolean;
  isHidden?: boolean;
  /** Subscribes to this server's log too. */
  logOf?: number;
};

/** Where a panel stands: its browser window, and the tab in front of it. */
export type Place = { windowId?: number; tabId?: number };

/** What the worker says on the event port. */
export type PanelEvent =
  | SubscriptionEvent
  | ChatsEvent
  /** All panels show the same chat, and this is it now. */
  | { type: 'follow'; conversationId: string }
  | { type: 'setup'; revision: Revision; setup: Setup }
  | { type: 'server_status'; revision: Revision; serverId: number; status: ServerStatus }
  /** Only to pages that asked for this server's log: its new lines, oldest first. */
  | { type: 'server_log'; serverId: number; entries: WireEntry[] }
  | AppToolEvent
  | { type: 'refused'; error: WireError };

/** The events of the conversation that a page has subscribed to. */
export type SubscriptionEvent = { subscription: number } & (
  | { type: 'snapshot'; conversationId: string; revision: Revision; snapshot: Snapshot }
  | ConversationUpdate
  /** Nothing was missed up to here: the answer to a subscription, and the beat of a run that works. */
  | { type: 'revision'; revision: Revision }
);

/** What happens to a conversation that pages show. */
export type ConversationUpdate = ConversationChange | TextAppend;

/** Brings what stands at `from` to `to`. */
export type ConversationChange = { type: 'change'; from: number; to: number; rows: ChatRows };

/** Text that streams in, at its offset in what is there already. It is no revision: the offset says whether it fits. */
export type TextAppend = {
  type: 'append';
  messageId: string;
  at: number;
  text: string;
  part: 'text' | 'reasoning' | CallDeltaPart;
};

/** Rows that changed: each takes the place of the one that has its id. */
export type ChatRows = {
  conversation?: Conversation;
  messages?: Message[];
  toolCalls?: ToolCall[];
  runs?: Run[];
  versions?: Record<string, Versions>;
  /** Ids of messages that are not shown any more. */
  removed?: string[];
  /** All of the draft's. */
  attachments?: AttachmentSummary[];
  /** All that wait. */
  requests?: ServerRequest[];
  /** All that the chat opened and that are still open. */
  tabs?: PageTab[];
  activity?: Activity;
};

/** What is told of the list of chats; of itself alone `chats` says that this page was not told of all changes. */
export type ChatsEvent = { revision: Revision } & (ChatListEvent | { type: 'chats' });

/** To every page, whatever it shows. */
export type ChatListEvent =
  /** A conversation began or is another. */
  | { type: 'conversation'; conversation: Conversation }
  /** These are deleted. */
  | { type: 'conversations_gone'; ids: string[] }
  /** Something began, waits or ended in a conversation; null: nothing goes on in it any more. */
  | { type: 'conversation_state'; conversationId: string; state: ConversationState | null };

/** Everything a panel needs to draw one conversation: the last 50 messages, the live one among them. */
export type Snapshot = {
  conversation: Conversation | null;
  messages: Message[];
  hasOlder: boolean;
  /** By message id; only of messages that have more than one. */
  versions: Record<string, Versions>;
  toolCalls: ToolCall[];
  /** Those that ended at one of the messages, the live one and the queue, oldest first. */
  runs: Run[];
  draft: string;
  /** The draft's. */
  attachments: AttachmentSummary[];
  /** What servers wait for the user to answer, oldest first. */
  requests: ServerRequest[];
  /** Those that the chat opened and that are still open. */
  tabs: PageTab[];
  activity: Activity;
};

export const emptySnapshot: Snapshot = {
  conversation: null,
  messages: [],
  hasOlder: false,
  versions: {},
  toolCalls: [],
  runs: [],
  draft: '',
  attachments: [],
  requests: [],
  tabs: [],
  activity: idle,
};

/** What changed that a page may show: a conversation's id, the configuration or the list of chats. */
export type Announcement = { topic: string; revision: Revision };

export const SETUP_TOPIC = 'setup';
export const CHATS_TOPIC = 'chats';
