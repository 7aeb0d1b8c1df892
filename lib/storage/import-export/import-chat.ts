import * as z from 'zod/mini';
import { withoutInvisible } from '../../invisible.ts';
import { NEW_CHAT } from '../../protocol/chats.ts';
import type { Attachment } from '../../types/attachment.ts';
import type { Message } from '../../types/message.ts';
import type { Conversation } from '../../types/conversation.ts';
import { ownRules, READ_MORE } from '../../types/tools/own-tool-rules.ts';
import { APP_CALLS, callIdOf, isEnded, resultIdOf, type ToolCall } from '../../types/tools/tool-call.ts';
import { SEARCH_TOOL } from '../../types/tools/tool-search.ts';
import { OWN_NAME } from '../../types/tools/tool-source.ts';
import type { DraftAttachment } from '../chats/attachments.ts';
import {
  attachmentShape,
  callShape,
  conversationShape,
  type ImportedMessage,
  messageShape,
} from './chat-shapes.ts';
import { type Database, startingWith } from '../schema.ts';
import { badImport, fields, readShape } from './shapes.ts';
import { noteChanged } from '../search/index.ts';
import { t } from '../../../locales/texts/errors.ts';

/** Without those of apps, for which no message of the file asked. */
const callsShape = z.pipe(
  z.array(callShape),
  z.transform((calls) => calls.filter(({ position }) => position < APP_CALLS)),
);
const chatShape = fields(
  { conversation: conversationShape, messages: z.array(messageShape) },
  { toolCalls: callsShape, attachments: z.array(attachmentShape) },
);

/** A chat of a file whose every field is what it has to be, and whose parts fit together. */
export type ImportedChat = z.output<typeof chatShape>;
export type ImportedCall = z.output<typeof callShape>;

/** No server has it: what was called on another computer is called nowhere here. */
const NO_SERVER = 0;
/** Nor is a page read again. */
const NO_TAB = -1;

/** @throws AppError `bad_import` that says where the file is wrong */
export function readChat(value: unknown): ImportedChat {
  const chat = readShape(
    chatShape,
    value,
    t(($) => $.errors.import.theChat),
  );
  const byId = new Map(chat.messages.map((message) => [message.id, message]));
  if (byId.size < chat.messages.length) throw badImport(t(($) => $.errors.import.twoOfOneId));
  for (const [index, message] of chat.messages.entries()) requirePlace(message, byId, index);
  const { leafId } = chat.conversation;
  const leaf = leafId === null ? undefined : byId.get(leafId);
  if (leafId !== null && (!leaf || leaf.role === 'tool')) throw badImport(t(($) => $.errors.import.noLeaf));
  const calls = new Set<string>();
  for (const [index, call] of (chat.toolCalls ?? []).entries()) {
    const asked = byId.get(call.messageId);
    const isThere = asked?.role === 'assistant' && asked.tool_calls?.[call.position] !== undefined;
    const callId = callIdOf(call.messageId, call.position);
    if (!isThere || calls.has(callId))
      throw badImport(t(($) => $.errors.import.noCall, { place: index + 1, index }));
    calls.add(callId);
  }
  return chat;
}

/** Every message follows one of an earlier turn, and a result the message that called for it: so no branch is a circle. */
function requirePlace(
  message: ImportedMessage,
  byId: ReadonlyMap<string, ImportedMessage>,
  index: number,
): void {
  const { parentId, role, seq, sub } = message;
  const parent = parentId === null ? undefined : byId.get(parentId);
  const isMissing = parentId !== null && !parent;
  const isResult = parent?.role === 'assistant' && parent.seq === seq && sub >= 1;
  const isTurn = sub === 0 && (parentId === null || (parent?.role !== 'tool' && (parent?.seq ?? seq) < seq));
  if (isMissing || !(role === 'tool' ? isResult : isTurn))
    throw badImport(t(($) => $.errors.import.noPlace, { place: index + 1, index }));
  const keepsFrom = role === 'summary' ? message.keepsFrom : null;
  if (keepsFrom !== null && !byId.has(keepsFrom))
    throw badImport(t(($) => $.errors.import.noKeepsFrom, { index }));
}

/** `updated`: it was here and is longer now; `known`: it was here, all of it. */
export type Imported = {
  conversation: Conversation;
  outcome: 'new' | 'updated' | 'known';
  /** The message with which the chat ended here and that others follow now. */
  goesOnFrom?: string;
};

