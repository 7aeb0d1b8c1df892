import type { CallLine, ChatLine, MessageLine } from '../../protocol/data.ts';
import { t } from '../../../locales/texts/shared.ts';
import { dates } from '../../../locales/dates.ts';

/** Makes Markdown for people of a file's lines, as they come: whole lines of one text after the other. */
export function createChatMarkdown(): (lines: string) => string {
  let chats = 0;
  return (lines) =>
    lines
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const read = JSON.parse(line) as ChatLine;
        if (read.type === 'message') return turnOf(read);
        chats += 1;
        return `${chats > 1 ? '\n---\n\n' : ''}${headOf(read)}`;
      })
      .join('');
}

function headOf({ title, createdAt }: { title: string; createdAt: string }): string {
  return `# ${inline(title) || t(($) => $.chatFiles.untitled)}\n\n${t(($) => $.chatFiles.begun, { moment: dates.moment(createdAt) })}\n`;
}

function turnOf(message: MessageLine): string {
  const said = [
    reasoningOf(message),
    closed(message.content.trim()),
    attachedOf(message),
    ...message.calls.map(callOf),
    message.role === 'assistant' && message.status === 'partial'
      ? `_${t(($) => $.chatFiles.isPartial)}_`
      : '',
  ].filter((part) => part !== '');
  return `\n${[`## ${speakerOf(message)}`, ...said].join('\n\n')}\n`;
}

function speakerOf({ role, timestamp, model }: MessageLine): string {
  const moment = dates.moment(timestamp);
  if (role === 'user') return `${t(($) => $.chatFiles.you)}, ${moment}`;
  if (role === 'summary') return `${t(($) => $.chatFiles.summary)}, ${moment}`;
  return `${t(($) => $.chatFiles.assistant)}${model ? ` (${inline(model)})` : ''}, ${moment}`;
}

function attachedOf({ attached }: MessageLine): string {
  if (attached.length === 0) return '';
  return [`${t(($) => $.chatFiles.attached)}:`, ...attached.map((title) => `- ${inline(title)}`)].join('\n');
}

function reasoningOf({ reasoning = '' }: MessageLine): string {
  return reasoning.trim() === ''
    ? ''
    : details(
        t(($) => $.chatFiles.reasoning),
        [fenced(reasoning.trim())],
      );
}

function callOf({ toolName, serverName, status, result, pictures, ...call }: CallLine): string {
  return details(
    t(($) => $.chatFiles.tool, { tool: toolName, server: serverName || 'none', status }),
    [
      `${t(($) => $.chatFiles.arguments)}:`,
      fenced(call.arguments, 'json'),
      ...(result === undefined ? [] : [`${t(($) => $.chatFiles.result)}:`, fenced(result)]),
      ...(pictures > 0 ? [`(${t(($) => $.chatFiles.pictures, { count: pictures })})`] : []),
    ],
  );
}

function details(summary: string, content: string[]): string {
  return ['<details>', `<summary>${escaped(summary)}</summary>`, ...content, '</details>'].join('\n\n');
}

/** With an end for a block of code that has none: what comes after it is not in it. */
function closed(markdown: string): string {
  let open = '';
  for (const [, fence = '', rest = ''] of markdown.matchAll(/^ {0,3}(`{3,}|~{3,})(.*)/gm)) {
    if (open === '') open = fence;
    else if (fence.startsWith(open) && rest.trim() === '') open = '';
  }
  return open === '' ? markdown : `${markdown}\n${open}`;
}

/** In a fence that is longer than any in the text, so that nothing in it ends the block. */
function fenced(text: string, language = ''): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
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
