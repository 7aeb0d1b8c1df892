import { describe, expect, it } from 'vitest';
import { archive, chatsOf, json, PIXEL, told } from './read.ts';

const DATA_URL = `data:image/png;base64,${PIXEL.toString('base64')}`;

describe('a chat of Open WebUI', () => {
  const message = (
    id: string,
    parentId: string | null,
    role: string,
    content: string,
    more: object = {},
  ) => ({
    [id]: { id, parentId, childrenIds: [], role, content, timestamp: 1_700_000_000, ...more },
  });
  const exported = (messages: object, more: object = {}, chat: object = {}) => [
    {
      id: 'w-1',
      user_id: 'me',
      title: 'Winds',
      chat: { title: 'Winds', models: ['small'], history: { currentId: 'a1', messages }, ...chat },
      created_at: 1_700_000_000,
      updated_at: 1_700_000_100,
      archived: false,
      pinned: true,
      ...more,
    },
  ];

  it('keeps branches, the shown one, its system prompt, and what is attached', async () => {
    const files = [
      { type: 'image', url: DATA_URL },
      { type: 'image', url: '/api/v1/files/9/content' },
      { type: 'file', name: 'log.txt', file: { filename: 'log.txt', data: { content: 'Calm' } } },
    ];
    const messages = {
      ...message('u', null, 'user', 'Which wind?', { files }),
      ...message('a1', 'u', 'assistant', 'West.', { model: 'small' }),
      ...message('a2', 'u', 'assistant', 'East.'),
    };
    const { chats, left } = await chatsOf(json(exported(messages, {}, { params: { system: 'Be brief.' } })));
    expect(told(chats[0]!)).toEqual([
      [
        'user: Which wind?',
        'attached: 1 <image/png>',
        'attached: 1',
        'attached: log.txt Calm',
        'assistant: West.',
      ],
      [
        'user: Which wind?',
        'attached: 1 <image/png>',
        'attached: 1',
        'attached: log.txt Calm',
        'assistant: East.',
      ],
    ]);
    expect(left).toEqual([{ image: 1 }]);
    expect(chats[0]?.conversation).toMatchObject({
      id: 'open-webui-w-1',
      createdAt: '2023-11-14T22:13:20.000Z',
      pinnedAt: expect.any(String),
      settings: { system: 'Be brief.' },
    });
  });

  it('shows thoughts and calls, as items or as the HTML that it shows', async () => {
    const output = [
      { type: 'reasoning', content: [{ type: 'output_text', text: 'Ask.' }] },
      { type: 'function_call', call_id: 'c1', name: 'get_wind', arguments: '{"at":"sea"}' },
      { type: 'function_call_output', call_id: 'c1', output: [{ type: 'input_text', text: '5 Bft' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Five.' }] },
    ];
    const shown =
      '<details type="reasoning" done="true" duration="3">\n<summary>Thought</summary>\n&gt; Ask.\n</details>\n' +
      '<details type="tool_calls" done="true" id="c" name="get_wind" arguments="&quot;{\\&quot;at\\&quot;:\\&quot;sea\\&quot;}&quot;" result="&quot;5 Bft&quot;">\n<summary>Ran</summary>\n</details>\nFive.';
    const lines = ['user: Wind?', 'thinks: Ask.', 'get_wind {"at":"sea"} success: 5 Bft', 'assistant: Five.'];
    const question = message('u', null, 'user', 'Wind?');
    for (const answer of [
      message('a1', 'u', 'assistant', '', { output }),
      message('a1', 'u', 'assistant', shown),
    ]) {
      const { chats } = await chatsOf(json(exported({ ...question, ...answer })));
      expect(told(chats[0]!)).toEqual([lines]);
    }
    const { chats } = await chatsOf(
      json(
        exported({
          ...question,
          ...message('a1', 'u', 'assistant', '<think>Hm</think>Six. <details type="'),
        }),
      ),
    );
    expect(told(chats[0]!)).toEqual([['user: Wind?', 'thinks: Hm', 'assistant: Six. <details type="']]);
  });

  it('from before it had branches is one', async () => {
    const messages = [
      { role: 'user', content: 'Ahoy' },
      { role: 'assistant', content: 'Aye' },
    ];
    const { chats } = await chatsOf(json([{ id: 'old', title: 'Old', chat: { messages } }]));
    expect(told(chats[0]!)).toEqual([['user: Ahoy', 'assistant: Aye']]);
  });
});

describe('a chat of LibreChat', () => {
  const ROOT = '00000000-0000-0000-0000-000000000000';
  const message = (messageId: string, parentMessageId: string, isUser: boolean, text: string, more = {}) => ({
    messageId,
    parentMessageId,
    conversationId: 'l-1',
    isCreatedByUser: isUser,
    sender: isUser ? 'User' : 'Bot',
    text,
    createdAt: '2026-01-01T10:00:00.000Z',
    ...more,
  });
  const exported = (more: object) => ({
    conversationId: 'l-1',
    endpoint: 'openAI',
    title: 'Locks',
    exportAt: '10:00:00 GMT+0000',
    branches: true,
    options: { model: 'small', promptPrefix: 'Be kind.' },
    ...more,
  });

  it('is the same as a list of messages and as a tree of them', async () => {
    const [question, first, second] = [
      message('u', ROOT, true, 'Which lock?', { files: [{ type: 'image/png', filename: 'lock.png' }] }),
      message('a', 'u', false, 'The first.', { model: 'small' }),
      message('b', 'u', false, 'The second.'),
    ];
    const tree = [
      {
        ...question,
        children: [
          { ...first, children: [] },
          { ...second, children: [] },
        ],
      },
    ];
    for (const more of [
      { messages: [question, first, second] },
      { messagesTree: tree, recursive: true },
      { messages: tree, recursive: true },
    ]) {
      const { chats, left } = await chatsOf(json(exported(more)));
      expect(told(chats[0]!)).toEqual([
        ['user: Which lock?\n\n[lock.png]', 'assistant: The second.'],
        ['user: Which lock?\n\n[lock.png]', 'assistant: The first.'],
      ]);
      expect(left).toEqual([{ image: 1 }]);
      expect(chats[0]?.conversation).toMatchObject({
        id: 'librechat-l-1',
        title: 'Locks',
        settings: { system: 'Be kind.' },
      });
    }
  });

  it('with two messages of one id, of which one follows what follows the other, comes to an end', async () => {
    const messages = [
      message('u', ROOT, true, 'Which lock?'),
      message('a', 'u', false, 'The first.'),
      message('u', 'a', true, 'Sure?'),
    ];
    const { chats } = await chatsOf(json(exported({ messages })));
    expect(told(chats[0]!)).toEqual([['user: Which lock?', 'assistant: The first.']]);
  });

  it('shows thoughts, calls with their results, and errors', async () => {
    const content = [
      { type: 'think', think: 'A tool.' },
      { type: 'text', text: { value: 'I look.' } },
      { type: 'tool_call', tool_call: { id: 'c', name: 'search', args: '{"q":"lock"}', output: 'Found' } },
      {
        type: 'tool_call',
        tool_call: { type: 'function', function: { name: 'draw', arguments: '{}', output: '' } },
      },
      { type: 'image_file', image_file: { filepath: '/images/1.png' } },
      { type: 'error', error: 'It broke.' },
    ];
    const messages = [message('u', ROOT, true, 'Look'), message('a', 'u', false, '', { content })];
    const { chats, left } = await chatsOf(json(exported({ messages })));
    expect(told(chats[0]!)).toEqual([
      [
        'user: Look',
        'thinks: A tool.',
        'assistant: I look.',
        'search {"q":"lock"} success: Found',
        'draw {} success: ',
        'assistant: It broke.',
      ],
    ]);
    expect(left).toEqual([{ image: 1 }]);
  });
});

describe('a backup of Page Assist', () => {
  it('gives its chats, in the order of their messages, with pictures, thoughts and calls', async () => {
    const history = {
      id: 'p-1',
      title: 'Piers',
      is_rag: false,
      is_pinned: true,
      createdAt: 1_700_000_000_000,
      last_used_prompt: { prompt_content: 'Be exact.' },
    };
    const row = (id: string, role: string, content: string, more: object = {}) => ({
      id,
      history_id: 'p-1',
      name: role,
      role,
      content,
      images: [],
      sources: [],
      createdAt: 1_700_000_000_000 + Number(id),
      ...more,
    });
    const messages = [
      row('4', 'assistant', '<think>So.</think>It is long.', { modelName: 'small' }),
      row('1', 'user', 'How long?', {
        images: [DATA_URL, 'blob:gone', ''],
        documents: [{ filename: 'plan.pdf' }],
      }),
      row('2', 'assistant', '', {
        messageKind: 'assistant_tool_calls',
        toolCalls: [{ id: 't', name: 'measure', args: { pier: 1 } }],
      }),
      row('3', 'tool', '90 m', { messageKind: 'tool_result', toolCallId: 't', toolName: 'measure' }),
    ];
    const { chats, left } = await chatsOf(
      json({
        knowledge: [{ id: 'k' }],
        chat: [{ history, messages }],
        vector: [],
        prompts: [],
        storageLocal: {},
      }),
    );
    expect(told(chats[0]!)).toEqual([
      [
        'user: How long?\n\n[plan.pdf]',
        'attached: 1 <image/png>',
        'measure {"pier":1} success: 90 m',
        'thinks: So.',
        'assistant: It is long.',
      ],
    ]);
    expect(left).toEqual([{ image: 1, file: 1 }]);
    expect(chats[0]?.conversation).toMatchObject({
      id: 'page-assist-p-1',
      title: 'Piers',
      pinnedAt: expect.any(String),
      settings: { system: 'Be exact.' },
    });
  });
});

describe('a backup of Cherry Studio', () => {
  const blocks = [
    { id: 'b1', type: 'main_text', content: 'What is it?' },
    { id: 'b2', type: 'image', file: { id: 'f1', origin_name: 'tree.png', ext: '.png' } },
    { id: 'b3', type: 'file', file: { id: 'f2', origin_name: 'notes.md', ext: '.md' } },
    { id: 'b4', type: 'file', file: { id: 'gone', origin_name: 'old.pdf', ext: '.pdf' } },
    { id: 'b5', type: 'thinking', content: 'Leaves.' },
    {
      id: 'b6',
      type: 'tool',
      toolId: 'look',
      toolName: 'look',
      arguments: { at: 'tree' },
      content: { isError: false, content: [{ type: 'text', text: 'Red' }] },
    },
    { id: 'b7', type: 'main_text', content: 'A cherry.' },
    { id: 'b8', type: 'citation' },
    { id: 'b9', type: 'main_text', content: 'A plum.' },
    { id: 'b10', type: 'video', url: 'x' },
    { id: 'b11', type: 'main_text', content: 'Thanks' },
  ];
  const message = (id: string, role: string, ids: number[], more: object = {}) => ({
    id,
    role,
    topicId: 't-1',
    createdAt: '2026-02-01T08:00:00.000Z',
    blocks: ids.map((each) => `b${each}`),
    ...more,
  });
  const messages = [
    message('m1', 'user', [1, 2, 3, 4]),
    message('m2', 'assistant', [5, 6, 7, 8], { askId: 'm1', model: { id: 'small' } }),
    message('m3', 'assistant', [9, 10], { askId: 'm1', foldSelected: true }),
    message('m4', 'user', [], { type: 'clear' }),
    message('m5', 'user', [11]),
  ];
  const topic = { id: 't-1', name: 'Trees', createdAt: '2026-02-01T08:00:00.000Z', pinned: true };
  const assistants = {
    defaultAssistant: { topics: [] },
    assistants: [{ prompt: 'A gardener.', topics: [topic] }],
  };
  const state = JSON.stringify({ assistants: JSON.stringify(assistants), llm: '{}' });
  const data = {
    time: 1,
    version: 5,
    localStorage: { 'persist:cherry-studio': state },
    indexedDB: { files: [], topics: [{ id: 't-1', messages }], settings: [], message_blocks: blocks },
  };

  it('gives its chats with what their blocks and files hold; answers of several models are versions', async () => {
    const { chats, left } = await chatsOf(
      archive({
        'data.json': JSON.stringify(data),
        'Data/Files/f1.png': PIXEL,
        'Data/Files/f2.md': '# Notes',
      }),
    );
    const question = [
      'user: What is it?',
      'attached: tree.png <image/png>',
      'attached: notes.md # Notes',
      'attached: old.pdf',
    ];
    expect(told(chats[0]!)).toEqual([
      [...question, 'assistant: A plum.', 'user: Thanks'],
      [...question, 'thinks: Leaves.', 'look {"at":"tree"} success: Red', 'assistant: A cherry.'],
    ]);
    expect(left).toEqual([{ file: 1, other: 1 }]);
    expect(chats[0]?.conversation).toMatchObject({
      id: 'cherry-studio-t-1',
      title: 'Trees',
      pinnedAt: expect.any(String),
      settings: { system: 'A gardener.' },
    });
  });
});
