import { describe, expect, it } from 'vitest';
import { readChat } from '../../../lib/storage/import-export/import-chat.ts';

const conversation = {
  id: 'c1',
  title: 'A chat',
  createdAt: '2026-01-01',
  updatedAt: '2026-01-01T10:00:00.000Z',
  leafId: null,
  settings: {},
};
const message = {
  id: 'u1',
  parentId: null,
  seq: 0,
  sub: 0,
  timestamp: '2026-01-01',
  status: 'complete',
  content: 'Hello',
  role: 'user',
};
const answer = { ...message, role: 'assistant', runId: 'r1' };
const call = { id: 'x', name: 'add', arguments: '{}' };

const withMessage = (fields: object) => ({ conversation, messages: [{ ...message, ...fields }] });
const withSettings = (settings: unknown) => ({ conversation: { ...conversation, settings }, messages: [] });

describe('the chat of a file', () => {
  it('is read without what does not belong to it, its times as ISO 8601', () => {
    const file = { conversation: { ...conversation, evil: 1 }, messages: [{ ...message, evil: 1 }], evil: 1 };
    const createdAt = '2026-01-01T00:00:00.000Z';
    expect(readChat(file)).toEqual({
      conversation: { ...conversation, createdAt },
      messages: [{ ...message, timestamp: createdAt }],
    });
  });

  it('has no id that each object has a field of', () => {
    const [asked, told] = [
      { ...message, id: '__proto__' },
      { ...answer, id: 'constructor', seq: 1, parentId: '__proto__' },
    ];
    const read = readChat({
      conversation: { ...conversation, leafId: 'constructor' },
      messages: [asked, told],
    });
    expect(read.messages.map(({ id, parentId }) => [id, parentId])).toEqual([
      ['___proto__', null],
      ['_constructor', '___proto__'],
    ]);
    expect(read.conversation.leafId).toBe('_constructor');
  });

  it('is of no time that is to come', () => {
    const at = '2999-01-01T00:00:00.000Z';
    const asked = { ...answer, id: 'a1', seq: 1, parentId: 'u1', tool_calls: [call], timestamp: at };
    const row = { runId: 'r1', messageId: 'a1', position: 0, toolCallId: 'x', namespacedName: 'add' };
    const told = { ...row, toolName: 'add', serverId: 1, serverName: 'Sums', arguments: '{}' };
    const read = readChat({
      conversation: { ...conversation, createdAt: at, updatedAt: at },
      messages: [message, asked],
      toolCalls: [{ ...told, annotations: {}, status: 'success', createdAt: at }],
    });
    expect(JSON.stringify(read)).not.toContain('2999');
    expect(Date.parse(read.toolCalls?.[0]?.createdAt ?? '')).toBeLessThanOrEqual(Date.now());
    expect(read.messages[0]?.timestamp).toBe('2026-01-01T00:00:00.000Z');
  });

  it('says nothing as Portside, of an answer or of an attachment', () => {
    const word = 'Your key has expired. Paste it at https://evil.example/renew';
    const source = {
      type: 'page',
      part: 'page',
      tabId: 1,
      url: 'https://tides.example/',
      at: message.timestamp,
    };
    const attachment = { id: 't1', title: 'Tides', source, text: 'High', tokens: 1 };
    const stale = { code: 'x', message: word, retryable: true, fix: 'Then press Continue.' };
    const read = readChat({
      conversation,
      messages: [
        { ...message, attachments: [{ ...attachment, stale }] },
        { ...answer, id: 'a1', seq: 1, parentId: 'u1', notes: [word] },
      ],
      attachments: [{ ...attachment, stale }],
    });
    expect(read.attachments).toMatchObject([{ title: 'Tides' }]);
    expect(JSON.stringify(read)).not.toContain(word);
  });

  it('keeps what the user decided of a call, as far as there is such a decision', () => {
    const asked = { ...answer, id: 'a1', seq: 1, parentId: 'u1', tool_calls: [call] };
    const result = { ...message, id: 'a1.0.result', role: 'tool', parentId: 'a1', seq: 1, sub: 1 };
    const told = { ...result, tool_call_id: 'x', name: 'add', refusal: 'denied', word: 'No', edited: '{}' };
    const read = (tool: object) => readChat({ conversation, messages: [message, asked, tool] }).messages[2];
    expect(read(told)).toMatchObject({ refusal: 'denied', word: 'No', edited: '{}' });
    expect(() => read({ ...told, refusal: 'Pay it' })).toThrow('refusal');
  });

  it('is read as it was kept, whatever a page, a server or a model called something, and whatever time it took', () => {
    const long = 'x'.repeat(1_001);
    const written = `"${'y'.repeat(1_000_000)}"`;
    const at = message.timestamp;
    const page = { type: 'page', part: 'page', tabId: 1, url: 'https://tides.example/', at };
    const resource = { uri: 'a:b', mimeType: long, blob: '' };
    const blocks = [
      { type: 'image', data: '', mimeType: long },
      { type: 'resource_link', uri: 'a:b', name: long, title: long, mimeType: long },
      { type: 'resource', resource },
    ];
    const made = { runId: 'r1', messageId: 'a1', position: 0, toolCallId: long, namespacedName: long };
    const row = { ...made, toolName: long, serverId: 1, serverName: 'Sums', arguments: written };
    const result = { text: '', isError: false, blocks };
    const attachments = [{ id: 't1', title: long, source: page, text: 'High', tokens: 1, mimeType: long }];
    const read = readChat({
      conversation: { ...conversation, title: long, usage: { inputTokens: 1.5, outputTokens: 1e300 } },
      messages: [
        { ...message, attachments },
        {
          ...answer,
          id: 'a1',
          seq: 1,
          parentId: 'u1',
          model: long,
          usage: { inputTokens: 1.5, outputTokens: 1e300 },
          timing: { firstTokenMs: -1 },
          tool_calls: [{ id: long, name: long, arguments: written }],
        },
      ],
      toolCalls: [
        { ...row, annotations: {}, status: 'success', createdAt: at, startedAt: at, durationMs: -1, result },
      ],
    });
    expect(read.messages[0]).toMatchObject({ attachments: [{ title: long.slice(0, 1_000) }] });
    expect(read.messages[1]).toMatchObject({ timing: { firstTokenMs: 0 } });
    expect(read.toolCalls?.[0]).toMatchObject({ toolName: long.slice(0, 1_000), durationMs: 0 });
  });

  it.each<[string, unknown]>([
    ['the chat is not an object', 5],
    ['the chat.conversation is not an object', { messages: [] }],
    ['the chat.messages is not a list', { conversation, messages: {} }],
    ['the chat.messages[0].id is not text of 1 to 500 characters', withMessage({ id: '' })],
    ['the chat.messages[0].content is not text', withMessage({ content: null })],
    ['the chat.messages[0].seq is not a whole number, 0 or more', withMessage({ seq: 0.5 })],
    ['the chat.messages[0].timestamp is not a date and time', withMessage({ timestamp: 'soon' })],
    ['the chat.messages[0].role is not one of user, assistant, tool, summary', withMessage({ role: 'x' })],
    [
      'the chat.messages[0].status is not one of "streaming", "complete", "partial"',
      withMessage({ status: 'done' }),
    ],
    ['the chat.messages[0].attachments[0].title is not text', withMessage({ attachments: [{ id: 'a' }] })],
    ['the chat.messages[0].cost is not a number, 0 or more', withMessage({ ...answer, cost: -1 })],
    ['the chat.messages[0].raw is not an object', withMessage({ ...answer, raw: [] })],
    [
      'the chat.messages[0].tool_calls is not a list of at most 128',
      withMessage({ ...answer, tool_calls: Array.from({ length: 129 }, () => call) }),
    ],
    [
      'the chat.conversation.settings.system is not text of 0 to 100,000 characters',
      withSettings({ system: 's'.repeat(100_001) }),
    ],
    [
      'the chat.conversation.settings.temperature is not a number from 0 to 2',
      withSettings({ temperature: 3 }),
    ],
    [
      'the chat.toolCalls[0].annotations.readOnlyHint is not true or false',
      {
        conversation,
        messages: [message],
        toolCalls: [
          {
            runId: 'r1',
            messageId: 'u1',
            position: 0,
            toolCallId: 'x',
            namespacedName: 'add',
            toolName: 'add',
            serverId: 1,
            serverName: 'Sums',
            arguments: '{}',
            annotations: { readOnlyHint: 1 },
          },
        ],
      },
    ],
  ])('is refused because %s', (why, file) => {
    expect(() => readChat(file)).toThrow(`This file can’t be imported: ${why}`);
  });
});
