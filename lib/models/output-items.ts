import type { Message } from '../types/message.ts';
import { isRecord, listOf, toJson } from '../json.ts';

/**
 * A piece of what a model put out by the Responses API. Thoughts are as they came; of texts and calls, which a message
 * has anyway, it only tells where they stood: a text's own words where there were several, and its `phase`.
 */
export type OutputItem = Record<string, unknown> & { type: 'reasoning' | 'message' | 'function_call' };

/** Under which name of an answer's `raw` it is kept. */
export const OUTPUT = 'responses';

/**
 * What is kept of a turn's output, in its order, to be sent back: thoughts must stand before what they led to
 * (https://platform.openai.com/docs/guides/reasoning). Undefined where there is nothing to it but the text and the calls.
 * @param host of the server that put it out: what it encrypted says nothing to another
 */
export function keptOutput(host: string, items: unknown[]): Record<string, unknown> | undefined {
  const known = items.filter(isRecord);
  const hasTexts = known.filter(({ type }) => type === 'message').length > 1;
  const output = known.flatMap((item) => kept(item, hasTexts));
  const isMore = output.some(({ type, phase }) => type === 'reasoning' || phase !== undefined);
  return isMore || hasTexts ? { [OUTPUT]: { host, output } } : undefined;
}

/** What goes back to this server of what is kept. */
export function outputFor(host: string, raw: Record<string, unknown> = {}): OutputItem[] {
  const { [OUTPUT]: found } = raw;
  if (!isRecord(found) || found.host !== host || !Array.isArray(found.output)) return [];
  return found.output.filter(isRecord).flatMap((item) => kept(item, true));
}

function kept(item: Record<string, unknown>, hasTexts: boolean): OutputItem[] {
  const { type, phase } = item;
  if (type === 'function_call') return [{ type }];
  if (type === 'message') {
    const text = textOf(item);
    return [{ type, ...(typeof phase === 'string' && { phase }), ...(hasTexts && text !== '' && { text }) }];
  }
  if (type !== 'reasoning' || toJson(item) === undefined) return [];
  // How far it got is told, and not taken back; nor is what is null.
  const { status: _status, ...rest } = item;
  const said = Object.entries(rest).filter(([, value]) => value !== null);
  return [{ summary: [], ...Object.fromEntries(said), type }];
}

/** The text of a message among the output, refusals too, or the one that was kept of it. */
export function textOf({ content, text }: Record<string, unknown>): string {
  if (typeof text === 'string') return text;
  const parts: unknown[] = listOf(content);
  return parts
    .map((part) => (isRecord(part) ? (part.text ?? part.refusal) : ''))
    .filter((part) => typeof part === 'string')
    .join('');
}

/** The message without what the model put out for it. */
export function withoutOutput(message: Message): Message {
  if (message.role !== 'assistant' || !message.raw) return message;
  const { [OUTPUT]: _output, ...raw } = message.raw;
  return { ...message, raw };
}
