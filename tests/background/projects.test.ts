import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createNotes } from '../../entrypoints/background/chat/notes.ts';
import { createProjects } from '../../entrypoints/background/chat/projects.ts';
import { createChatFiles } from '../../entrypoints/background/data/chat-files.ts';
import { readSetup } from '../../entrypoints/background/subscribe/setup.ts';
import { readChats } from '../../lib/import/read-chats.ts';
import { overridesOf, projectOf } from '../../lib/storage/configuration/projects.ts';
import { putServer } from '../../lib/storage/configuration/servers.ts';
import { syncTools } from '../../lib/storage/configuration/tools.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import type { Database } from '../../lib/storage/schema.ts';
import { isMemoryOn, notesOf } from '../../lib/types/note.ts';
import type { Conversation } from '../../lib/types/conversation.ts';
import { NOW } from '../fakes/rows.ts';
import { input } from './rig.ts';

vi.mock('wxt/browser', () => ({ browser: {} }));

let db: Database;
let projects: ReturnType<typeof createProjects>;
const changed = async () => {};
const newest = async () => (await db.getAll('projects')).at(-1)!;
const at = new Date(NOW).toISOString();

async function open(): Promise<void> {
  db = await openDatabase(crypto.randomUUID());
  projects = createProjects(db, changed);
}
beforeEach(open);

async function filled() {
  const serverId = await putServer(db, { ...input, name: 'Files' });
  const tool = { description: '', inputSchema: {}, annotations: {} };
  await syncTools(db, serverId, [{ ...tool, name: 'read', offeredName: `mcp__${serverId}__read` }]);
  const tools = { 'mcp__-1': false, [`mcp__${serverId}__read`]: false };
  const { id } = await projects.save({ name: 'Boats', instructions: 'Be brief.', tools });
  await projects.addFile({ id, name: 'tides.txt', text: 'High at noon.' });
  const { key } = await newest();
  await createNotes(db, changed).save({ text: 'I sail.', project: key });
  return { id, key, tools };
}

const chat = (id: string, project: string): Conversation => ({
  id,
  title: `Chat ${id}`,
  createdAt: at,
  updatedAt: at,
  leafId: null,
  providerId: null,
  model: null,
  settings: {},
  project,
});

const chatFiles = () => {
  const runs = {
    changed: () => {},
    change: async () => {},
    switchVersion: async () => {},
    chats: { restore: async () => {} },
  };
  return createChatFiles(db, { send: () => {}, written: () => {}, runs, now: () => NOW });
};

/** As the page reads a file for the worker. */
async function imported(text: string) {
  const found = readChats(new Blob([text]), at);
  const chats: unknown[] = [];
  for (let read = await found.next(); !read.done; read = await found.next())
    if (read.value.type === 'chat') chats.push(read.value.chat);
  return (await chatFiles().importMany({ chats })).outcomes;
}

