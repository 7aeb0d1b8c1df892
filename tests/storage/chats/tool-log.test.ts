import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createToolLog } from '../../../entrypoints/background/tools/tool-log.ts';
import { openDatabase } from '../../../lib/storage/database.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { saveSettings } from '../../../lib/storage/configuration/settings.ts';
import { readToolLog, trimToolLog } from '../../../lib/storage/chats/tool-log.ts';
import type { ToolCall } from '../../../lib/types/tools/tool-call.ts';
import { NOW } from '../../fakes/rows.ts';

let db: Database;

beforeEach(async () => {
  db = await openDatabase(crypto.randomUUID());
  await db.put('conversations', {
    id: 'c1',
    title: 'Adding up',
    createdAt: new Date(NOW).toISOString(),
    updatedAt: new Date(NOW).toISOString(),
    leafId: null,
    providerId: null,
    model: null,
    settings: {},
  });
});

const idOf = (number: number): string => `m${number}.0`;

/** The calls of a log, made one second after the other; by number. */
async function put(count: number, fields: (number: number) => Partial<ToolCall> = () => ({})): Promise<void> {
  const tx = db.transaction('toolCalls', 'readwrite');
  for (let number = 0; number < count; number++) await tx.store.put({ ...row(number), ...fields(number) });
  await tx.done;
}

const row = (number: number): ToolCall => ({
  callId: idOf(number),
  conversationId: 'c1',
  runId: 'r1',
  messageId: `m${number}`,
  position: 0,
  toolCallId: 'x',
  namespacedName: 'mcp__1__echo',
  toolName: 'echo',
  serverId: 1,
  serverName: 'Test server',
  arguments: JSON.stringify({ text: `number ${number}` }),
  annotations: {},
  status: 'success',
  result: {
    text: `Echo: ${number}`,
    isError: false,
    blocks: [{ type: 'text', text: 'block' }],
    structured: { echoed: number },
  },
  createdAt: new Date(NOW + number * 1000).toISOString(),
  startedAt: new Date(NOW + number * 1000 + 5).toISOString(),
  durationMs: 20,
});

const ids = async (query: Parameters<typeof readToolLog>[1]): Promise<string[]> =>
  (await readToolLog(db, query)).calls.map(({ callId }) => callId);

describe('the tool log', () => {
  it('has the newest calls first, with their chat, and without what they hold', async () => {
    await put(2, (number) => (number === 0 ? { conversationId: '' } : {}));
    const { calls, hasMore } = await readToolLog(db, {});
    expect(hasMore).toBe(false);
    expect(calls).toEqual([
      {
        callId: idOf(1),
        conversationId: 'c1',
        toolName: 'echo',
        serverId: 1,
        serverName: 'Test server',
        status: 'success',
        createdAt: new Date(NOW + 1000).toISOString(),
        startedAt: new Date(NOW + 1005).toISOString(),
        durationMs: 20,
        chatTitle: 'Adding up',
      },
      expect.not.objectContaining({ chatTitle: expect.anything() }),
    ]);
  });

  it('comes in pages of 50, none twice and none left out', async () => {
    await put(120);
    const seen: string[] = [];
    let page = await readToolLog(db, {});
    for (seen.push(...page.calls.map(({ callId }) => callId)); page.hasMore;) {
      page = await readToolLog(db, { before: seen.at(-1) ?? '' });
      seen.push(...page.calls.map(({ callId }) => callId));
    }
    expect(seen).toEqual(Array.from({ length: 120 }, (_, index) => idOf(119 - index)));
  });

  it('parts calls of one moment by their ids', async () => {
    await put(130, () => ({ createdAt: new Date(NOW).toISOString() }));
    const first = await ids({});
    const second = await ids({ before: first.at(-1) ?? '' });
    expect(new Set([...first, ...second]).size).toBe(100);
  });

  it('ends where the page before it is gone', async () => {
    await put(3);
    expect(await readToolLog(db, { before: 'gone' })).toEqual({ calls: [], hasMore: false });
  });

  it('is one call, however old, if that is asked for', async () => {
    await put(60);
    expect(await ids({ callId: idOf(0) })).toEqual([idOf(0)]);
    expect(await ids({ callId: 'gone' })).toEqual([]);
  });

  it('is filtered by server and status', async () => {
    await put(6, (number) => ({
      serverId: number % 2,
      status: number < 3 ? 'error' : 'success',
    }));
    expect(await ids({ serverId: 1 })).toEqual([5, 3, 1].map(idOf));
    expect(await ids({ status: 'error' })).toEqual([2, 1, 0].map(idOf));
    expect(await ids({ serverId: 1, status: 'error' })).toEqual([idOf(1)]);
  });

  it.each([
    ['the tool', { toolName: 'needle' }],
    ['the server', { serverName: 'A Needle here' }],
    ['the arguments', { arguments: '{"a":"NEEDLE"}' }],
    ['what the user made of the arguments', { edited: '{"a":"needle"}' }],
    ['the result', { result: { text: 'in a needle stack', isError: false } }],
    ['structured content', { result: { text: '', isError: false, structured: { a: ['needle'] } } }],
  ])('is searched for a word in %s', async (_where, fields) => {
    await put(3, (number) => (number === 1 ? fields : {}));
    expect(await ids({ text: ' needle ' })).toEqual([idOf(1)]);
  });

  it.each([
    ['a text', (filler: string) => ({ text: `${filler}needle`, isError: false })],
    ['structured content', (a: string) => ({ text: '', isError: false, structured: { a, b: [['needle']] } })],
  ])('is searched in the beginning only of %s that is huge', async (_what, resultOf) => {
    const lengths = [10, 19_900, 20_000, 3_000_000];
    await put(4, (number) => ({ result: resultOf('x'.repeat(lengths[number] ?? 0)) }));
    expect(await ids({ text: 'needle' })).toEqual([1, 0].map(idOf));
  });

  it('is searched for all words, wherever each stands', async () => {
    await put(3);
    expect(await ids({ text: 'ECHO 1 server' })).toEqual([idOf(1)]);
    expect(await ids({ text: 'echo nowhere' })).toEqual([]);
  });

  it('finds what is rare behind everything that is not', async () => {
    await put(1000, (number) => (number === 3 ? { toolName: 'needle' } : {}));
    expect(await readToolLog(db, { text: 'needle' })).toMatchObject({
      calls: [{ callId: idOf(3) }],
      hasMore: false,
    });
  });

  it('holds up no write while it is searched', async () => {
    await put(1000);
    let searched = false;
    const search = ids({ text: 'nowhere' }).then(() => (searched = true));
    await db.put('toolCalls', row(2000));
    expect(searched).toBe(false);
    await search;
  });
});

