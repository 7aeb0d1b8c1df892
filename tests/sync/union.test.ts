import 'fake-indexeddb/auto';
import * as fc from 'fast-check';
import { beforeAll, expect, it, vi } from 'vitest';
import { joinStore, type SyncKey } from '../../lib/sync/key-file.ts';
import type { Store } from '../../lib/sync/store.ts';
import { calls, says } from '../fakes/scripted-model.ts';
import { type Machine, openMachine, PASSPHRASE } from './machine.ts';

vi.mock('wxt/browser', () => ({ browser: {} }));

/** A store in memory, with the key that it got once: to make one takes long. */
function memoryStore(keyFile: [string, Uint8Array<ArrayBuffer>][] = []) {
  const files = new Map(keyFile);
  const put = async (name: string, bytes: Uint8Array<ArrayBuffer>) => void files.set(name, bytes);
  const store: Store = {
    list: async () => [...files.keys()],
    get: async (name) => files.get(name),
    put,
    putNew: put,
    remove: async (name) => void files.delete(name),
  };
  return { store, files };
}

let key: SyncKey;
let keyFile: [string, Uint8Array<ArrayBuffer>][];
beforeAll(async () => {
  const { store, files } = memoryStore();
  key = await joinStore(store, PASSPHRASE);
  keyFile = [...files];
});

const CHATS = ['a', 'b'];
const step = fc.record({
  machine: fc.nat(2),
  chat: fc.constantFrom(...CHATS),
  what: fc.constantFrom(
    'ask',
    'ask',
    'ask',
    'sync',
    'sync',
    'deleteMessage',
    'deleteChat',
    'undo',
    'purge',
    'cut',
  ),
  at: fc.nat(20),
});

/** Every answer calls a tool first. */
const TURNS = Array.from({ length: 30 }, (_, at) => (at % 2 ? says(`Answer ${at}`) : calls(['look', {}])));

type Step = { machine: number; chat: string; what: string; at: number };
const steps = (chat: string, ...each: [machine: number, what: string][]): Step[] =>
  each.map(([machine, what]) => ({ machine, chat, what, at: 0 }));
/** One goes on after what another deletes; a third, which repeats the log, has read of both. */
const COMPACTED = [
  ...steps('a', [2, 'ask'], [2, 'sync'], [1, 'sync']),
  ...steps('b', [0, 'ask'], [0, 'sync']),
  ...steps('a', [2, 'ask'], [2, 'sync'], [2, 'deleteMessage']),
  ...steps('a', [0, 'ask'], [0, 'ask'], [0, 'ask'], [1, 'ask']),
];

/** One has back what it deleted, once another has heard of that. */
const undone = (what: string): Step[] =>
  steps('a', [0, 'ask'], [0, 'sync'], [1, 'sync'], [0, what], [0, 'sync'], [1, 'sync'], [0, 'undo']);

/** One goes on after what another deletes; a third hears of all of it at once. */
const KEPT = [
  ...steps('b', [0, 'ask'], [0, 'sync'], [1, 'sync'], [1, 'ask'], [0, 'deleteChat']),
  ...steps('b', [0, 'sync'], [1, 'sync'], [2, 'sync']),
];

/** The line is cut behind an answer that calls a tool, where its result is not in the same file. */
const SPLIT = [
  ...steps('a', [0, 'ask']),
  { machine: 0, chat: 'a', what: 'cut', at: 2 },
  ...steps('a', [1, 'sync']),
];

async function act(machine: Machine, { chat, what, at }: Step, said: string, begins: boolean) {
  const rows = await machine.rows(chat);
  const turns = rows.filter(({ role }) => role === 'user' || role === 'assistant');
  // A chat's id is made once, where it begins.
  const isHere = (await machine.db.get('conversations', chat))?.deletedAt === undefined;
  if (what === 'ask') {
    if (begins || (isHere && rows.length > 0)) await machine.ask(chat, said);
  } else if (what === 'sync') await machine.sync();
  else if (what === 'cut') await machine.sync(at % 4).catch(() => {});
  else if (what === 'purge') await machine.purge();
  else if (what === 'undo') await machine.undo(chat);
  else if (what === 'deleteChat') await machine.conversations.remove({ ids: [chat] });
  else if (turns.length > 0)
    await machine.conversations.deleteMessage({ messageId: turns[at % turns.length]!.id });
  return { rows: new Set(rows.map(({ id }) => id)) };
}

