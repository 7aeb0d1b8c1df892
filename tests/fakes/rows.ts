import { createFence } from '../../lib/agent/context/fence.ts';
import type { Attachment } from '../../lib/types/attachment.ts';
import type { Message, UserMessage } from '../../lib/types/message.ts';
import type { OfferedTool, ToolAnnotations } from '../../lib/types/tools/tool.ts';

/** As of the chat that every row here is of. */
export const FENCE = createFence('4f9a2c1b');
/** In a block of it. */
export const fenced = (text: string): string => `<external-4f9a2c1b>\n${text}\n</external-4f9a2c1b>`;

/** The text without blocks, of whatever chat, around what is in them. */
export const unfenced = (text: string): string =>
  text.replaceAll(/<(external-\w{8})>\n([^]*?)\n<\/\1>/g, '$2');

/** What is in the one block, of whatever chat, that the text is; undefined for any other. */
export const inBlock = (text: unknown): string | undefined =>
  /^<(external-\w{8})>\n([^]*)\n<\/\1>$/.exec(String(text))?.[2];

export const NOW = Date.parse('2026-11-01T10:00:00.000Z');

export function userMessage(text: string, fields: Partial<UserMessage> = {}): UserMessage {
  return {
    id: 'u1',
    conversationId: 'c1',
    parentId: null,
    seq: 0,
    sub: 0,
    timestamp: new Date(NOW).toISOString(),
    status: 'complete',
    role: 'user',
    content: text,
    ...fields,
  };
}

/** What a message carries besides what was typed. */
export function attachment(id: string, text: string, fields: Partial<Attachment> = {}): Attachment {
  const source = { type: 'resource', serverId: 1, serverName: 'Test server', uri: `test://${id}` } as const;
  return { id, title: `The ${id}`, source, text, tokens: 10, ...fields };
}

export function offered(toolName: string, annotations: ToolAnnotations = {}): OfferedTool {
  return {
    name: `mcp__1__${toolName}`,
    toolName,
    serverId: 1,
    serverName: 'Test server',
    description: '',
    inputSchema: { type: 'object', properties: {} },
    annotations,
  };
}

/** What a conversation looks like in one line a message: `user: text`, `tool: text`. */
export function outline(messages: Message[]): string[] {
  return messages.map(({ role, content, status }) => {
    return status === 'complete' ? `${role}: ${content}` : `${role} (${status}): ${content}`;
  });
}
