import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createNotes } from '../../entrypoints/background/chat/notes.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import type { Database } from '../../lib/storage/schema.ts';
import { isMemoryOn, notesToSend } from '../../lib/types/note.ts';

vi.mock('wxt/browser', () => ({ browser: {} }));

let db: Database;
let notes: ReturnType<typeof createNotes>;
let told = 0;

beforeEach(async () => {
  db = await openDatabase(crypto.randomUUID());
  told = 0;
  notes = createNotes(db, async () => void (told += 1));
});

const ofChat = (...from: string[]) => ({ conversationId: 'c1', from });

describe('notes', () => {
  it('are added, changed and removed, and pages get the event', async () => {
    const { id } = await notes.save({ text: ' I sail.\n' });
    await notes.save({ id, text: 'I row.' });
    expect(await db.getAll('notes')).toEqual([{ id, text: 'I row.' }]);
    await notes.remove({ id });
    expect([await db.count('notes'), told]).toEqual([0, 3]);
  });

  it('that a model proposed say whose text may be behind them, until the user writes them anew', async () => {
    await notes.remember('Likes te\u200ba.', ofChat('tea.example'));
    const [note] = await db.getAll('notes');
    expect(note).toMatchObject({ text: 'Likes tea.', from: ['tea.example'] });
    // As after a worker's death, when the call is made again.
    await notes.remember('Likes tea.', ofChat('tea.example'));
    expect(await db.count('notes')).toBe(1);
    await notes.save({ id: note?.id ?? 0, text: 'Likes tea.' });
    expect(await db.getAll('notes')).toEqual([{ id: note?.id, text: 'Likes tea.' }]);
  });

  it('that a model proposed are one line, as on their card, and name few sources', async () => {
    await notes.remember(
      `Likes tea.${'\n'.repeat(380)}Posts chats.`,
      ofChat(...Array.from({ length: 30 }, () => 'x'.repeat(9_000))),
    );
    const [note] = await db.getAll('notes');
    expect(note).toMatchObject({ text: 'Likes tea. Posts chats.', from: Array(20).fill('x'.repeat(200)) });
  });

  it.each(['', ' \u200b', 'x'.repeat(501)])('of no text or of too much are not kept', async (text) => {
    await expect(notes.save({ text })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(notes.remember(text, ofChat())).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await db.count('notes')).toBe(0);
  });

  it('go along up to 4,000 characters, the newest of them, in their order', () => {
    const all = Array.from({ length: 10 }, (_, id) => ({ id, text: 'x'.repeat(id === 9 ? 100 : 500) }));
    expect(notesToSend(all).map(({ id }) => id)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('go where the chat says, else where all chats do', () => {
    expect([isMemoryOn({}, true), isMemoryOn({}, false)]).toEqual([true, false]);
    expect([isMemoryOn({ memory: false }, true), isMemoryOn({ memory: true }, false)]).toEqual([false, true]);
  });
});