it('machines that write, delete and sync in any order come to the same chats, and lose nothing that none deleted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (taken) => {
      const { store } = memoryStore(keyFile);
      const machines = await Promise.all(
        [0, 1, 2].map(() => openMachine(() => store, key, { turns: TURNS, fileSize: 1 })),
      );
      /** What some machine has deleted and not had back: by its number. */
      const deleted = machines.map(() => new Set<string>());
      const ever = new Set<string>();
      const begun = new Set<string>();
      try {
        for (const [index, each] of taken.entries()) {
          const machine = machines[each.machine]!;
          const begins = each.what === 'ask' && !begun.has(each.chat) && begun.add(each.chat) !== undefined;
          const { rows } = await act(machine, each, `said ${index}`, begins);
          const after = await machine.rows(each.chat);
          const left = new Set(after.map(({ id }) => id));
          const gone = deleted[each.machine]!;
          if (each.what.startsWith('delete')) rows.difference(left).forEach((id) => gone.add(id));
          if (each.what === 'undo') left.difference(rows).forEach((id) => gone.delete(id));
          left.forEach((id) => ever.add(id));
        }
        for (let round = 0; round < 4; round++)
          for (const machine of machines) expect(await machine.sync()).toBeUndefined();
        for (const chat of CHATS) {
          const [one, ...others] = await Promise.all(
            machines.map(async (machine) => (await machine.rows(chat)).map(({ id }) => id).toSorted()),
          );
          for (const other of others) expect(other).toEqual(one);
        }
        const all = new Set(
          (await Promise.all(CHATS.map((chat) => machines[0]!.rows(chat)))).flat().map(({ id }) => id),
        );
        const kept = deleted.reduce((left, gone) => left.difference(gone), ever);
        expect([...kept.difference(all)]).toEqual([]);
      } finally {
        machines.forEach(({ close }) => close());
      }
    }),
    {
      numRuns: 20,
      examples: [[COMPACTED], [SPLIT], [KEPT], [undone('deleteChat')], [undone('deleteMessage')]],
    },
  );
}, 300_000);

it('sends the worker what is lacking alone, in parts that a port takes', async () => {
  const { store } = memoryStore(keyFile);
  const [one, other] = [await openMachine(() => store, key), await openMachine(() => store, key)];
  for (let at = 0; at < 6; at++) await one.ask('chat', String(at).repeat(3_000_000));
  await one.sync();
  await other.sync();
  expect(other.imports.length).toBeGreaterThan(1);
  expect(Math.max(...other.imports)).toBeLessThan(12_000_000);
  expect(await other.said('chat')).toEqual(await one.said('chat'));
  expect(await other.shown('chat')).toEqual(await one.shown('chat'));
  other.imports.length = 0;
  await one.ask('chat', 'One more');
  await one.sync();
  await other.sync();
  expect(other.imports.length).toBe(1);
  expect(other.imports[0]).toBeLessThan(20_000);
  expect(await other.shown('chat')).toEqual(await one.shown('chat'));
  [one, other].forEach(({ close }) => close());
});

it('keeps a name, a pin and the archive that were given on several machines at once', async () => {
  const { store } = memoryStore(keyFile);
  const [one, other] = [await openMachine(() => store, key), await openMachine(() => store, key)];
  await one.ask('chat', 'Hello');
  await one.sync();
  await other.sync();
  await one.conversations.set({ id: 'chat', title: 'By the one' });
  await one.sync();
  await other.conversations.set({ id: 'chat', pinned: true });
  for (const each of [other, one, other]) await each.sync();
  // Neither has read of the other: by the clock both are at once.
  await one.conversations.set({ id: 'chat', title: 'A name', archived: true });
  await other.conversations.set({ id: 'chat', title: 'B name' });
  await Promise.all([one.sync(), other.sync()]);
  for (const each of [one, other, one]) await each.sync();
  for (const { db } of [one, other])
    expect(await db.get('conversations', 'chat')).toMatchObject({
      title: 'B name',
      pinnedAt: expect.any(String),
      archivedAt: expect.any(String),
    });
  [one, other].forEach(({ close }) => close());
});

it('writes anew what the store has lost', async () => {
  const { store, files } = memoryStore(keyFile);
  const [one, other] = [await openMachine(() => store, key), await openMachine(() => store, key)];
  for (const chat of ['a', 'b']) {
    await one.ask(chat, `In ${chat}`);
    await one.sync();
  }
  const [lost] = [...files.keys()].filter((name) => name !== 'key.json').toSorted();
  files.delete(lost!);
  await one.sync();
  await other.sync();
  expect(await other.titles()).toEqual(['In a', 'In b']);
  const before = files.size;
  await one.sync();
  expect(files.size).toBe(before);
  [one, other].forEach(({ close }) => close());
});
