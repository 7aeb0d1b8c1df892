import { tokensOfAttachment } from '../agent/context/tokens.ts';
import { sha256 } from '../sha256.ts';
import type { ImportedMessage } from '../storage/import-export/chat-shapes.ts';
import type { ImportedCall, ImportedChat } from '../storage/import-export/import-chat.ts';
import type { Attachment } from '../types/attachment.ts';
import type { ToolCallRequest } from '../types/message.ts';
import type { Picture } from '../types/picture.ts';
import { callIdOf, MAX_ARGUMENTS, MAX_CALLS, resultIdOf } from '../types/tools/tool-call.ts';
import type { ContentBlock, ToolResult } from '../types/tools/tool-result.ts';

/** A chat as another program tells it. Times are ISO 8601. */
export type ToldChat = {
  id: string;
  title: string;
  createdAt: string | undefined;
  updatedAt: string | undefined;
  /** The message at which the shown branch ends; absent: where the latest versions lead. */
  leaf?: string | null | undefined;
  system?: string;
  pinned?: boolean;
  archived?: boolean;
  messages: ToldMessage[];
};

/** `parent`: null, or an id that is not in the chat, makes it a first message. */
export type ToldMessage = { id: string; parent: string | null; at: string | undefined } & (
  | { role: 'user'; text: string; attachments?: ToldAttachment[] }
  | { role: 'assistant'; model?: string | undefined; steps: ToldStep[] }
);

export type ToldAttachment = { name: string; text?: string; picture?: Picture };

/** What a model said before it waited for the results of its calls. */
export type ToldStep = { text: string; reasoning?: string; calls?: ToldCall[] };

export type ToldCall = { id?: string; name: string; arguments: string; result?: ToldResult };
export type ToldResult = { text: string; isError?: boolean; pictures?: Picture[] };

/** What an answer is made of, in its order. */
export type Piece =
  | { type: 'text' | 'reasoning'; text: string }
  | ({ type: 'call' } & ToldCall)
  | { type: 'result'; callId: string; result: ToldResult };

/** Characters of a first question's first line that make a title. */
const TITLE = 80;

/** The steps of an answer: after calls comes the next one. */
export function stepsOf(pieces: Piece[]): ToldStep[] {
  const steps: ToldStep[] = [{ text: '' }];
  const calls = new Map<string, ToldCall>();
  /** So many of the step’s calls, from the first, have results. */
  let answered = 0;
  for (const piece of pieces) {
    let step = steps.at(-1)!;
    if (piece.type === 'result') {
      while (step.calls?.[answered]?.result) answered += 1;
      const call = calls.get(piece.callId) ?? step.calls?.[answered];
      if (call) call.result = piece.result;
    } else if (piece.type === 'call') {
      const { type: _type, ...call } = piece;
      (step.calls ??= []).push(call);
      if (call.id !== undefined) calls.set(call.id, call);
    } else if (piece.text.trim() !== '') {
      if (step.calls) {
        steps.push((step = { text: '' }));
        answered = 0;
      }
      if (piece.type === 'text') step.text = joined(step.text, piece.text);
      else step.reasoning = joined(step.reasoning ?? '', piece.text);
    }
  }
  return steps;
}

/** Two texts, one under the other. In a loop nothing is copied: an engine keeps such a text in pieces until it is read. */
export const joined = (one: string, other: string): string =>
  one && other ? `${one}\n\n${other}` : one || other;

/**
 * The chat as an export of Portside has it. Its ids follow from those of the other program, so that the same chat is known
 * again, however often and from how many exports it comes; those of one without an id, from what is in it.
 * @param program short, of letters
 * @param now ISO 8601, for times that are not told
 */
export async function chatOf(program: string, told: ToldChat, now: string): Promise<ImportedChat> {
  const id = `${program}-${told.id || (await sha256(JSON.stringify(told)))}`;
  const first = told.messages.find(({ role }) => role === 'user');
  const question = first?.role === 'user' ? first.text : '';
  const createdAt = told.createdAt ?? first?.at ?? now;
  const updatedAt = told.updatedAt ?? createdAt;
  const rows = createRows(id);
  const order = inOrder(told.messages);
  for (const message of order) rows.add(message, message.at ?? createdAt);
  const leafId = rows.endOf(told.leaf ?? null) ?? rows.endOf(latestLeaf(order));
  return {
    conversation: {
      id,
      title: (told.title.trim() || (question.trim().split('\n')[0] ?? '').slice(0, TITLE)).slice(0, 1_000),
      ...(told.title.trim() !== '' && { titledBy: 'model' }),
      createdAt,
      updatedAt,
      leafId,
      settings: told.system ? { system: told.system } : {},
      ...(told.pinned && { pinnedAt: updatedAt }),
      ...(told.archived && { archivedAt: updatedAt }),
    },
    messages: rows.messages,
    toolCalls: rows.calls,
  };
}

