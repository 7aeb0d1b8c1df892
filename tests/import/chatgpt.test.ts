import { describe, expect, it, vi } from 'vitest';
import { readChats } from '../../lib/import/read-chats.ts';
import { archive, chatsOf, json, PIXEL, readAll, told } from './read.ts';

let nodes: Record<string, unknown> = {};
/** A node of `mapping`; of a message without an author there is none. */
function node(id: string, parent: string | null, role?: string, content?: unknown, more: object = {}): void {
  const message = role && {
    id,
    author: { role, name: null, metadata: {} },
    create_time: 1_756_000_000.5,
    content: typeof content === 'string' ? { content_type: 'text', parts: [content] } : content,
    status: 'finished_successfully',
    weight: 1,
    recipient: 'all',
    metadata: {},
    ...more,
  };
  nodes[id] = { id, parent, message: message ?? null, children: [] };
}

function conversation(fields: object = {}): unknown {
  const mapping = nodes;
  nodes = {};
  return {
    title: 'Tides',
    create_time: 1_756_000_000.123,
    update_time: 1_756_000_400.5,
    conversation_id: 'c-1',
    id: 'c-1',
    mapping,
    ...fields,
  };
}

const image = (pointer: string) => ({
  content_type: 'image_asset_pointer',
  asset_pointer: pointer,
  width: 1,
});

/** A question that was edited, and whose second answer is shown. */
function branched(fields: object = {}): unknown {
  node('root', null);
  node('sys', 'root', 'system', '');
  node('ctx', 'sys', 'user', { content_type: 'user_editable_context', user_profile: 'Sails.' });
  node('u1', 'ctx', 'user', 'When is high tide?');
  node('a1', 'u1', 'assistant', 'At noon.', { metadata: { model_slug: 'gpt-5' } });
  node('a2', 'u1', 'assistant', 'At six.');
  node('u2', 'ctx', 'user', 'When is low tide?');
  return conversation({ current_node: 'a2', is_archived: true, pinned_time: 1_756_000_500, ...fields });
}

