import type { Message } from '../../../lib/types/message.ts';
import type { Run } from '../../../lib/types/run.ts';
import type { Conversation } from '../../../lib/types/conversation.ts';
import { callIdOf, type ToolCall } from '../../../lib/types/tools/tool-call.ts';
import type { ContentBlock } from '../../../lib/types/tools/tool-result.ts';

/** Turns of a chat: a panel that opens it shows so many at once. */
const TURNS = 24;

/** Texts of one place, each read as if it were alone, even where they are markdown. */
const TOGETHER = 4;
const APART = '\n\n~~~~~~~~\n\n~~~~~~~~\n\n';

export type Rows = {
  conversations: Conversation[];
  messages: Message[];
  toolCalls: ToolCall[];
  runs: Run[];
};

/**
 * Chats in which every text that others can set is hostile: questions, names of files, answers, reasoning, names of
 * models, tools and servers, arguments, results, errors.
 */
export function hostileChats(texts: string[]): Rows {
  const rows: Rows = { conversations: [], messages: [], toolCalls: [], runs: [] };
  const places: string[] = [];
  for (let from = 0; from < texts.length; from += TOGETHER) {
    places.push(texts.slice(from, from + TOGETHER).join(APART));
  }
  for (let from = 0; from < places.length; from += TURNS) {
    addChat(rows, `chat${from}`, places.slice(from, from + TURNS));
  }
  return rows;
}

/** A chat for each title, and nothing in it. */
export const titledChats = (titles: string[]): Conversation[] =>
  titles.map((title, number) => ({ ...chat(`title${number}`, title, null), updatedAt: at(number) }));

const at = (second: number): string => new Date(Date.UTC(2026, 9, 1, 0, 0, second)).toISOString();

const chat = (id: string, title: string, leafId: string | null): Conversation => ({
  id,
  title,
  createdAt: at(0),
  updatedAt: at(1),
  leafId,
  providerId: null,
  model: null,
  settings: {},
});

function addChat({ conversations, messages, toolCalls, runs }: Rows, id: string, texts: string[]): void {
  const place = (seq: number) => ({
    id: `${id}.${seq}`,
    conversationId: id,
    parentId: seq === 0 ? null : `${id}.${seq - 1}`,
    seq,
    sub: 0,
    timestamp: at(seq),
    status: 'complete' as const,
  });
  for (const [turn, text] of texts.entries()) {
    const call = callOf(id, `${id}.${2 * turn + 1}`, text);
    const source = { type: 'file', name: text, size: 10 } as const;
    const attachments = [{ id: `${id}.file${turn}`, title: text, source, mimeType: text, text, tokens: 1 }];
    messages.push({ ...place(2 * turn), role: 'user', content: text, attachments });
    messages.push({
      ...place(2 * turn + 1),
      role: 'assistant',
      runId: id,
      content: text,
      reasoning: text,
      model: text,
      notes: [text],
      usage: { inputTokens: 1, outputTokens: 1 },
      tool_calls: [{ id: call.toolCallId, name: call.namespacedName, arguments: call.arguments }],
    });
    toolCalls.push(call);
  }
  const leafId = `${id}.${2 * texts.length - 1}`;
  const error = {
    code: 'model_failed',
    message: texts[0] ?? '',
    cause: texts[1] ?? '',
    fix: texts[2] ?? '',
    retryable: true,
  };
  const times = { progressAt: at(0), startedAt: at(0) };
  conversations.push(chat(id, texts[0] ?? '', leafId));
  runs.push({
    id,
    conversationId: id,
    leafId,
    status: 'ended',
    reason: 'error',
    error,
    iteration: 1,
    resumes: 0,
    ...times,
  });
}

const callOf = (conversationId: string, messageId: string, text: string): ToolCall => ({
  callId: callIdOf(messageId, 0),
  conversationId,
  runId: conversationId,
  messageId,
  position: 0,
  toolCallId: text,
  namespacedName: text,
  toolName: text,
  serverId: 99,
  serverName: text,
  arguments: JSON.stringify({ [text]: text }),
  annotations: { title: text },
  status: 'error',
  result: { text, isError: true, structured: { [text]: [text] }, blocks: blocksOf(text) },
  createdAt: at(0),
  startedAt: at(0),
  durationMs: 20,
});

/** As a server can send it. */
export const blocksOf = (text: string): ContentBlock[] => [
  { type: 'text', text },
  { type: 'resource_link', uri: text, name: text, title: text, description: text, mimeType: text },
  { type: 'resource', resource: { uri: text, mimeType: text, text } },
  { type: 'resource', resource: { uri: `file:///${text}`, mimeType: 'image/svg+xml', blob: btoa('<svg/>') } },
  { type: 'image', data: text, mimeType: text },
  { type: 'image', data: text, mimeType: 'image/svg+xml' },
  { type: 'audio', data: text, mimeType: text },
  { type: 'unknown', value: { type: text, [text]: text } },
];
