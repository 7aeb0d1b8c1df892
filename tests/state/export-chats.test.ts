import { describe, expect, it } from 'vitest';
import { createChatMarkdown } from '../../lib/state/chat/chat-markdown.ts';
import { chatFile } from '../../lib/state/history/chat-file.ts';
import { exportParts } from '../../lib/state/history/export-chats.ts';

const pages = [{ text: 'one', next: 'a' }, { text: 'two', next: 'b' }, { text: '3' }];

describe('an export', () => {
  it('asks for page after page, and tells how much there is', async () => {
    const asked: unknown[] = [];
    const told: number[] = [];
    const parts = await exportParts(
      'json',
      async (request) => pages[asked.push(request) - 1],
      (size) => told.push(size) > 0,
    );
    expect(parts).toEqual(['one', 'two', '3']);
    expect(asked).toEqual([
      { format: 'json' },
      { format: 'json', after: 'a' },
      { format: 'json', after: 'b' },
    ]);
    expect(told).toEqual([0, 3, 6, 7]);
  });

  it('that is ended asks for no further page, and makes no file', async () => {
    let asked = 0;
    const parts = await exportParts(
      'json',
      async () => pages[asked++],
      (size) => size < 6,
    );
    expect([parts, asked]).toEqual([undefined, 2]);
  });

  it('that ends while its last page is on the way makes no file either', async () => {
    let asked = 0;
    expect(
      await exportParts(
        'json',
        async () => pages[asked++],
        () => asked < 3,
      ),
    ).toBeUndefined();
  });
});

describe('an export as Markdown', () => {
  it('is written from what the worker tells, a line between two chats, whichever page they stand on', async () => {
    const chat = (title: string) => ({ type: 'chat', title, createdAt: '2026-11-22T10:00:00.000Z' });
    const lines = (...all: object[]): string => all.map((each) => `${JSON.stringify(each)}\n`).join('');
    const told = [{ text: lines(chat('One'), chat('Two')), next: 'a' }, { text: lines(chat('Three')) }];
    const asked: unknown[] = [];
    const parts = await exportParts('markdown', async (request) => told[asked.push(request) - 1]);
    expect(parts?.join('').match(/^(# .+|---)$/gm)).toEqual(['# One', '---', '# Two', '---', '# Three']);
    expect(asked).toEqual([{ format: 'lines' }, { format: 'lines', after: 'a' }]);
  });

  it('fences whatever came, also a text of backticks', () => {
    const result = `${'` '.repeat(200_000)}\`\`\``;
    const call = { toolName: 'a', serverName: '', status: 'success', arguments: '{}', result, pictures: 0 };
    const message = {
      type: 'message',
      role: 'assistant',
      timestamp: '2026-11-22T10:00:00.000Z',
      content: '',
    };
    const line = JSON.stringify({ ...message, status: 'complete', attached: [], calls: [call] });
    expect(createChatMarkdown()(line)).toContain(`\n\`\`\`\`\n${result}\n\`\`\`\`\n`);
  });
});

describe('the file of a chat', () => {
  it.each([
    ['Tides: a/b?', 'markdown', 'Tides a b.md'],
    ['..\u202Eexe.nosj', 'json', 'exe.nosj.json'],
    ['  ', 'json', 'chat.json'],
    ['x'.repeat(200), 'markdown', `${'x'.repeat(80)}.md`],
  ] as const)('of %j as %s is called %j', (title, format, name) => {
    expect(chatFile(title, format).name).toBe(name);
  });
});
