import type { ChatFormat } from './export-chats.ts';

const formats: Record<ChatFormat, { ending: string; mimeType: string }> = {
  markdown: { ending: 'md', mimeType: 'text/markdown' },
  json: { ending: 'json', mimeType: 'application/json' },
  openai: { ending: 'openai.json', mimeType: 'application/json' },
};

export function chatFile(title: string, format: ChatFormat): { name: string; mimeType: string } {
  const { ending, mimeType } = formats[format];
  return { name: `${fileName(title)}.${ending}`, mimeType };
}

/** Without what a file system or a user could take for something else. */
function fileName(title: string): string {
  const plain = title
    .replaceAll(/[\\/:*?"<>|\p{Cc}\p{Cf}]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  // oxlint-disable-next-line portside/linear-regex -- 80 characters
  return plain.slice(0, 80).replaceAll(/^[. ]+|[. ]+$/g, '') || 'chat';
}