describe('a log that is longer than the user wants it', () => {
  const stored = (number: number) => db.get('toolCalls', idOf(number));

  it('loses the results of its oldest calls, and arguments that are long', async () => {
    const long = JSON.stringify({ text: 'x'.repeat(1000) });
    await put(5, (number) => (number === 0 ? { arguments: long, edited: long } : {}));
    expect(await trimToolLog(db, 3)).toBe(2);
    const result = { text: '', isError: false, dropped: true };
    expect(await stored(0)).toEqual({ ...row(0), arguments: '', edited: '', result });
    expect(await stored(1)).toEqual({ ...row(1), result });
    expect(await stored(2)).toEqual(row(2));
    expect(await ids({})).toHaveLength(5);
  });

  it('loses the oldest calls of no chat, or of one that is gone, altogether', async () => {
    await put(5, (number) => ({ conversationId: ['', 'gone', 'c1', '', 'gone'][number] ?? '' }));
    await trimToolLog(db, 2);
    expect(await ids({})).toEqual([4, 3, 2].map(idOf));
  });

  it('keeps what is going on, waits for the user, or may be run again', async () => {
    const long = JSON.stringify({ text: 'x'.repeat(1000) });
    const fields: Partial<ToolCall>[] = [
      { status: 'running', conversationId: '' },
      { status: 'pending', wait: 'permission', arguments: long },
      { status: 'unknown', wait: 'unknown', arguments: long },
      { status: 'error', arguments: long },
    ];
    await put(4, (number) => fields[number] ?? {});
    await trimToolLog(db, 0);
    for (const number of [0, 1, 2])
      expect(await stored(number)).toEqual({ ...row(number), ...fields[number] });
    expect(await stored(3)).toMatchObject({ arguments: long, result: { dropped: true } });
  });

  it('looks at no call twice, and goes on where it was when the limit falls', async () => {
    await put(700);
    expect(await trimToolLog(db, 650)).toBe(50);
    expect(await trimToolLog(db, 650)).toBe(0);
    expect(await trimToolLog(db, 100)).toBe(550);
    expect(await trimToolLog(db, 700)).toBe(0);
    expect((await stored(599))?.result?.dropped).toBe(true);
    expect((await stored(600))?.result?.dropped).toBeUndefined();
  });

  it('is trimmed at most once a minute, but at once when the limit is changed', async () => {
    let now = NOW;
    const log = createToolLog(db, () => now);
    const whole = async () => (await db.getAll('toolCalls')).filter(({ result }) => !result?.dropped).length;
    await saveSettings(db, { maxLoggedCalls: 200 });
    await put(210);
    await log.trim();
    expect(await whole()).toBe(200);
    for (let number = 210; number < 220; number++) await db.put('toolCalls', row(number));
    now += 1000;
    await log.trim();
    expect(await whole()).toBe(210);
    await saveSettings(db, { maxLoggedCalls: 150 });
    await log.trim(true);
    expect(await whole()).toBe(150);
  });

  it('is trimmed to a limit that is changed while it is being trimmed to another', async () => {
    const log = createToolLog(db, () => NOW);
    await saveSettings(db, { maxLoggedCalls: 200 });
    await put(210);
    const before = log.trim();
    const saved = saveSettings(db, { maxLoggedCalls: 150 });
    await Promise.all([before, saved, log.trim(true)]);
    expect((await db.getAll('toolCalls')).filter(({ result }) => !result?.dropped)).toHaveLength(150);
  });

  it('gives one call whole, and null for one that is not there', async () => {
    await put(1);
    const log = createToolLog(db);
    expect(await log.loggedCall({ callId: idOf(0) })).toEqual(row(0));
    expect(await log.loggedCall({ callId: 'gone' })).toBeNull();
  });
});