/**
 * Adds a chat. One that is here already, by its ids and by who follows whom, gets the messages that it lacks and keeps
 * everything else; any other that has a taken id comes under ids of its own.
 * @param newId for each id that is renewed
 */
export async function putChat(db: Database, chat: ImportedChat, newId: () => string): Promise<Imported> {
  const tx = db.transaction(
    ['conversations', 'messages', 'toolCalls', 'attachments', 'unindexed', 'grants'],
    'readwrite',
  );
  const [here, messages, attachmentKeys] = await Promise.all([
    tx.objectStore('conversations').get(chat.conversation.id),
    Promise.all(chat.messages.map(({ id }) => tx.objectStore('messages').get(id))),
    Promise.all((chat.attachments ?? []).map(({ id }) => tx.objectStore('attachments').getKey(id))),
  ]);
  const isHere = here !== undefined && isSame(chat, messages);
  const taken = [here, ...messages, ...attachmentKeys].some((row) => row !== undefined);
  const isTaken = !isHere && (taken || chat.conversation.id === NEW_CHAT);
  const rows = rowsOf(chat, isTaken ? renewed(chat, newId) : (id) => id);
  const { id } = rows.conversation;
  const { updatedAt } = rows.conversation;
  const conversation = {
    ...(isHere ? here : rows.conversation),
    ...(isHere && here.updatedAt < updatedAt && { updatedAt }),
    imported: true as const,
  };
  const lacking = isHere ? lackingOf(rows, messages) : rows;
  const ids = [...(isHere ? [] : [id]), ...lacking.messages.map((message) => message.id)];
  await Promise.all([
    ...(ids.length > 0 ? [tx.objectStore('conversations').put(conversation)] : []),
    ...lacking.messages.map((message) => tx.objectStore('messages').put(message)),
    ...lacking.toolCalls.map((call) => tx.objectStore('toolCalls').put(call)),
    ...lacking.attachments.map((attachment) => tx.objectStore('attachments').put(attachment)),
    noteChanged(tx.objectStore('unindexed'), id, ids),
    // The chat's grants were given without what the file adds, which anyone may have written.
    ...(isHere && ids.length > 0 ? [tx.objectStore('grants').delete(startingWith(id))] : []),
    tx.done,
  ]);
  if (!isHere) return { conversation, outcome: 'new' };
  const next = lacking.messages.find(({ parentId }) => parentId !== null && parentId === here.leafId);
  return {
    conversation: ids.length > 0 ? conversation : here,
    outcome: ids.length > 0 ? 'updated' : 'known',
    ...(next?.parentId && { goesOnFrom: next.parentId }),
  };
}

/** @param here the messages of the same ids, where there are any */
function isSame({ conversation, messages }: ImportedChat, here: (Message | undefined)[]): boolean {
  return messages.every((message, index) => {
    const row = here[index];
    return !row || isSamePlace(row, { ...message, conversationId: conversation.id });
  });
}

type Place = Pick<Message, 'conversationId' | 'role' | 'parentId' | 'seq' | 'sub'>;

/** Whether two rows of one id are of one message. */
export const isSamePlace = (one: Place, other: Place): boolean =>
  one.conversationId === other.conversationId &&
  one.role === other.role &&
  one.parentId === other.parentId &&
  one.seq === other.seq &&
  one.sub === other.sub;

/** What a chat that is here has not got. Its draft is as the user left it. */
function lackingOf(rows: Rows, here: (Message | undefined)[]): Omit<Rows, 'conversation'> {
  const known = new Set(here.flatMap((message) => message?.id ?? []));
  // Nor a result of a call that is here: of two the later would be read, and none is shown but that of the call's row.
  const messages = rows.messages.filter(
    ({ role, parentId }, index) => !here[index] && !(role === 'tool' && known.has(parentId ?? '')),
  );
  const ids = new Set(messages.map(({ id }) => id));
  return {
    messages,
    toolCalls: rows.toolCalls.filter(({ messageId }) => ids.has(messageId)),
    attachments: [],
  };
}

type Renew = (id: string) => string;

function renewed({ conversation, messages, attachments = [] }: ImportedChat, newId: () => string): Renew {
  const fresh = new Map([conversation, ...messages, ...attachments].map(({ id }) => [id, newId()]));
  return (id) => fresh.get(id) ?? id;
}

type Rows = {
  conversation: Conversation;
  messages: Message[];
  toolCalls: ToolCall[];
  attachments: DraftAttachment[];
};