describe('a project', () => {
  it('keeps its key and files when it is saved anew, and pages get its files without their texts', async () => {
    const { id, key } = await filled();
    await projects.save({ id, name: ' Big\nboats\u200b ', instructions: 'Be kind.' });
    expect(await newest()).toMatchObject({ id, key, name: 'Big boats', instructions: 'Be kind.' });
    const { projects: told } = await readSetup(db, () => ({ state: 'disconnected', toolCount: 0 }));
    expect(told[0]?.files).toEqual([{ id: expect.any(String), name: 'tides.txt', length: 13 }]);
    const fileId = told[0]?.files[0]?.id ?? '';
    expect(await projects.readFile({ id, fileId })).toEqual({ text: 'High at noon.' });
    await projects.addFile({ id, name: 'tides.txt', text: 'Low at noon.' });
    expect((await newest()).files).toMatchObject([{ text: 'Low at noon.' }]);
    await projects.removeFile({ id, fileId: (await newest()).files[0]!.id });
    expect((await newest()).files).toEqual([]);
  });

  it.each([
    [
      'more text than all files may have',
      { name: 'b.txt', text: 'x'.repeat(99_990) },
      'attachment_too_large',
    ],
    ['no text', { name: 'b.txt', text: ' ' }, 'invalid_input'],
  ])('takes no file with %s', async (_what, file, code) => {
    const { id } = await filled();
    await expect(projects.addFile({ id, ...file })).rejects.toMatchObject({ code });
  });

  it('goes with its notes, and leaves its chats', async () => {
    const { id, key } = await filled();
    await createNotes(db, changed).save({ text: 'I sail.' });
    await db.put('conversations', chat('c1', key));
    await projects.remove({ id });
    expect(await db.getAll('notes')).toEqual([{ id: expect.any(Number), text: 'I sail.' }]);
    expect(await projectOf(db, await db.get('conversations', 'c1'))).toBeUndefined();
  });

  it('has its tools off in its chats, unless a chat has them on', async () => {
    const { key, tools } = await filled();
    expect(await overridesOf(db, { project: key })).toEqual(tools);
    expect(await overridesOf(db, { project: key, tools: { 'mcp__-1': true } })).toEqual({
      ...tools,
      'mcp__-1': true,
    });
    expect(await overridesOf(db, { project: 'gone', tools: { a: true } })).toEqual({ a: true });
  });

  it('sends its notes in its chats alone, and keeps there what is proposed in them', async () => {
    const { key } = await filled();
    const notes = createNotes(db, changed);
    await notes.save({ text: 'For all.' });
    await db.put('conversations', chat('c1', key));
    await notes.remember('Likes boats.', { conversationId: 'c1' });
    const sent = async (memory: boolean | undefined, all: boolean, project?: { key: string }) =>
      notesOf(await db.getAll('notes'), memory === undefined ? {} : { memory }, all, project).map(
        ({ text }) => text,
      );
    expect(await sent(undefined, false, { key })).toEqual(['I sail.', 'Likes boats.']);
    expect(await sent(undefined, true, { key })).toEqual(['I sail.', 'For all.', 'Likes boats.']);
    expect(await sent(undefined, true)).toEqual(['For all.']);
    expect(await sent(false, true, { key })).toEqual([]);
    expect([isMemoryOn({}, false, { key }), isMemoryOn({ memory: false }, true, { key })]).toEqual([
      true,
      false,
    ]);
  });
});

describe('the file of a project', () => {
  it('brings back all of it and its chats, switched off, and twice without doubles', async () => {
    const { id, key, tools } = await filled();
    await db.put('conversations', chat('c1', key));
    await db.put('conversations', chat('c2', 'another'));
    const { text } = await chatFiles().exportAll({ format: 'json', project: key });
    const before = await newest();
    await projects.remove({ id });
    await db.delete('conversations', 'c1');
    expect(await imported(text)).toMatchObject([
      { outcome: 'new' },
      { conversationId: 'c1', outcome: 'new' },
    ]);
    const files = [{ id: expect.any(String), name: 'tides.txt', text: 'High at noon.' }];
    const after = await newest();
    expect(after).toEqual({ ...before, id: after.id, tools, files, isOff: true });
    expect(await db.getAll('notes')).toMatchObject([{ text: 'I sail.', project: key }]);
    const back = await db.get('conversations', 'c1');
    expect(back).toMatchObject({ project: key, imported: true });
    expect(await imported(text)).toMatchObject([{ outcome: 'known' }, { outcome: 'known' }]);
    expect([await db.count('projects'), await db.count('notes')]).toEqual([1, 1]);

    expect([await projectOf(db, back), await overridesOf(db, back)]).toEqual([undefined, undefined]);
    await projects.save(after);
    expect(await projectOf(db, back)).toMatchObject({ instructions: 'Be brief.' });
  });

  it('can switch no tool on, name no server that is not here, and hide nothing', async () => {
    await filled();
    const words = { name: 'Gift\u200b', instructions: 'Obey\u{e0041} me.' };
    const off = [{ server: 'FILES' }, { server: 'Elsewhere' }];
    const project = { key: 'gift', words, off, tools: { mcp__1: true }, isOff: false };
    expect(await imported(JSON.stringify({ portside: 1, project, chats: [] }))).toMatchObject([
      { outcome: 'new' },
    ]);
    expect(await newest()).toMatchObject({
      name: 'Gift',
      instructions: 'Obey me.',
      tools: { mcp__1: false },
      isOff: true,
    });
    expect(await db.count('servers')).toBe(1);
  });

  it.each([
    ['files of too much text', { files: [{ name: 'a', text: 'x'.repeat(100_001) }] }],
    ['a note of too much text', { notes: [{ text: 'x'.repeat(501) }] }],
    ['no name', { words: { name: ' ', instructions: '' } }],
  ])('is refused whole with %s', async (_what, part) => {
    const project = { key: 'k', words: { name: 'Boats', instructions: '' }, ...part };
    expect(await imported(JSON.stringify({ project, chats: [] }))).toMatchObject([
      { error: { code: 'bad_import' } },
    ]);
    expect([await db.count('projects'), await db.count('notes')]).toEqual([0, 0]);
  });
});
