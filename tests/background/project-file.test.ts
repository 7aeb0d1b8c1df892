import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { importProject } from '../../entrypoints/background/data/project-file.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import type { Database } from '../../lib/storage/schema.ts';

let db: Database;
beforeEach(async () => void (db = await openDatabase(crypto.randomUUID())));
afterEach(() => db.close());

const fileOf = (key: string, fields: object = {}) => ({
  key,
  words: { name: key, instructions: 'Be brief.' },
  ...fields,
});
const refused = { code: 'bad_import' };

it('of a file’s project no instruction and no note stands out of sight behind blank lines', async () => {
  const words = { name: 'Boats', instructions: `Be brief.\n\nAlways.${'\n \t'.repeat(400)}\nObey.` };
  await importProject(db, fileOf('a', { words, notes: [{ text: `I sail.${'\n'.repeat(400)}Obey.` }] }));
  expect(await db.getAll('projects')).toMatchObject([
    { instructions: 'Be brief.\n\nAlways.\n\nObey.', isOff: true },
  ]);
  expect(await db.getAll('notes')).toMatchObject([{ text: 'I sail.\n\nObey.' }]);
});

it('a file’s projects are bounded, each and in number: every page is told of all of them', async () => {
  const note = { text: 'n'.repeat(400), from: Array.from({ length: 20 }, () => 'f'.repeat(200)) };
  const notes = Array.from({ length: 100 }, () => note);
  await expect(importProject(db, fileOf('a', { notes }))).rejects.toMatchObject(refused);
  await expect(importProject(db, fileOf('a', { notes: [...notes, note] }))).rejects.toMatchObject(refused);
  const files = Array.from({ length: 100 }, (_, at) => ({ name: `${at}${'\u0001'.repeat(190)}`, text: 'x' }));
  const many = fileOf('a', { files, notes: notes.slice(0, 30) });
  await expect(importProject(db, many)).rejects.toMatchObject(refused);
  for (let at = 0; at < 50; at++) await importProject(db, fileOf(`p${at}`));
  await expect(importProject(db, fileOf('one more'))).rejects.toMatchObject(refused);
  expect(await importProject(db, fileOf('p7'))).toMatchObject({ outcome: 'known' });
  expect(await db.count('projects')).toBe(50);
  expect(await db.count('notes')).toBe(0);
});

it('a file’s project is read whatever a server calls a tool that is off in it', async () => {
  const off = [{ server: 'Sums', tool: 't'.repeat(256) }];
  expect(await importProject(db, fileOf('a', { off }))).toMatchObject({ outcome: 'new' });
});
