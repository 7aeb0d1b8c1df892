import type { Message } from './message.ts';
import type { ToolCall } from './tools/tool-call.ts';

/** What an export for people is made of: how a chat begins, then each message of the branch that is shown. */
export type ChatLine =
  | { type: 'chat'; title: string; createdAt: string }
  | ({ type: 'message' } & MessageLine);

export type MessageLine = Pick<Message, 'role' | 'timestamp' | 'status' | 'content'> & {
  model?: string;
  reasoning?: string;
  /** Titles of what went with it. */
  attached: string[];
  calls: CallLine[];
};

/** `arguments`: as they were sent; `result`: the text; `pictures`: how many came with it. */
export type CallLine = Pick<ToolCall, 'toolName' | 'serverName' | 'status' | 'arguments'> & {
  result?: string;
  pictures: number;
};
