import 'fake-indexeddb/auto';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../lib/storage/database.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { writeEntry } from '../../../lib/storage/chats/journal.ts';
import { indexChanges, noteChanged } from '../../../lib/storage/search/index.ts';
import { searchTexts } from '../../../lib/storage/search/query.ts';
import type { Message } from '../../../lib/types/message.ts';
import type { Conversation } from '../../../lib/types/conversation.ts';
import { attachment, NOW, userMessage } from '../../fakes/rows.ts';

let db: Database;

beforeEach(async () => {
  db = await openDatabase(crypto.randomUUID());
  await write({ conversation: chat('c1', 'A chat') });
});

const at = (seconds: number): string => new Date(NOW + seconds * 1000).toISOString();

function chat(id: string, title: string, fields: Partial<Conversation> = {}): Conversation {
  const times = { createdAt: at(-10), updatedAt: at(-10) };
  return { id, title, ...times, leafId: null, providerId: null, model: null, settings: {}, ...fields };
}

function said(id: string, content: string, seconds = 0, fields: object = {}): Message {
  return { ...userMessage(content, { id, timestamp: at(seconds) }), ...fields } as Message;
}

async function write(entry: Parameters<typeof writeEntry>[1]): Promise<void> {
  await writeEntry(db, entry);
  while (await indexChanges(db)) continue;
}

const writeAll = (messages: Message[]) => write({ messages });

const found = async (text: string): Promise<string[]> =>
  (await searchTexts(db, { text })).hits.map(({ id }) => id);

const marked = async (text: string): Promise<string[]> =>
  (await searchTexts(db, { text })).hits.map(({ excerpt }) =>
    excerpt.map((piece) => (piece.hit ? `[${piece.text}]` : piece.text)).join(''),
  );

