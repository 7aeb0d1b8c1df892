import type { Note } from '../../types/note.ts';
import type { Database } from '../schema.ts';

/** Adds or changes a note. One that says the same as another of its project, or of none, is not added. @returns its id, or that of the other */
export async function putNote(db: Database, note: Omit<Note, 'id'> & { id?: number }): Promise<number> {
  const tx = db.transaction('notes', 'readwrite');
  const known = (await tx.store.getAll()).find(
    ({ text, project }) => text === note.text && project === note.project,
  );
  const id = note.id === undefined && known ? known.id : await tx.store.put(note as Note);
  await tx.done;
  return id;
}

/** Adds what a file holds, but for what is said here already. */
export async function addNotes(db: Database, notes: Omit<Note, 'id'>[]): Promise<void> {
  const tx = db.transaction('notes', 'readwrite');
  const known = new Set((await tx.store.getAll()).map(({ text }) => text));
  const added = notes.filter(({ text }) => !known.has(text) && known.add(text));
  await Promise.all([...added.map((note) => tx.store.add(note as Note)), tx.done]);
}
