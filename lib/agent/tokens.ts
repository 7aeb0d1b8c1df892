import type { AssistantMessage, Message } from '../types/message.ts';
import type { OfferedTool } from '../types/tool.ts';
import { byteLength } from './shorten.ts';

/** English prose takes about four bytes a token, JSON and code three; tokenizers differ. */
const BYTES_PER_TOKEN = 3.5;
/** Roles, separators and ids around a message. */
const PER_MESSAGE = 8;
/** What providers charge at most for a picture that they scale to their usual size. */
const PER_PICTURE = 1600;

/** About how many tokens the text takes. */
export function tokensOf(text: string): number {
  return Math.ceil(byteLength(text) / BYTES_PER_TOKEN);
}

/** About how many bytes of text so many tokens hold. */
export function bytesOf(tokens: number): number {
  return Math.floor(tokens * BYTES_PER_TOKEN);
}

/** About how many tokens these messages take. */
export function tokensOfMessages(messages: Message[]): number {
  return messages.reduce((sum, message) => sum + ofMessage(message), 0);
}

/** About how many tokens these definitions take. */
export function tokensOfTools(tools: OfferedTool[]): number {
  return tools.reduce((sum, tool) => sum + ofTool(tool), 0);
}

const ofMessage = remembered((message: Message) => {
  const pictures = message.role === 'tool' ? (message.pictures?.length ?? 0) : 0;
  const extra = message.role === 'assistant' ? ofCalls(message) : 0;
  return PER_MESSAGE + tokensOf(message.content) + pictures * PER_PICTURE + extra;
});

const ofTool = remembered(({ name, description, inputSchema }: OfferedTool) =>
  tokensOf(name + description + JSON.stringify(inputSchema)),
);

function ofCalls({ tool_calls: calls = [], raw }: AssistantMessage): number {
  const texts = calls.map((call) => call.name + call.arguments + (call.raw ? JSON.stringify(call.raw) : ''));
  return tokensOf(texts.join('') + (raw ? JSON.stringify(raw) : '')) + calls.length * PER_MESSAGE;
}

/** A history or two thousand definitions are counted before every request; each part is counted once. */
function remembered<K extends object>(count: (of: K) => number): (of: K) => number {
  const known = new WeakMap<K, number>();
  return (of) => {
    const before = known.get(of) ?? count(of);
    known.set(of, before);
    return before;
  };
}