describe('the search', () => {
  it('shows a hit beside a letter of very many marks', async () => {
    await writeAll([said('m1', `A harbour a${'\u0301'.repeat(90_000)}`)]);
    expect(await found('harbour')).toEqual(['m1']);
  });

  it('finds titles, messages and tool results, newest first', async () => {
    await write({ conversation: chat('c2', 'Deploy on Friday', { updatedAt: at(5) }) });
    const result = { role: 'tool', tool_call_id: 'x', name: 'mcp__1__log', parentId: 'a1', sub: 1 };
    await writeAll([said('m1', 'How do I deploy?'), said('t1', 'deployed: yes', 9, result)]);
    expect((await searchTexts(db, { text: 'deploy' })).hits).toEqual([
      {
        id: 't1',
        conversationId: 'c1',
        title: 'A chat',
        messageId: 'a1',
        role: 'tool',
        at: at(9),
        excerpt: [
          { text: 'deployed', hit: true },
          { text: ': yes', hit: false },
        ],
      },
      {
        id: 'c2',
        conversationId: 'c2',
        title: 'Deploy on Friday',
        at: at(5),
        excerpt: [
          { text: 'Deploy', hit: true },
          { text: ' on Friday', hit: false },
        ],
      },
      expect.objectContaining({ id: 'm1', messageId: 'm1', role: 'user' }),
    ]);
  });

  it('wants all words, in any order, longer ones and the last one also as beginnings', async () => {
    await writeAll([
      said('m1', 'Errors of the network layer'),
      said('m2', 'An error'),
      said('m3', 'networks', 1),
    ]);
    expect(await found('network error')).toEqual(['m1']);
    expect(await found('error')).toEqual(['m1', 'm2']);
    expect(await found('networks errors')).toEqual([]);
    expect(await found('of net')).toEqual(['m1']);
    expect(await found('o net')).toEqual([]);
    expect(await found('?!')).toEqual([]);
  });

  it('finds names whole and by their parts', async () => {
    await writeAll([said('m1', 'see foo_bar in issue-1708'), said('m2', 'foo and bar, 1708', 1)]);
    expect(await found('foo_bar')).toEqual(['m1']);
    expect(await found('issue-1708')).toEqual(['m1']);
    expect(await found('1708')).toEqual(['m2', 'm1']);
    expect(await found('bar')).toEqual(['m2', 'm1']);
  });

  it('finds what is attached to a message', async () => {
    await writeAll([said('m1', 'Look', 0, { attachments: [attachment('report', 'quarterly figures')] })]);
    expect(await found('quarterly')).toEqual(['m1']);
  });

  it('gives 20 at a time, each once, whatever shares their time', async () => {
    await writeAll(Array.from({ length: 50 }, (_, index) => said(`m${index}`, 'same word', index % 3)));
    const pages: string[][] = [];
    let before: { at: string; id: string } | undefined;
    do {
      const page = await searchTexts(db, { text: 'same', ...(before && { before }) });
      pages.push(page.hits.map(({ id }) => id));
      before = page.hasMore ? page.hits.at(-1) : undefined;
    } while (before);
    expect(pages.map(({ length }) => length)).toEqual([20, 20, 10]);
    expect(new Set(pages.flat()).size).toBe(50);
  });

  it('keeps texts of one time together, however many', async () => {
    await writeAll(Array.from({ length: 100 }, (_, index) => said(`m${index}`, 'same word')));
    const places = (await db.getAllKeys('texts')).slice(0, 100);
    expect(Math.max(...places) - Math.min(...places)).toBe(99);
  });

  it('finds each text of one time so far away that its places are no exact numbers', async () => {
    const timestamp = '+275760-09-13T00:00:00.000Z';
    await writeAll(
      Array.from({ length: 20 }, (_, index) => said(`m${index}`, 'same word', 0, { timestamp })),
    );
    expect(new Set(await found('same')).size).toBe(20);
  });

  it('does not find what is deleted or gone, and finds what is archived', async () => {
    const later = { deletedAt: at(50) };
    await writeAll([
      said('m1', 'word'),
      said('m2', 'word', 0, { seq: 1, parentId: 'm1', ...later }),
      said('m3', 'word', 0, { seq: 2, parentId: 'm2' }),
      said('m4', 'word', 0, { conversationId: 'c2' }),
      said('m5', 'word', 0, { conversationId: 'c3' }),
    ]);
    await write({ conversation: chat('c2', 'Two', later) });
    await write({ conversation: chat('c3', 'Three', { archivedAt: at(1) }) });
    expect((await found('word')).toSorted()).toEqual(['m1', 'm5']);
  });

  it('shows the place where most of the words stand together, on one line', async () => {
    const far = 'x '.repeat(200);
    await writeAll([said('m1', `alpha ${far}\n\n the alpha   and\nthe beta ${far}`)]);
    expect(await marked('alpha beta')).toEqual([
      expect.stringMatching(/^….* the \[alpha\] and the \[beta\] x .*…$/),
    ]);
    expect((await marked('alpha beta'))[0]?.length).toBeLessThan(200);
  });

  it('marks what was found as it is written', async () => {
    await writeAll([said('m1', 'Un ÉCLAIR, e\u0301clair et foo_bar')]);
    expect(await marked('eclair foo')).toEqual(['Un [ÉCLAIR], [e\u0301clair] et [foo]_bar']);
  });

  it('finds the same as reading everything does', async () => {
    const word = fc.constantFrom('a', 'ab', 'abc', 'b', 'ba', 'c');
    const texts = fc.array(fc.array(word, { minLength: 1, maxLength: 4 }), { maxLength: 120 });
    const query = fc.uniqueArray(word, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(texts, query, async (all, wanted) => {
        db = await openDatabase(crypto.randomUUID());
        await write({ conversation: chat('c1', '-') });
        await writeAll(all.map((words, index) => said(`m${index}`, words.join(' '), index)));
        const isThere = (words: string[], [each, index]: [string, number]): boolean =>
          index === wanted.length - 1 || each.length >= 3
            ? words.some((one) => one.startsWith(each))
            : words.includes(each);
        const expected = all
          .map((words, index) => ({ id: `m${index}`, words }))
          .filter(({ words }) => wanted.every((each, index) => isThere(words, [each, index])))
          .map(({ id }) => id)
          .toReversed();
        expect(await found(wanted.join(' '))).toEqual(expected.slice(0, 20));
        db.close();
      }),
      { numRuns: 25 },
    );
  });

  it('finds rare and frequent words beyond the newest texts, and beginnings of many words', async () => {
    // More than are read without the index (200), and words of more texts than make a rare one (256).
    const text = (index: number): string =>
      `common w${index}${index === 0 ? ' rare' : ''}${index % 300 === 0 ? ' seldom' : ''} ${index < 350 ? 'early' : 'late'}`;
    for (let start = 0; start < 1_200; start += 400)
      await writeAll(
        Array.from({ length: 400 }, (_, index) =>
          said(`m${start + index}`, text(start + index), start + index),
        ),
      );
    expect(await found('rare common')).toEqual(['m0']);
    expect(await found('common seldom')).toEqual(['m900', 'm600', 'm300', 'm0']);
    expect(await found('w seldom')).toEqual([]);
    expect((await found('common w')).slice(0, 2)).toEqual(['m1199', 'm1198']);
    expect(await found('rare w')).toEqual(['m0']);
    expect((await found('w')).length).toBe(20);
    expect(await found('w1199')).toEqual(['m1199']);
    expect((await found('common early')).slice(0, 2)).toEqual(['m349', 'm348']);
    expect(await found('early late')).toEqual([]);
  });
});

describe('what the search knows', () => {
  it('follows messages that are written anew, titles that change, and what is gone', async () => {
    await writeAll([said('m1', 'first version')]);
    await writeAll([said('m1', 'second version')]);
    expect([await found('first'), await found('second')]).toEqual([[], ['m1']]);
    await write({ conversation: chat('c1', 'Another name', { updatedAt: at(9) }) });
    expect([await found('chat'), await found('another')]).toEqual([[], ['c1']]);
    await write({ conversation: chat('c1', 'Another name', { updatedAt: at(10) }), withdrawn: ['m1'] });
    expect((await db.getAll('texts')).map(({ id }) => id)).toEqual(['c1']);
  });

  it('forgets all of a conversation that is gone', async () => {
    await writeAll([said('m1', 'one'), said('m2', 'two', 1)]);
    const tx = db.transaction(['conversations', 'unindexed'], 'readwrite');
    await tx.objectStore('conversations').delete('c1');
    await noteChanged(tx.objectStore('unindexed'), 'c1');
    await tx.done;
    while (await indexChanges(db)) continue;
    expect(await db.count('texts')).toBe(0);
  });

  it('is nothing of a message that is still being written', async () => {
    await writeAll([said('m1', 'half a', 0, { status: 'streaming' })]);
    expect(await db.count('unindexed')).toBe(0);
    expect(await found('half')).toEqual([]);
  });

  it('misses nothing when the worker dies before it was looked at', async () => {
    await writeEntry(db, { message: said('m1', 'remember me') });
    expect([await db.count('unindexed'), await found('remember')]).toEqual([1, []]);
    while (await indexChanges(db)) continue;
    expect([await db.count('unindexed'), await found('remember')]).toEqual([0, ['m1']]);
  });
});