function rowsOf(
  { conversation, messages, toolCalls = [], attachments = [] }: ImportedChat,
  renew: Renew,
): Rows {
  const conversationId = renew(conversation.id);
  const answered = new Set(
    messages.flatMap(({ role, parentId, sub }) => (role === 'tool' ? [`${parentId}.${sub}`] : [])),
  );
  const decided = new Map(toolCalls.map((call) => [callIdOf(call.messageId, call.position), call]));
  const leaf = messages.toSorted((a, b) => a.seq - b.seq).findLast(({ role }) => role !== 'tool');
  const leafId = conversation.leafId ?? leaf?.id ?? null;
  const { system = '', ...settings } = conversation.settings;
  return {
    conversation: {
      ...conversation,
      id: conversationId,
      leafId: leafId === null ? null : renew(leafId),
      // Another computer's providers are others.
      providerId: null,
      model: null,
      settings,
      ...(system.trim() !== '' && { settings: { ...settings, system }, systemFromFile: true }),
    },
    messages: messages.map((message) => ({
      ...decidedAs(message, decided),
      ...(message.role === 'user' && {
        imported: true as const,
        ...(message.attachments && { attachments: message.attachments.map(asOfFile) }),
      }),
      ...renewedIn(message, renew),
      conversationId,
      status: isWhole(message, answered) ? message.status : 'partial',
    })),
    toolCalls: toolCalls.map((call) => callRow(call, conversationId, renew)),
    attachments: attachments.map((attachment) => ({
      ...asOfFile(attachment),
      id: renew(attachment.id),
      conversationId,
    })),
  };
}

/** It is of no server and no tab here, and no skill: that would be followed as one that the user chose. */
function asOfFile(attachment: Attachment): Attachment {
  const { source, text } = attachment;
  if (source.type === 'skill')
    return { ...attachment, source: { type: 'file', name: source.name, size: text.length } };
  if (source.type === 'page') return { ...attachment, source: { ...source, tabId: NO_TAB } };
  return 'serverId' in source ? { ...attachment, source: { ...source, serverId: NO_SERVER } } : attachment;
}

/** What the user decided of a call, and said to it, is told in their name: only what its row shows of it. */
function decidedAs(message: ImportedMessage, calls: ReadonlyMap<string, ImportedCall>): ImportedMessage {
  if (message.role !== 'tool') return message;
  const { word: _word, refusal: _refusal, edited: _edited, ...told } = message;
  const call = calls.get(callIdOf(message.parentId ?? '', message.sub - 1));
  const { word, refusal, text = '' } = call?.result ?? {};
  return {
    ...told,
    ...(word !== undefined && withoutInvisible(text).text.endsWith(word) && { word }),
    ...(refusal !== undefined && { refusal }),
    ...(call?.edited !== undefined && { edited: call.edited }),
  };
}

/** The ids in a message. A result's follows from its call's, as for every result (lib/agent/context/history.ts). */
function renewedIn(message: ImportedMessage, renew: Renew) {
  const { id, parentId, role, sub } = message;
  const parent = parentId === null ? null : renew(parentId);
  const isRenewedResult = role === 'tool' && parent !== null && parent !== parentId;
  return {
    id: isRenewedResult ? resultIdOf(callIdOf(parent, sub - 1)) : renew(id),
    parentId: parent,
    ...(role === 'summary' && { keepsFrom: message.keepsFrom === null ? null : renew(message.keepsFrom) }),
  };
}

/** Nothing goes on with an answer of a file: a call without a result is not to be made here. */
function isWhole(message: ImportedMessage, answered: ReadonlySet<string>): boolean {
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
  return (
    message.status === 'complete' &&
    calls.every((_, position) => answered.has(`${message.id}.${position + 1}`))
  );
}

function callRow(call: ImportedCall, conversationId: string, renew: Renew): ToolCall {
  const messageId = renew(call.messageId);
  return {
    ...call,
    callId: callIdOf(messageId, call.position),
    conversationId,
    messageId,
    ...(isOwn(call)
      ? { namespacedName: call.toolName, serverName: OWN_NAME } // its card and its block go by them
      : { serverId: NO_SERVER }),
    imported: true,
    status: isEnded(call.status) ? call.status : 'cancelled',
  };
}

/** Whether a call is of Portside's own tools, no skill; without a server, which needs no permission, only of those that every run needs. */
const isOwn = (call: ImportedCall): boolean =>
  ownRules(call) !== undefined ||
  (call.serverId === null && [READ_MORE, SEARCH_TOOL].includes(call.toolName));
