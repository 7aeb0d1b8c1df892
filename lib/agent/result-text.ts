import { errorForModel } from '../errors.ts';
import type { ToolMessage } from '../types/message.ts';
import type { ToolCall, ToolResult } from '../types/tool.ts';
import { isLonger, shorten } from './shorten.ts';

/** Bytes of UTF-8 of one result that the model gets at once; `read_more` pages through the rest. */
export const MAX_RESULT_BYTES = 32 * 1024;
const MARKER_BYTES = 512;
/** Kinds of pictures that models take. */
const PICTURES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** What the model gets of a result: its text, long ones with their head and tail only, and pictures as pictures. */
export function resultForModel(
  call: ToolCall,
  result: ToolResult,
): Pick<ToolMessage, 'content' | 'pictures'> {
  const text = edit(call) + headAndTail(call.callId, result.text);
  const pictures = (result.blocks ?? []).flatMap((block) => {
    if (block.type !== 'image' || !PICTURES.has(block.mimeType)) return [];
    return [{ data: block.data, mimeType: block.mimeType }];
  });
  return {
    content: result.isError ? errorForModel(text) : text,
    ...(pictures.length > 0 && { pictures }),
  };
}

function edit({ edited }: ToolCall): string {
  return edited === undefined
    ? ''
    : `The person changed the arguments of this call to ${edited}. Its result:\n`;
}

/** Offsets are indexes into the result's text, as JavaScript counts. */
function headAndTail(callId: string, text: string): string {
  if (!isLonger(text, MAX_RESULT_BYTES)) return text;
  return shorten(text, MAX_RESULT_BYTES - MARKER_BYTES, ({ from, to }) => {
    const more = JSON.stringify({ result: callId, offset: from });
    return `\n[${to - from} characters are left out here. To read them, call read_more with ${more}.]\n`;
  });
}
