import { behind, type ChatPieces } from '../../lib/storage/export-chats.ts';
import type { Database } from '../../lib/storage/database.ts';
import { loadCalls, loadPath } from '../../lib/storage/messages.ts';
import type { AssistantMessage, Message, UserMessage } from '../../lib/types/message.ts';
import type { Conversation } from '../../lib/types/setup.ts';
import type { ToolCall } from '../../lib/types/tool.ts';
import { chatFiles as words } from '../../locales/chat-files.ts';

/** The branch of a chat that is shown, as Markdown for people to read. */
export function markdownPieces(db: Database): ChatPieces {
  return async function* (conversation, from) {
    const path = await loadPath(db, conversation.id, conversation.leafId);
    if (!from) yield { text: headOf(conversation) };
    const turns = path.filter(({ role }) => role !== 'tool');
    for (const message of behind(turns, from?.row, ({ id }) => id)) {
      const results = path.filter(({ parentId, role }) => role === 'tool' && parentId === message.id);
      const calls = await loadCalls(db, [message, ...results]);
      const mark = { chat: conversation.id, part: 'messages', row: message.id };
      yield { text: turnOf(message, calls), mark };
    }
  };
}

function headOf({ title, createdAt }: Conversation): string {
  return `# ${inline(title) || words.untitled}\n\n${words.begun(words.moment(createdAt))}\n`;
}

function turnOf(message: Message, calls: ToolCall[]): string {
  const parts = [closed(message.content.trim())];
  if (message.role === 'user') parts.push(attachedOf(message));
  if (message.role === 'assistant') {
    parts.unshift(reasoningOf(message));
    parts.push(...calls.map(callOf));
    if (message.status === 'partial') parts.push(`_${words.isPartial}_`);
  }
  const said = parts.filter((part) => part !== '');
  return `\n${[`## ${speakerOf(message)}`, ...said].join('\n\n')}\n`;
}

function speakerOf(message: Message): string {
  const moment = words.moment(message.timestamp);
  if (message.role === 'user') return `${words.you}, ${moment}`;
  if (message.role === 'summary') return `${words.summary}, ${moment}`;
  const model = message.role === 'assistant' && message.model ? ` (${inline(message.model)})` : '';
  return `${words.assistant}${model}, ${moment}`;
}

function attachedOf({ attachments = [] }: UserMessage): string {
  if (attachments.length === 0) return '';
  return [`${words.attached}:`, ...attachments.map(({ title }) => `- ${inline(title)}`)].join('\n');
}

function reasoningOf({ reasoning = '' }: AssistantMessage): string {
  return reasoning.trim() === '' ? '' : details(words.reasoning, [fenced(reasoning.trim())]);
}

function callOf(call: ToolCall): string {
  const { toolName, serverName, status, result } = call;
  const pictures = (result?.blocks ?? []).filter(({ type }) => type === 'image').length;
  return details(words.tool(toolName, serverName, status), [
    `${words.arguments}:`,
    fenced(call.edited ?? call.arguments, 'json'),
    ...(result ? [`${words.result}:`, fenced(result.text)] : []),
    ...(pictures > 0 ? [`(${words.pictures(pictures)})`] : []),
  ]);
}

function details(summary: string, content: string[]): string {
  return ['<details>', `<summary>${escaped(summary)}</summary>`, ...content, '</details>'].join('\n\n');
}

/** With an end for a block of code that has none: what comes after it is not in it. */
function closed(markdown: string): string {
  let open = '';
  for (const [, fence = '', rest = ''] of markdown.matchAll(/^ {0,3}(`{3,}|~{3,})(.*)$/gm)) {
    if (open === '') open = fence;
    else if (fence.startsWith(open) && rest.trim() === '') open = '';
  }
  return open === '' ? markdown : `${markdown}\n${open}`;
}

/** In a fence that is longer than any in the text, so that nothing in it ends the block. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** On one line, and without anything that is more than text in Markdown. */
function inline(text: string): string {
  return escaped(text.replace(/\s+/g, ' ').trim()).replace(/[\\`*_[\]#|~!]/g, '\\$&');
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escaped(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[&<>]/g, (sign) => ENTITIES[sign] ?? sign);
}
