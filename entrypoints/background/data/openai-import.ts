import * as z from 'zod/mini';
import { tokensOfAttachment } from '../../../lib/agent/context/tokens.ts';
import type { Attachment } from '../../../lib/types/attachment.ts';
import type { Picture } from '../../../lib/types/picture.ts';
import { callIdOf, MAX_ARGUMENTS, MAX_CALLS, resultIdOf } from '../../../lib/types/tools/tool-call.ts';
import type { ImportedMessage } from '../../../lib/storage/import-export/chat-shapes.ts';
import type { ImportedCall, ImportedChat } from '../../../lib/storage/import-export/import-chat.ts';
import { fields, list, readShape, text } from '../../../lib/storage/import-export/shapes.ts';
import { t } from '../../../locales/texts/errors.ts';
import { sha256 } from '../../../lib/sha256.ts';

/** Characters of a first question's first line that make a title. */
const TITLE = 80;

const part = z.discriminatedUnion('type', [
  fields({ type: z.literal('text'), text: z.string() }),
  fields({ type: z.literal('image_url'), image_url: fields({ url: z.string() }) }),
]);
type Part = z.output<typeof part>;
const content = z.pipe(
  z.transform((value) => (typeof value === 'string' ? [{ type: 'text', text: value }] : value)),
  z.array(part),
);
const call = fields({
  id: text(1_000, 1),
  type: z.literal('function'),
  function: fields({ name: text(1_000), arguments: text(MAX_ARGUMENTS) }),
});
const said = <R extends string>(role: R) => fields({ role: z.literal(role), content });

const messageShape = z.discriminatedUnion('role', [
  said('system'),
  said('developer'),
  said('user'),
  fields(
    { role: z.literal('assistant') },
    { content: z.nullable(content), tool_calls: z.nullable(list(call, MAX_CALLS)) },
  ),
  fields({ role: z.literal('tool'), content, tool_call_id: text(1_000) }),
]);
type OpenAiMessage = z.output<typeof messageShape>;
const chatShape = fields({ messages: z.array(messageShape) }, { title: z.unknown() });

/** Whether it is messages as the OpenAI API takes them, and no chat of a Portside export. */
export const isOpenAiChat = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'messages' in value && !('conversation' in value);

/**
 * A chat of messages as the OpenAI API takes them. Its ids follow from what it holds, so that the same file is the same
 * chat again.
 * @param now ISO 8601, for the times that the file does not tell
 * @throws AppError `bad_import` that says where the file is wrong
 */
export async function readOpenAiChat(value: unknown, now: string): Promise<ImportedChat> {
  const { messages, title } = readShape(
    chatShape,
    value,
    t(($) => $.errors.import.theChat),
  );
  const id = await idOf(messages);
  const system: string[] = [];
  const turns: ImportedMessage[] = [];
  const calls: ImportedCall[] = [];
  /** The last answer's place, and that of its first call. */
  let asking = { seq: 0, first: 0 };
  for (const message of messages) {
    if (message.role === 'system' || message.role === 'developer') system.push(textOf(message.content));
    else if (message.role === 'tool') addResult(message);
    else addTurn(message);
  }
  const question = turns.find(({ role }) => role === 'user')?.content ?? '';
  const leafId = turns.findLast(({ role }) => role !== 'tool')?.id ?? null;
  return {
    conversation: {
      id,
      title: typeof title === 'string' ? title : (question.trim().split('\n')[0] ?? '').slice(0, TITLE),
      createdAt: now,
      updatedAt: now,
      leafId,
      settings: system.length > 0 ? { system: system.join('\n\n') } : {},
    },
    messages: turns,
    toolCalls: calls,
  };

  function addTurn(message: Extract<OpenAiMessage, { role: 'user' | 'assistant' }>): void {
    const last = turns.findLast(({ role }) => role !== 'tool');
    const seq = (last?.seq ?? -1) + 1;
    const place = { id: `${id}-${seq}`, parentId: last?.id ?? null, seq, sub: 0, timestamp: now };
    const base = { ...place, status: 'complete' as const, content: textOf(message.content ?? []) };
    if (message.role === 'user') {
      const attachments = attachmentsOf(message.content, base.id);
      turns.push({ ...base, role: 'user', ...(attachments.length > 0 && { attachments }) });
      return;
    }
    const asked = message.tool_calls ?? [];
    const requests = asked.map((each) => ({ id: each.id, ...each.function }));
    const runId = `${id}-run`;
    asking = { seq, first: calls.length };
    turns.push({ ...base, role: 'assistant', runId, ...(asked.length > 0 && { tool_calls: requests }) });
    for (const [position, request] of requests.entries())
      calls.push({
        runId,
        messageId: base.id,
        position,
        toolCallId: request.id,
        namespacedName: request.name,
        toolName: request.name.replace(/^mcp__\d+__/, ''),
        serverId: 0,
        serverName: '',
        arguments: request.arguments,
        annotations: {},
        status: 'cancelled', // until its result comes
        createdAt: now,
      });
  }

  /** A result belongs to the last answer's call of its id; one without is left out, as no server takes it. */
  function addResult({ content: parts, tool_call_id }: Extract<OpenAiMessage, { role: 'tool' }>): void {
    const asked = calls
      .slice(asking.first)
      .find(({ toolCallId, status }) => toolCallId === tool_call_id && status === 'cancelled');
    if (!asked) return;
    const result = textOf(parts);
    const { messageId } = asked;
    const callId = callIdOf(messageId, asked.position);
    Object.assign(asked, { status: 'success', result: { text: result, isError: false } });
    turns.push({
      id: resultIdOf(callId),
      parentId: messageId,
      seq: asking.seq,
      sub: asked.position + 1,
      timestamp: now,
      status: 'complete',
      role: 'tool',
      content: result,
      tool_call_id,
      name: asked.namespacedName,
    });
  }
}

async function idOf(messages: OpenAiMessage[]): Promise<string> {
  return `openai-${(await sha256(JSON.stringify(messages))).slice(0, 32)}`;
}

const DATA_URL = /^data:([^;,]+);base64,(.*)$/s;

/** A picture that is somewhere on the web is named, not fetched. */
function textOf(parts: Part[]): string {
  return parts
    .map((each) => {
      if (each.type === 'text') return each.text;
      return DATA_URL.test(each.image_url.url) ? '' : each.image_url.url;
    })
    .filter((each) => each !== '')
    .join('\n\n');
}

function attachmentsOf(parts: Part[], messageId: string): Attachment[] {
  return parts.flatMap((each, index) => {
    const [, mimeType, data] = (each.type === 'image_url' && DATA_URL.exec(each.image_url.url)) || [];
    if (mimeType === undefined || data === undefined) return [];
    const pictures: Picture[] = [{ data, mimeType }];
    const name = t(($) => $.errors.import.picture, { place: index + 1 });
    const source = { type: 'file' as const, name, size: Math.floor((data.length * 3) / 4) };
    const attachment = { id: `${messageId}-${index}`, title: name, source, mimeType, text: '', pictures };
    return [{ ...attachment, tokens: tokensOfAttachment(attachment) }];
  });
}
