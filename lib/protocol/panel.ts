import type { AttachmentSummary } from '../types/attachment.ts';
import type { WireError } from '../types/error.ts';
import type { Message, Versions } from '../types/message.ts';
import type { ServerRequest } from '../types/request.ts';
import type { Run, RunEvent } from '../types/run.ts';
import type { Conversation, ConversationState, ServerStatus } from '../types/setup.ts';
import type { ToolCall } from '../types/tool.ts';
import type { WireEntry } from '../types/wire-log.ts';
import type { Setup } from './setup.ts';

/** What a page says on the event port. */
export type PanelRequest =
  /**
   * Watch a conversation. Answered by one snapshot, then events in order. null: the one that waits for the person, else
   * what was last shown at this place, else the newest. `isChoice`: the person chose it, here. `isNew`: it is about to
   * begin, so that there is nothing to tell but its events; the snapshot is asked for later.
   */
  | {
      type: 'watch';
      conversationId: string | null;
      place?: Place;
      isChoice?: boolean;
      isHidden?: boolean;
      isNew?: boolean;
    }
  /** Whether the panel is before somebody's eyes has changed. */
  | { type: 'visibility'; isHidden: boolean }
  /** Options pages: set-up only, and the log of one server. */
  | { type: 'watch_setup'; logOf?: number };

/** Where a panel stands: its browser window, and the tab in front of it. */
export type Place = { windowId?: number; tabId?: number };

/** What the worker says on the event port. */
export type PanelEvent =
  | { type: 'snapshot'; snapshot: Snapshot }
  /** All panels show the same chat, and this is it now. */
  | { type: 'follow'; conversationId: string }
  | { type: 'setup'; setup: Setup }
  | { type: 'server_status'; serverId: number; status: ServerStatus }
  | { type: 'run'; conversationId: string; runId: string; event: RunEvent }
  /** A user message was written down, or a run changed outside its events (queued, waiting, removed). */
  | { type: 'message'; message: Message }
  | { type: 'run_changed'; run: Run }
  /** What was queued and is not sent any more: back into the composer. */
  | { type: 'unsent'; conversationId: string; texts: string[] }
  /** To every page: a conversation began or is another. */
  | { type: 'conversation'; conversation: Conversation }
  /** To every page: these are deleted. */
  | { type: 'conversations_gone'; ids: string[] }
  /** To every page: something began, waits or ended in a conversation; null: nothing goes on in it any more. */
  | { type: 'conversation_state'; conversationId: string; state: ConversationState | null }
  /** A server asks the person something, or does not wait for it any more. */
  | { type: 'server_request'; request: ServerRequest }
  | { type: 'server_request_end'; conversationId: string; requestId: string }
  /** The draft's attachments, all of them, after one was added, removed or read again. */
  | { type: 'attachments'; conversationId: string; attachments: AttachmentSummary[] }
  /** Only to pages that watch this server's log: its new lines, oldest first. */
  | { type: 'server_log'; serverId: number; entries: WireEntry[] }
  | { type: 'refused'; error: WireError };

/** Everything a panel needs to draw one conversation: the last 50 messages, the live one among them. */
export type Snapshot = {
  conversation: Conversation | null;
  messages: Message[];
  hasOlder: boolean;
  /** By message id; only of messages that have more than one. */
  versions: Record<string, Versions>;
  toolCalls: ToolCall[];
  /** The live, waiting, queued and last ended runs, oldest first. */
  runs: Run[];
  draft: string;
  /** The draft's. */
  attachments: AttachmentSummary[];
  /** What servers wait for the person to answer, oldest first. */
  requests: ServerRequest[];
};
