import { errorForModel } from '../../errors.ts';
import type { ToolMessage } from '../../types/message.ts';
import { isSkillCall } from '../../types/tools/skill.ts';
import { callOfResult, type ToolCall } from '../../types/tools/tool-call.ts';
import type { ToolResult } from '../../types/tools/tool-result.ts';
import { OWN_TOOLS } from '../../types/tools/tool-source.ts';
import { REFUSALS } from '../refusals.ts';
import type { Fence } from './fence.ts';
import { readPictures } from './readable-pictures.ts';
import { byteLength, isLonger, shorten } from './shorten.ts';

/** Bytes of UTF-8 of one result that the model gets at once; `read_more` pages through the rest. */
export const MAX_RESULT_BYTES = 32 * 1024;
/** Digits of two numbers that are not known before the cut. */
const DIGITS = 20;

/**
 * What the conversation keeps of a result: its text, of a long one the head and the tail only, pictures as pictures, and
 * apart from them what the user decided.
 */
export function resultForModel(
  call: ToolCall,
  result: ToolResult,
): Pick<ToolMessage, 'content' | 'skill' | 'pictures' | 'edited' | 'refusal' | 'word'> {
  const { edited, annotations, toolName, serverId, serverName } = call;
  const { refusal, word } = result;
  const images = (result.blocks ?? []).filter((block) => block.type === 'image');
  const { pictures, notes } = readPictures(images.filter(({ onlyForUser }) => !onlyForUser));
  const shown = headAndTail(call.callId, result.text);
  const text = [...(shown === '' ? [] : [shown]), ...notes].join('\n');
  return {
    content: result.isError ? errorForModel(text) : text,
    ...(isSkillCall(call) && {
      skill: {
        name: annotations.title ?? toolName,
        ...(serverId !== OWN_TOOLS && { server: serverName }),
      },
    }),
    ...(pictures.length > 0 && { pictures }),
    ...(edited !== undefined && { edited }),
    ...(refusal !== undefined && { refusal }),
    ...(word !== undefined && { word }),
  };
}

/** A result as the model is sent it: what others wrote is fenced, what Portside says of it is not. */
export function resultContent({ id, content, edited, refusal, skill }: ToolMessage, { wrap }: Fence): string {
  const [note = ''] = cutIn(callOfResult(id), content) ?? [];
  const result = refusal
    ? errorForModel(REFUSALS[refusal])
    : (note === '' ? [content] : content.split(note)).map((part) => wrap(part, skill)).join(note);
  if (edited === undefined) return result;
  return `The user changed the arguments of this call to:\n${wrap(edited)}\nIts result:\n${result}`;
}

/** The message with less of its result, as `read_more` can still complete it, where it takes over `limit` bytes. */
export function shortenedResult(message: ToolMessage, limit: number): ToolMessage {
  const { content } = message;
  if (!isLonger(content, limit)) return message;
  const callId = callOfResult(message.id);
  const failed = errorIn(content);
  if (failed === undefined) return { ...message, content: cutAgain(callId, content, limit) };
  // Quotes and line breaks take more room in JSON.
  let room = limit;
  let shorter = errorForModel(cutAgain(callId, failed, room));
  while (room > 1 && isLonger(shorter, limit)) {
    room /= 2;
    shorter = errorForModel(cutAgain(callId, failed, room));
  }
  return { ...message, content: shorter };
}

function headAndTail(callId: string, text: string): string {
  return cut(callId, text, MAX_RESULT_BYTES, (at) => at);
}

/** Cuts what may have been cut before: what was left out then is part of what is left out now. */
function cutAgain(callId: string, content: string, limit: number): string {
  const before = cutIn(callId, content);
  const end = before ? before.index + before[0].length : 0;
  const skipped = before ? Number(before[3]) + Number(before[1]) - end : 0;
  return cut(callId, content, Math.min(limit, MAX_RESULT_BYTES), (at) => {
    return before && at >= end ? at + skipped : at;
  });
}

/** As Portside makes ids. A file's may be any text, which would stand outside of the block with what says where it was cut. */
const PLAIN_ID = /^[\w.-]{1,64}$/;

/** Where the call's result was cut, by what stands there. */
const cutIn = (callId: string, content: string): RegExpExecArray | undefined =>
  PLAIN_ID.test(callId)
    ? [...content.matchAll(LEFT_OUT)].find(([, , id]) => id === JSON.stringify(callId))
    : undefined;

/** @param offset where in the result's text, as JavaScript counts, an index into `text` stands */
function cut(callId: string, text: string, limit: number, offset: (at: number) => number): string {
  if (!isLonger(text, limit)) return text;
  const room = Math.max(0, limit - byteLength(leftOut(callId, 0, 0)) - DIGITS);
  return shorten(text, room, ({ from, to }) => leftOut(callId, offset(from), offset(to)));
}

function leftOut(callId: string, from: number, to: number): string {
  const more = JSON.stringify({ result: callId, offset: from });
  return `\n[${to - from} characters are left out here. To read them, call read_more with ${more}.]\n`;
}

/** What `leftOut` writes: how many, of which result, from where on. */
const LEFT_OUT =
  /\n\[(\d+) characters are left out here\. To read them, call read_more with \{"result":("[^"\n]*"),"offset":(\d+)\}\.\]\n/g;

/** The text in what `errorForModel` writes. */
function errorIn(content: string): string | undefined {
  if (!content.startsWith('{"isError":true,"error":"')) return undefined;
  try {
    const { error }: { error?: unknown } = JSON.parse(content);
    return typeof error === 'string' ? error : undefined;
  } catch {
    return undefined; // a tool's own text that begins like it
  }
}
