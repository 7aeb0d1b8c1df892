import type { TextAppend } from '../protocol/panel.ts';
import { type Attachment, type AttachmentSummary, summed } from '../types/attachment.ts';
import type { AssistantMessage, Message, UserMessage } from '../types/message.ts';
import type { Run } from '../types/run.ts';
import { fittingMedia, MOST_MEDIA } from '../types/shown-media.ts';
import { isEnded, type ToolCall } from '../types/tools/tool-call.ts';
import type { ToolResult } from '../types/tools/tool-result.ts';

/**
 * Characters that a page gets: a port's message holds 64 MiB, and a snapshot has many calls. A picture is worth more of
 * them than text is.
 */
const MOST_TEXT = 200_000;
const MOST_MEDIA_IN_ALL = 24_000_000;
/** Of JSON, which writes some characters with six: of the calls' texts, and of messages. What goes beyond is begun, the oldest first. */
const MOST_OF_CALLS = 16_000_000;
const MOST_OF_MESSAGES = 20_000_000;
const BEGINNING = 2_000;
/** Of the id that a model's server gave a call, which stands in three rows and may be as long as an answer. */
const MOST_ID = 500;

/** The rows, oldest first, without more than a page can show; the newest calls' pictures go before the older ones'. */
export function callsForPanel(calls: ToolCall[]): ToolCall[] {
  let left = MOST_MEDIA_IN_ALL;
  let textLeft = MOST_OF_CALLS;
  const newestFirst = calls.toReversed().map(({ task: _own, ...call }): ToolCall => {
    // What the user is asked about is theirs to read.
    const most = textLeft > 0 || !isEnded(call.status) ? MOST_TEXT : BEGINNING;
    const shown: ToolCall = {
      ...call,
      toolCallId: cut(call.toolCallId, MOST_ID),
      arguments: cut(call.arguments, most),
      ...omitted(call.edited ?? call.arguments, most),
    };
    if (call.edited !== undefined) shown.edited = cut(call.edited, most);
    if (call.result) shown.result = resultForPanel(call.result, Math.min(MOST_MEDIA, left), most);
    left -= sizeOf(shown.result?.blocks);
    textLeft -= sizeOf([shown.arguments, shown.edited, shown.result?.text]);
    return shown;
  });
  return newestFirst.toReversed();
}

/** Messages, oldest first, as `messageForPanel`, and not more of them than a page's message holds. */
export function messagesForPanel(messages: Message[]): Message[] {
  let left = MOST_OF_MESSAGES;
  const newestFirst = messages.toReversed().map((message) => {
    const shown = messageForPanel(message);
    left -= sizeOf(shown);
    return left >= 0 || shown.status === 'streaming' ? shown : beginningOf(shown);
  });
  return newestFirst.toReversed();
}

function beginningOf(message: Message): Message {
  const content = cut(message.content, BEGINNING);
  if (message.role !== 'assistant') return { ...message, content };
  const { reasoning, tool_calls: calls, ...rest } = message;
  return {
    ...rest,
    content,
    ...(reasoning !== undefined && { reasoning: cut(reasoning, BEGINNING) }),
    ...(calls && {
      tool_calls: calls.map((call) => ({ ...call, arguments: cut(call.arguments, BEGINNING) })),
    }),
  };
}

/** A tool message is never shown, its call's result is: text and pictures need not go twice. */
export function messageForPanel(message: Message): Message {
  if (message.role === 'assistant') return assistantForPanel(message);
  if (message.role === 'user') return userForPanel(message);
  if (message.role !== 'tool') return message;
  const { pictures: _pictures, ...rest } = message;
  return { ...rest, tool_call_id: cut(rest.tool_call_id, MOST_ID), content: '' };
}

/** A page asks for what is in an attachment when the user opens it (`previewAttachment`). */
function userForPanel(message: UserMessage): UserMessage {
  const { attachments } = message;
  return attachments ? { ...message, attachments: attachments.map(attachmentForPanel) } : message;
}

/** The same for what waits to be sent. */
export function runForPanel(run: Run): Run {
  const attachments = run.queued?.attachments?.map(attachmentForPanel);
  return run.queued && attachments ? { ...run, queued: { ...run.queued, attachments } } : run;
}

function attachmentForPanel(row: Attachment): Attachment & AttachmentSummary {
  const { pictures: _pictures, whole: _whole, ...attachment } = row;
  return { ...attachment, ...summed(row), text: '' };
}

function assistantForPanel(message: AssistantMessage): AssistantMessage {
  const { notesFrom: _notesFrom, raw: _raw, ...rest } = message;
  const calls = message.tool_calls?.map(({ raw: _of, ...call }) => ({
    ...call,
    id: cut(call.id, MOST_ID),
    arguments: cut(call.arguments),
  }));
  return calls ? { ...rest, tool_calls: calls } : rest;
}

/**
 * Cuts the text, which pages show instead of text blocks, and leaves out the media that do not fit, and what no page shows: an
 * app asks for its `meta`, and an address may have two million characters.
 */
function resultForPanel(
  { meta: _ofApp, url: _from, ...result }: ToolResult,
  mostMedia: number,
  mostText: number,
): ToolResult {
  const { blocks = [], structured, ...rest } = result;
  const media = blocks.filter(({ type }) => type !== 'text');
  if (
    result.text.length <= mostText &&
    sizeOf(blocks) + sizeOf(structured) <= Math.min(mostText, mostMedia)
  ) {
    return result;
  }
  const shown = fittingMedia(media, mostMedia);
  const text = cut(result.text, mostText);
  const omitted = result.text.length - text.length + sizeOf(media) - sizeOf(shown);
  return { ...rest, text, blocks: shown, ...(omitted > 0 && { omitted }) };
}

/** What streams in beyond what a snapshot holds: a panel that was told of it could not fit it to a later snapshot. */
export const isCut = ({ part, at }: TextAppend): boolean => typeof part === 'object' && at >= MOST_TEXT;

const cut = (text: string, most = MOST_TEXT): string => text.slice(0, most);

export const isShownWhole = (text: string): boolean => text.length <= MOST_TEXT;

/** What of a call's arguments the page does not show: the user is not to allow it as if it had been read. */
const omitted = (text: string, most: number): Pick<ToolCall, 'omittedArguments'> =>
  text.length > most ? { omittedArguments: text.length - most } : {};

function sizeOf(value: unknown): number {
  return value === undefined ? 0 : JSON.stringify(value).length;
}
