import type { TextAppend } from '../protocol/panel.ts';
import { type Attachment, type AttachmentSummary, summed } from '../types/attachment.ts';
import type { AssistantMessage, Message, UserMessage } from '../types/message.ts';
import type { Run } from '../types/run.ts';
import { fittingMedia, MOST_MEDIA } from '../types/shown-media.ts';
import type { ToolCall, ToolResult } from '../types/tool.ts';

/**
 * Characters that a page gets: a port's message holds 64 MiB, and a snapshot has many calls. A picture is worth more of
 * them than text is.
 */
const MOST_TEXT = 200_000;
const MOST_MEDIA_IN_ALL = 24_000_000;

/** The rows, oldest first, without more than a page can show; the newest calls' pictures go before the older ones'. */
export function callsForPanel(calls: ToolCall[]): ToolCall[] {
  let left = MOST_MEDIA_IN_ALL;
  const newestFirst = calls.toReversed().map(({ task: _own, ...call }): ToolCall => {
    const shown: ToolCall = {
      ...call,
      arguments: cut(call.arguments),
      ...omitted(call.edited ?? call.arguments),
    };
    if (call.edited !== undefined) shown.edited = cut(call.edited);
    if (!call.result) return shown;
    const result = resultForPanel(call.result, Math.min(MOST_MEDIA, left));
    left -= sizeOf(result.blocks);
    return { ...shown, result };
  });
  return newestFirst.toReversed();
}

/** A tool message is never shown, its call's result is: text and pictures need not go twice. */
export function messageForPanel(message: Message): Message {
  if (message.role === 'assistant') return assistantForPanel(message);
  if (message.role === 'user') return userForPanel(message);
  if (message.role !== 'tool') return message;
  const { pictures: _pictures, ...rest } = message;
  return { ...rest, content: '' };
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
    arguments: cut(call.arguments),
  }));
  return calls ? { ...rest, tool_calls: calls } : rest;
}

/** Cuts the text, which pages show instead of text blocks, and leaves out the media that do not fit. */
function resultForPanel(result: ToolResult, mostMedia: number): ToolResult {
  const { blocks = [], structured, ...rest } = result;
  const media = blocks.filter(({ type }) => type !== 'text');
  if (
    result.text.length <= MOST_TEXT &&
    sizeOf(blocks) + sizeOf(structured) <= Math.min(MOST_TEXT, mostMedia)
  ) {
    return result;
  }
  const shown = fittingMedia(media, mostMedia);
  const text = cut(result.text);
  const omitted = result.text.length - text.length + sizeOf(media) - sizeOf(shown);
  return { ...rest, text, blocks: shown, ...(omitted > 0 && { omitted }) };
}

/** What streams in beyond what a snapshot holds: a panel that was told of it could not fit it to a later snapshot. */
export const isCut = ({ part, at }: TextAppend): boolean => typeof part === 'object' && at >= MOST_TEXT;

const cut = (text: string): string => text.slice(0, MOST_TEXT);

/** Whether a page shows all of a call's arguments. */
export const isShownWhole = (text: string): boolean => text.length <= MOST_TEXT;

/** What of a call's arguments the page does not show: the user is not to allow it as if it had been read. */
const omitted = (text: string): Pick<ToolCall, 'omittedArguments'> =>
  !isShownWhole(text) ? { omittedArguments: text.length - MOST_TEXT } : {};

function sizeOf(value: unknown): number {
  return value === undefined ? 0 : JSON.stringify(value).length;
}
