import { describe, expect, it } from 'vitest';
import { archive, chatsOf, json, told } from './read.ts';

const ROOT = '00000000-0000-4000-8000-000000000000';
const at = '2026-03-01T09:00:00.000000Z';

const message = (uuid: string, sender: string, text: string, more: object = {}) => ({
  uuid,
  sender,
  text,
  content: [{ type: 'text', text, citations: [] }],
  created_at: at,
  updated_at: at,
  attachments: [],
  files: [],
  ...more,
});

const chat = (messages: unknown[], more: object = {}) => ({
  uuid: 'k-1',
  name: 'Knots',
  summary: '',
  created_at: at,
  updated_at: '2026-03-02T09:00:00.000000Z',
  account: { uuid: 'me' },
  chat_messages: messages,
  ...more,
});

describe('a chat of Claude', () => {
  it('is read out of its archive, each message behind the one before where no parents are told', async () => {
    const messages = [message('u', 'human', 'Which knot?'), message('a', 'assistant', 'A bowline.')];
    const file = archive({
      'conversations.json': JSON.stringify([chat(messages)]),
      'projects.json': '[{"uuid":"p","name":"Boat"}]',
      'users.json': '[{"uuid":"me"}]',
    });
    const { chats, unread } = await chatsOf(file);
    expect(told(chats[0]!)).toEqual([['user: Which knot?', 'assistant: A bowline.']]);
    expect(chats[0]?.conversation).toMatchObject({
      id: 'claude-k-1',
      title: 'Knots',
      createdAt: '2026-03-01T09:00:00.000Z',
      updatedAt: '2026-03-02T09:00:00.000Z',
    });
    expect(unread).toEqual([]);
  });

  it('keeps branches, and the one that was shown', async () => {
    const messages = [
      message('u', 'human', 'Which knot?', { parent_message_uuid: ROOT }),
      message('a', 'assistant', 'A bowline.', { parent_message_uuid: 'u' }),
      message('b', 'assistant', 'A hitch.', { parent_message_uuid: 'u' }),
      message('v', 'human', 'Why?', { parent_message_uuid: 'b' }),
    ];
    const first = await chatsOf(json([chat(messages, { current_leaf_message_uuid: 'a' })]));
    expect(told(first.chats[0]!)).toEqual([
      ['user: Which knot?', 'assistant: A bowline.'],
      ['user: Which knot?', 'assistant: A hitch.', 'user: Why?'],
    ]);
    const latest = await chatsOf(json([chat(messages)]));
    expect(told(latest.chats[0]!)[0]).toEqual(['user: Which knot?', 'assistant: A hitch.', 'user: Why?']);
  });

  it('shows what it thought, the calls of its tools with their results, and the text between them', async () => {
    const content = [
      { type: 'thinking', thinking: 'It needs numbers.' },
      { type: 'text', text: 'I count.' },
      { type: 'tool_use', id: 't1', name: 'repl', input: { code: '1+1' } },
      { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: '2' }], is_error: false },
      { type: 'tool_use', id: 't2', name: 'web_search', input: { query: 'knots' } },
      { type: 'tool_result', tool_use_id: 't2', content: 'Down', is_error: true },
      { type: 'token_budget' },
      { type: 'voice_note' },
      { type: 'text', text: 'It is 2.' },
    ];
    const messages = [message('u', 'human', 'How many?'), message('a', 'assistant', 'It is 2.', { content })];
    const { chats, left } = await chatsOf(json([chat(messages)]));
    expect(told(chats[0]!)).toEqual([
      [
        'user: How many?',
        'thinks: It needs numbers.',
        'assistant: I count.',
        'repl {"code":"1+1"} success: 2',
        'web_search {"query":"knots"} error: Down',
        'assistant: It is 2.',
      ],
    ]);
    expect(left).toEqual([{ other: 1 }]);
  });

  it('keeps the text of what was attached, and counts what the export does not hold', async () => {
    const attachments = [{ file_name: 'log.txt', file_size: 3, file_type: 'txt', extracted_content: 'Calm' }];
    const files = [{ file_name: 'knot.PNG' }, { file_name: 'plan.pdf' }];
    const { chats, left } = await chatsOf(
      json([chat([message('u', 'human', 'See.', { attachments, files })])]),
    );
    expect(told(chats[0]!)).toEqual([['user: See.\n\n[knot.PNG]\n\n[plan.pdf]', 'attached: log.txt Calm']]);
    expect(left).toEqual([{ image: 1, file: 1 }]);
  });

  it('without a message is an empty chat, and one without a title takes that of its question', async () => {
    const { chats } = await chatsOf(json([chat([]), chat([message('u', 'human', 'A\nB')], { name: '' })]));
    expect(chats.map(({ conversation: { title, leafId } }) => [title, leafId])).toEqual([
      ['Knots', null],
      ['A', 'claude-k-1-u'],
    ]);
  });
});
