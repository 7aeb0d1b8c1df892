import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../lib/storage/database.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import {
  findStreaming,
  loadBefore,
  loadBranch,
  loadCalls,
  loadPath,
} from '../../../lib/storage/chats/messages.ts';
import type { AssistantMessage, Message, ToolMessage } from '../../../lib/types/message.ts';
import type { ToolCall } from '../../../lib/types/tools/tool-call.ts';
import { outline, userMessage } from '../../fakes/rows.ts';

let db: Database;

beforeEach(async () => {
  db = await openDatabase(crypto.randomUUID());
});

function assistant(id: string, fields: Partial<AssistantMessage>): AssistantMessage {
  return { ...userMessage(id), role: 'assistant', runId: 'r1', id, ...fields };
}

function result(parentId: string, seq: number, sub: number): ToolMessage {
  const id = `${parentId}.${sub}`;
  return { ...userMessage(id), role: 'tool', id, parentId, seq, sub, tool_call_id: 'c', name: 'n' };
}

async function put(...messages: Message[]): Promise<void> {
  const tx = db.transaction('messages', 'readwrite');
  await Promise.all([...messages.map((message) => tx.store.put(message)), tx.done]);
}

/** Two branches: u1 - a1 (two results) - u2, and u1 - a2 (one result). */
const tree = [
  userMessage('one'),
  assistant('a1', { parentId: 'u1', seq: 1 }),
  result('a1', 1, 1),
  result('a1', 1, 2),
  assistant('a2', { parentId: 'u1', seq: 1 }),
  result('a2', 1, 1),
  userMessage('three', { id: 'u2', parentId: 'a1', seq: 2 }),
];
const first = ['user: one', 'assistant: a1', 'tool: a1.1', 'tool: a1.2', 'user: three'];
const second = ['user: one', 'assistant: a2', 'tool: a2.1'];

describe('a branch', () => {
  it.each([
    ['u2', first],
    ['a2', second],
  ])(
    'that ends in %s has its own messages, with the tool results that hang on them',
    async (leafId, lines) => {
      await put(...tree);
      expect(outline(await loadPath(db, 'c1', leafId))).toEqual(lines);
      const { messages, hasOlder } = await loadBranch(db, leafId, 50);
      expect([outline(messages), hasOlder]).toEqual([lines, false]);
    },
  );

  it('is before a call what its message follows, without the results of the same message', async () => {
    await put(...tree);
    const before = async (callId: string) => outline(await loadBefore(db, { callId, conversationId: 'c1' }));
    expect(await before('a1.1')).toEqual(['user: one']);
    expect(await before('u2.0')).toEqual(first.slice(0, -1));
  });

  it('comes in pages from its end, and never parts a message from its results', async () => {
    await put(...tree);
    const page = async (leafId: string, count: number) => {
      const { messages, hasOlder } = await loadBranch(db, leafId, count);
      return [outline(messages), hasOlder];
    };
    expect(await page('u2', 3)).toEqual([['user: three'], true]);
    expect(await page('u2', 4)).toEqual([first.slice(1), true]);
    expect(await page('a1', 1)).toEqual([first.slice(1, 4), true]);
    expect(await page('u1', 1)).toEqual([['user: one'], false]);
  });

  it('comes in shorter pages where its messages are long, but for the last few', async () => {
    const long = 'word '.repeat(16_000);
    const ids = Array.from({ length: 20 }, (_each, at) => `u${at}`);
    await put(
      ...ids.map((id, at) => userMessage(long, { id, parentId: at > 0 ? `u${at - 1}` : null, seq: at })),
    );
    const { messages, hasOlder } = await loadBranch(db, 'u19', 50);
    expect([messages.length, hasOlder]).toEqual([6, true]);
    await put({ ...userMessage('', { id: 'u20', parentId: 'u19', seq: 20 }), content: undefined as never });
    expect((await loadBranch(db, 'u20', 50)).messages).toHaveLength(6);
  });

  it('is nothing for a chat without messages, and stops where a message is missing', async () => {
    expect(await loadBranch(db, null, 50)).toEqual({ messages: [], hasOlder: false });
    await put(userMessage('orphan', { id: 'u9', parentId: 'gone', seq: 4 }));
    const { messages, hasOlder } = await loadBranch(db, 'u9', 50);
    expect([outline(messages), hasOlder]).toEqual([['user: orphan'], false]);
  });
});

describe('a call that the tool log has trimmed', () => {
  it('has the arguments that the model wrote, and for its text what the model read', async () => {
    const asked = assistant('a1', {
      parentId: 'u1',
      seq: 1,
      tool_calls: [
        { id: 'x', name: 'n', arguments: '{"a":1}' },
        { id: 'y', name: 'n', arguments: '{"a":2}' },
      ],
    });
    const messages = [userMessage('one'), asked, result('a1', 1, 1), result('a1', 1, 2)];
    const row = (position: number, more: Partial<ToolCall>) =>
      db.put('toolCalls', { callId: `a1.${position}`, messageId: 'a1', position, ...more } as ToolCall);
    const whole = { arguments: '{"a":1}', result: { text: 'whole', isError: false } };
    await row(0, whole);
    await row(1, { arguments: '', result: { text: '', isError: false, dropped: true } });
    expect(await loadCalls(db, messages)).toMatchObject([
      whole,
      { arguments: '{"a":2}', result: { text: 'a1.2', dropped: true } },
    ]);
  });
});

describe('what a broken worker left of an answer', () => {
  it('is found behind its run’s leaf, also on a branch that is not the longest', async () => {
    await put(
      ...tree,
      assistant('long', { parentId: 'u2', seq: 3, runId: 'r1' }),
      assistant('half', { parentId: 'a2', seq: 2, runId: 'r2', status: 'streaming' }),
    );
    const of = async (id: string, leafId: string) =>
      (await findStreaming(db, { id, conversationId: 'c1', leafId }))?.id;
    expect(await of('r2', 'a2')).toBe('half');
    expect(await of('r2', 'half')).toBe('half'); // begun again in its own place
    expect(await of('r1', 'a2')).toBeUndefined();
    expect(await of('r1', 'u2')).toBeUndefined();
  });
});
