import type { AssistantMessage, Message } from '../../lib/types/message.ts';
import type { Run } from '../../lib/types/run.ts';
import type { Conversation } from '../../lib/types/conversation.ts';
import type { CallStatus, ToolCall } from '../../lib/types/tools/tool-call.ts';
import type { ToolResult } from '../../lib/types/tools/tool-result.ts';

export const ID = 'c1';
export const ago = (seconds: number): string => new Date(Date.now() - seconds * 1000).toISOString();

export const conversation: Conversation = {
  id: ID,
  title: 'SDKs that lose the session',
  createdAt: ago(300),
  updatedAt: ago(60),
  leafId: null,
  providerId: null,
  model: null,
  settings: {},
};

export const base = (id: string, seq: number) => ({
  id,
  conversationId: ID,
  parentId: null,
  seq,
  sub: 0,
  timestamp: ago(60),
  status: 'complete' as const,
});

export const you = (seq: number, content: string): Message => ({
  ...base(`u${seq}`, seq),
  role: 'user',
  content,
});

export const assistant = (
  seq: number,
  content: string,
  more: Partial<AssistantMessage> = {},
): AssistantMessage => ({
  ...base(`a${seq}`, seq),
  role: 'assistant',
  runId: 'r1',
  content,
  ...more,
});

/** An answer that streams in. */
export const streaming = (
  seq: number,
  content: string,
  more: Partial<AssistantMessage> = {},
): AssistantMessage => assistant(seq, content, { status: 'streaming', ...more });

export const run = (more: Partial<Run> = {}): Run => ({
  id: 'r1',
  conversationId: ID,
  status: 'working',
  leafId: null,
  iteration: 2,
  resumes: 0,
  progressAt: ago(5),
  startedAt: ago(41),
  ...more,
});

export const queued = (id: string, order: number, text: string, steer = false): Run =>
  run({ id, status: 'queued', iteration: 0, queued: { id: `${id}-message`, text, order, steer } });

export const ended = (more: Partial<Run> = {}): Run => run({ status: 'ended', reason: 'done', ...more });

export type CallShape = {
  tool: string;
  server?: [number, string] | null;
  args?: unknown;
  status: CallStatus;
};

export const call = (
  messageId: string,
  position: number,
  shape: CallShape,
  more: Partial<ToolCall> = {},
): ToolCall => {
  const [serverId, serverName] = shape.server === null ? [null, 'Portside'] : (shape.server ?? [1, 'GitHub']);
  return {
    callId: `${messageId}.${position}`,
    conversationId: ID,
    runId: 'r1',
    messageId,
    position,
    toolCallId: `t${position}`,
    namespacedName: `mcp__${serverId ?? 0}__${shape.tool}`,
    toolName: shape.tool,
    serverId,
    serverName,
    arguments: JSON.stringify(shape.args ?? {}),
    annotations: {},
    status: shape.status,
    createdAt: ago(60),
    ...more,
  };
};

export const requests = (calls: ToolCall[]): Pick<AssistantMessage, 'tool_calls'> => ({
  tool_calls: calls.map((row) => ({
    id: row.toolCallId,
    name: row.namespacedName,
    arguments: row.arguments,
  })),
});

export const result = (text: string, more: Partial<ToolResult> = {}): ToolResult => ({
  text,
  isError: false,
  ...more,
});