/** Each behind its parent. Of two with one id the first counts; those whose parents go in a circle are left out. */
export function inOrder<T extends { id: string; parent: string | null }>(messages: T[]): T[] {
  const byId = new Map(messages.toReversed().map((message) => [message.id, message]));
  const parentOf = ({ parent }: T) => (parent !== null && byId.has(parent) ? parent : null);
  const children = Map.groupBy(
    messages.filter((each) => byId.get(each.id) === each),
    parentOf,
  );
  const order = [...(children.get(null) ?? [])];
  for (const { id } of order) for (const child of children.get(id) ?? []) order.push(child);
  return order;
}

function latestLeaf(order: ToldMessage[]): string | null {
  const last = new Map(order.map(({ id, parent }) => [parent, id]));
  const roots = new Set(order.map(({ id }) => id));
  let leaf = order.findLast(({ parent }) => parent === null || !roots.has(parent))?.id;
  while (leaf !== undefined && last.has(leaf)) leaf = last.get(leaf);
  return leaf ?? null;
}

function createRows(conversationId: string) {
  const messages: ImportedMessage[] = [];
  const calls: ImportedCall[] = [];
  const runId = `${conversationId}-run`;
  /** The last row of a message, by the message's own id. */
  const ends = new Map<string, { id: string; seq: number }>();

  function add(message: ToldMessage, timestamp: string): void {
    let last = message.parent === null ? undefined : ends.get(message.parent);
    const next = (ending: string) => ({
      id: `${conversationId}-${message.id}${ending}`,
      parentId: last?.id ?? null,
      seq: (last?.seq ?? -1) + 1,
      sub: 0,
      timestamp,
      status: 'complete' as const,
    });
    if (message.role === 'user') {
      const row = next('');
      const attachments = (message.attachments ?? []).map((each, index) =>
        attached(each, `${row.id}-${index}`),
      );
      messages.push({
        ...row,
        role: 'user',
        content: message.text,
        ...(attachments.length > 0 && { attachments }),
      });
      last = row;
    } else {
      for (const [index, step] of message.steps.entries()) {
        const row = next(index === 0 ? '' : `.${index}`);
        addStep(row, step, message.model);
        last = row;
      }
    }
    if (last) ends.set(message.id, last);
  }

  function addStep(
    row: Row,
    { text, reasoning, calls: told = [] }: ToldStep,
    model: string | undefined,
  ): void {
    const asked = told.slice(0, MAX_CALLS).map((call, position) => ({
      id: (call.id ?? `call_${position}`).slice(0, 500),
      // What stands in a request later has to be a name that servers take.
      name: call.name.replaceAll(/[^\w-]/g, '_').slice(0, 64) || 'tool',
      arguments: call.arguments.slice(0, MAX_ARGUMENTS),
    }));
    messages.push({
      ...row,
      role: 'assistant',
      content: text,
      runId,
      ...(model && { model: model.slice(0, 500) }),
      ...(reasoning && { reasoning }),
      ...(asked.length > 0 && { tool_calls: asked }),
    });
    for (const [position, request] of asked.entries()) addCall(row, position, request, told[position]!);
  }

  function addCall(row: Row, position: number, request: ToolCallRequest, { name, result }: ToldCall): void {
    calls.push({
      runId,
      messageId: row.id,
      position,
      toolCallId: request.id,
      namespacedName: request.name,
      toolName: name.slice(0, 500) || request.name,
      serverId: 0,
      serverName: '',
      arguments: request.arguments,
      annotations: {},
      status: result ? (result.isError ? 'error' : 'success') : 'cancelled',
      createdAt: row.timestamp,
      ...(result && { result: resultOf(result) }),
    });
    if (!result) return;
    messages.push({
      ...row,
      id: resultIdOf(callIdOf(row.id, position)),
      parentId: row.id,
      sub: position + 1,
      role: 'tool',
      content: result.text,
      tool_call_id: request.id,
      name: request.name,
      ...(result.pictures?.length && { pictures: result.pictures }),
    });
  }

  return {
    messages,
    calls,
    add,
    endOf: (id: string | null): string | null => (id === null ? null : (ends.get(id)?.id ?? null)),
  };
}

type Row = Pick<ImportedMessage, 'id' | 'parentId' | 'seq' | 'sub' | 'timestamp' | 'status'>;

function resultOf({ text, isError = false, pictures = [] }: ToldResult): ToolResult {
  const blocks: ContentBlock[] = [
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...pictures.map((picture) => ({ type: 'image' as const, ...picture })),
  ];
  return { text, isError, ...(pictures.length > 0 && { blocks }) };
}

function attached({ name, text = '', picture }: ToldAttachment, id: string): Attachment {
  const title = name.slice(0, 500) || '?';
  const size = picture ? Math.floor((picture.data.length * 3) / 4) : text.length;
  const attachment = {
    id,
    title,
    source: { type: 'file' as const, name: title, size },
    text,
    ...(picture && { mimeType: picture.mimeType, pictures: [picture] }),
  };
  return { ...attachment, tokens: tokensOfAttachment(attachment) };
}