describe('a chat of ChatGPT', () => {
  it('keeps its branches, the shown one first, and leaves out what ChatGPT does not show', async () => {
    const { chats } = await chatsOf(json([branched()]));
    expect(told(chats[0]!)).toEqual([
      ['user: When is high tide?', 'assistant: At six.'],
      ['user: When is low tide?'],
      ['user: When is high tide?', 'assistant: At noon.'],
    ]);
    expect(chats[0]?.conversation).toMatchObject({
      id: 'chatgpt-c-1',
      title: 'Tides',
      titledBy: 'model',
      createdAt: '2025-08-24T01:46:40.123Z',
      updatedAt: '2025-08-24T01:53:20.500Z',
      pinnedAt: expect.any(String),
      archivedAt: expect.any(String),
    });
    expect(chats[0]?.messages.find(({ content }) => content === 'At noon.')).toMatchObject({
      model: 'gpt-5',
      timestamp: '2025-08-24T01:46:40.500Z',
    });
  });

  it('shows code, its results and what tools told as calls, and thoughts with the answer behind them', async () => {
    node('u', null, 'user', 'Draw a wave.');
    node('t', 'u', 'assistant', {
      content_type: 'thoughts',
      thoughts: [{ summary: 'Planning', content: 'A sine.' }],
    });
    node('r', 't', 'assistant', { content_type: 'reasoning_recap', content: 'Thought for 3 s' });
    node(
      'c',
      'r',
      'assistant',
      { content_type: 'code', language: 'python', text: 'plot()' },
      { recipient: 'python' },
    );
    node('o', 'c', 'tool', { content_type: 'execution_output', text: 'done' });
    node('p', 'o', 'tool', {
      content_type: 'multimodal_text',
      parts: [image('sediment://file_0012')],
    });
    node('s', 'p', 'assistant', '{"query":"waves"}', { recipient: 'web.search' });
    node('e', 's', 'tool', { content_type: 'system_error', name: 'robots', text: 'Not allowed.' });
    node('q', 'e', 'tool', {
      content_type: 'tether_quote',
      title: 'Waves',
      url: 'https://a.test',
      text: 'Water.',
    });
    node('a', 'q', 'assistant', 'There it is.\uE200cite\uE202turn0search0\uE201');
    const chat = conversation({ current_node: 'a' });
    const { chats, left } = await chatsOf(
      archive({ 'conversations.json': JSON.stringify([chat]), 'user-1/file_0012-1b2c.png': PIXEL }),
    );
    expect(told(chats[0]!)).toEqual([
      [
        'user: Draw a wave.',
        'thinks: **Planning**\n\nA sine.',
        'python {"code":"plot()"} success: done<image>',
        'web.search {"query":"waves"} error: Not allowed.\n\nWaves\nhttps://a.test\nWater.',
        'assistant: There it is.',
      ],
    ]);
    expect(left).toEqual([{}]);
    // A server that the chat goes on with takes no dots in it.
    expect(chats[0]?.messages.flatMap((each) => (each.role === 'tool' ? each.name : []))).toContain(
      'web_search',
    );
  });

  it('brings pictures and texts along that its archive holds, and counts what it does not', async () => {
    const attachments = [
      { id: 'file-Pic', name: 'sea.png' },
      { id: 'file-Txt', name: 'log.md', mime_type: 'text/markdown' },
      { id: 'file-Pdf', name: 'chart.pdf' },
    ];
    const parts = [image('file-service://file-Pic'), image('sediment://file_gone'), 'What is it?'];
    node('u', null, 'user', { content_type: 'multimodal_text', parts }, { metadata: { attachments } });
    const spoken = [
      { content_type: 'audio_transcription', text: 'Hello?' },
      { content_type: 'audio_asset_pointer', asset_pointer: 'sediment://file_a' },
      { content_type: 'hologram' },
    ];
    node('v', 'u', 'user', { content_type: 'multimodal_text', parts: spoken });
    const { chats, left } = await chatsOf(
      archive({
        'export/conversations-000.json': JSON.stringify([conversation({ title: null })]),
        'export/user.json': '{"id":"x"}',
        'export/file-Picture-other.png': 'no picture',
        'export/file-Pic-sea.dat': PIXEL,
        'export/file-Txt-log.md': '# Log',
        'export/file-Pdf-chart.pdf': new Uint8Array([0x25, 0x50, 0xff, 0]),
      }),
    );
    expect(told(chats[0]!)).toEqual([
      [
        'user: [file_gone]\n\nWhat is it?',
        'attached: file-Pic <image/png>',
        'attached: log.md # Log',
        'attached: chart.pdf',
        'user: Hello?',
      ],
    ]);
    expect(left).toEqual([{ image: 1, file: 1, audio: 1, other: 1 }]);
    expect(chats[0]?.conversation.title).toBe('[file_gone]');
  });

  it('whose tool answers with more pictures than a call takes arguments is read', async () => {
    const parts = Array.from({ length: 130_000 }, () => image('file-service://file-Pic'));
    node('t', null, 'tool', { content_type: 'multimodal_text', parts });
    const made = { 'conversations.json': JSON.stringify([conversation()]), 'file-Pic-sea.dat': PIXEL };
    const { found } = await readAll(archive(made));
    expect(found.map(({ type }) => type)).toEqual(['chat']);
  });

  it('has the same ids in every export, and others in another chat with the same messages', async () => {
    const idsIn = async (fields: object) => {
      const { chats } = await chatsOf(json([branched(fields)]));
      return chats.flatMap(({ conversation: { id }, messages }) => [id, ...messages.map((each) => each.id)]);
    };
    const ids = await idsIn({});
    expect(await idsIn({ title: 'Later' })).toEqual(ids);
    const others = await idsIn({ conversation_id: 'c-2' });
    expect(ids.filter((id) => others.includes(id))).toEqual([]);
    const nameless = { conversation_id: undefined, id: undefined };
    const [one, again, other] = [
      await idsIn(nameless),
      await idsIn(nameless),
      await idsIn({ ...nameless, title: 'Winds' }),
    ];
    expect(again).toEqual(one);
    expect(one.filter((id) => other.includes(id))).toEqual([]);
  });

  it('that can’t be read is named, wherever the others stand', async () => {
    const file = json([{ title: 'Corrupted' }, branched(), { id: 'x' }]);
    const { chats, unread } = await chatsOf(file);
    expect(chats).toHaveLength(1);
    expect(unread).toEqual([
      ['Corrupted', 'no_chat'],
      [undefined, 'no_chat'],
    ]);
  });

  it('is read from a file that ends too early, which is told', async () => {
    const whole = JSON.stringify([branched(), branched({ conversation_id: 'c-2' })]);
    const { chats, unread } = await chatsOf(new Blob([whole.slice(0, -9)]));
    expect(chats).toHaveLength(1);
    expect(unread).toEqual([[undefined, 'cut']]);
  });

  it('whose messages follow one another in a circle, or have ids like an object’s own, is no trap', async () => {
    node('a', 'b', 'user', 'One');
    node('b', 'a', 'user', 'Two');
    node('three', null, 'user', 'Three');
    const text = JSON.stringify([conversation({ current_node: 'b' })]).replaceAll('"three"', '"__proto__"');
    const { chats } = await chatsOf(new Blob([text]));
    expect(chats[0]?.messages.map(({ content }) => content)).toEqual(['Three']);
  });

  it('may stand alone in its file', async () => {
    const { chats } = await chatsOf(json(branched()));
    expect(chats.map(({ conversation: { title } }) => title)).toEqual(['Tides']);
  });
});

