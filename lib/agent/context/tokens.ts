import { type Attachment, type AttachmentSource, isTyped } from '../../types/attachment.ts';
import type { AssistantMessage, Message } from '../../types/message.ts';
import { tokensOf } from '../../types/tokens.ts';
import type { OfferedTool } from '../../types/tools/tool.ts';
import { memoize } from './memoize.ts';

/** Roles, separators and ids around a message. */
const PER_MESSAGE = 8;
/** What providers charge at most for a picture that they scale to their usual size. */
const PER_PICTURE = 1600;

/** About how many tokens these messages take. */
export function tokensOfMessages(messages: Message[]): number {
  return messages.reduce((sum, message) => sum + ofMessage(message), 0);
}

/** About how many tokens these definitions take. */
export function tokensOfTools(tools: OfferedTool[]): number {
  return tools.reduce((sum, tool) => sum + ofTool(tool), 0);
}

/** About how many tokens one definition takes in every request. */
export function tokensOfTool({
  name,
  description,
  inputSchema,
}: Pick<OfferedTool, 'name' | 'description' | 'inputSchema'>): number {
  return tokensOf(name + description + JSON.stringify(inputSchema));
}

/** About how many tokens this takes as part of a message. */
export function tokensOfAttachment({
  title,
  source,
  text,
  pictures = [],
}: Omit<Attachment, 'id' | 'tokens'>): number {
  if (isTyped({ source })) return 0; // it counts as a part of the message
  const head = tokensOf(title + placeOf(source));
  return PER_MESSAGE + head + tokensOf(text) + pictures.length * PER_PICTURE;
}

function placeOf(source: AttachmentSource): string {
  if (source.type === 'file') return '';
  if (source.type === 'page') return source.url + source.at;
  if (source.type === 'app') return source.serverName;
  return source.serverName + (source.type === 'prompt' ? source.name : source.uri);
}

// A history or two thousand definitions are counted before every request; each part is counted once.

const ofMessage = memoize(
  (message: Message): number => PER_MESSAGE + tokensOf(message.content) + besidesText(message),
);

function besidesText(message: Message): number {
  if (message.role === 'assistant') return ofCalls(message);
  if (message.role === 'summary') return 0;
  const { pictures = [] } = message;
  const { attachments = [] } = message.role === 'user' ? message : {};
  const attached = attachments.reduce((sum, { tokens }) => sum + tokens, 0);
  return attached + pictures.length * PER_PICTURE;
}

const ofTool = memoize(tokensOfTool);

function ofCalls({ tool_calls: calls = [], raw }: AssistantMessage): number {
  const texts = calls.map((call) => call.name + call.arguments + (call.raw ? JSON.stringify(call.raw) : ''));
  return tokensOf(texts.join('') + (raw ? JSON.stringify(raw) : '')) + calls.length * PER_MESSAGE;
}