describe('a file', () => {
  it('says how much of it was read', async () => {
    const texts = [branched(), branched({ conversation_id: 'c-2' })].map((each) => JSON.stringify([each]));
    const files = { 'conversations-000.json': texts[0]!, 'conversations-001.json': texts[1]! };
    const { found, outcome } = await readAll(archive(files));
    expect(found.map(({ share }) => Math.round(share * 10) / 10)).toEqual([0.5, 1]);
    expect(outcome).toEqual({ type: 'chats' });
  });

  it('names a thousand things in it that are no chats, and counts the others', async () => {
    const { found } = await readAll(new Blob([`[${'[],'.repeat(3_000)}${JSON.stringify(branched())},{}]`]));
    const types = ['unread', 'chat', 'more_unread'];
    expect(types.map((type) => found.filter((each) => each.type === type).length)).toEqual([1_000, 1, 1]);
    expect(found.at(-1)).toMatchObject({ number: 2_001 });
  });

  it('in which nothing is found for long says how far it was read, and can be stopped', async () => {
    const file = new Blob([`[${'[],'.repeat(300_000)}[]]`]);
    const stopping = new AbortController();
    const shares: number[] = [];
    const progress = (share: number): void => {
      shares.push(share);
      if (share > 0) stopping.abort();
    };
    const chats = readChats(file, '', { signal: stopping.signal, progress });
    expect(await chats.next().then(() => 'read', String)).toMatch(/abort/i);
    expect(shares.at(-1)).toBeGreaterThan(0);
    expect(shares.at(-1)).toBeLessThan(1);
  });

  it('has what else is in it unpacked once for a chat, however often that names it', async () => {
    const reads = async (times: number): Promise<number> => {
      const attachments = Array.from({ length: times }, () => ({ id: 'file-Txt', name: 'log.md' }));
      const parts = Array.from({ length: times }, () => image('file-service://file-Pic'));
      node('u', null, 'user', { content_type: 'multimodal_text', parts }, { metadata: { attachments } });
      const file = archive({
        'conversations.json': JSON.stringify([conversation()]),
        'file-Pic-sea.dat': PIXEL,
        'file-Txt-log.md': '# Log',
      });
      const slices = vi.spyOn(Blob.prototype, 'slice').mockClear();
      const { chats } = await chatsOf(file);
      expect(chats[0]?.messages[0]).toMatchObject({ attachments: { length: 2 * times } });
      return slices.mock.calls.length;
    };
    expect(await reads(30)).toBe(await reads(1));
    vi.restoreAllMocks();
  });

  it('tells of a chat whose files are more than one message takes, and reads no more of them', async () => {
    const attached = (fields: object, times: number, id = 'file-Txt') => {
      const attachments = Array.from({ length: times }, () => ({ id, name: 'log.md' }));
      node('u', null, 'user', 'Hello', { metadata: { attachments } });
      return conversation(fields);
    };
    const pictured = (fields: object) => {
      const parts = Array.from({ length: 1_500 }, () => image('file-service://file-Pic'));
      node('u', null, 'user', { content_type: 'multimodal_text', parts });
      return conversation(fields);
    };
    const escaped = attached({ title: 'Escaped' }, 6, 'file-Esc');
    const all = [
      attached({ title: 'One' }, 1),
      attached({ title: 'Texts' }, 4_000),
      pictured({ title: 'Pictures' }),
    ];
    const { found } = await readAll(
      archive({
        'conversations.json': JSON.stringify([...all, escaped, attached({ title: 'Last' }, 2)]),
        'file-Txt-log.md': 'lorem ipsum '.repeat(160_000),
        'file-Esc-log.md': '\u0001'.repeat(1_900_000),
        'file-Pic-sea.dat': Buffer.concat([PIXEL, Buffer.alloc(2_900_000)]),
      }),
    );
    const ends = found.map((each) => [each.type, 'title' in each && each.title, 'why' in each && each.why]);
    expect(ends).toEqual([
      ['chat', 'One', false],
      ['unread', 'Texts', 'too_long'],
      ['unread', 'Pictures', 'too_long'],
      ['unread', 'Escaped', 'too_long'],
      ['chat', 'Last', false],
    ]);
    const sizes = found.flatMap((each) => (each.type === 'chat' ? [Math.floor(each.size / 1_920_000)] : []));
    expect(sizes).toEqual([1, 2]);
  });

  it('without chats is given back as text, for what else it may be', async () => {
    for (const text of ['{"portside":1,"settings":{}}', 'no JSON', '[]', '7', '[{"a":1}]'])
      expect(await readAll(new Blob([text]))).toEqual({ found: [], outcome: { type: 'none', text } });
    const { outcome } = await readAll(archive({ 'a.json': '{}', 'b.json': '[1]', 'c.txt': 'x' }));
    expect(outcome).toEqual({ type: 'none', text: '{}' });
  });

  it('that is a broken archive is an error', async () => {
    const bytes = new Uint8Array(await archive({ 'conversations.json': '[]' }).arrayBuffer());
    await expect(readAll(new Blob([bytes.slice(0, -30)]))).rejects.toThrow(/end of central directory/);
  });
});

describe('a chat of Portside, or of OpenAI messages', () => {
  it('is handed on as it is', async () => {
    const messages = [{ role: 'user', content: 'Hello' }];
    const chat = { conversation: { title: 'Notes' }, messages: [] };
    const read = async (value: unknown) =>
      (await readAll(json(value))).found.map((each) => each.type === 'chat' && [each.title, each.chat]);
    expect(await read({ portside: 1, chats: [chat] })).toEqual([['Notes', chat]]);
    expect(await read(messages)).toEqual([[undefined, { messages }]]);
    expect(await read({ title: 'A chat', messages })).toEqual([['A chat', { title: 'A chat', messages }]]);
    expect(await read([{ messages }, { messages }])).toHaveLength(2);
    expect(await read({ messages: [7] })).toEqual([]);
  });
});
