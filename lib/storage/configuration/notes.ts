import type { Note } from '../../types/note.ts';
import type { Database } from '../schema.ts';

/** Adds or changes a note. One that says the same as another is not added. @returns its id, or that of the other */
export async function putNote(db: Database, note: Omit<Note, 'id'> & { id?: number }): Promise<number> {
  const tx = db.transaction('notes', 'readwrite');
  const known = (await tx.store.getAll()).find(({ text }) => text === note.text);
  const id = note.id === undefined && known ? known.id : await tx.store.put(note as Note);
  await tx.done;
  return id;
}

export async function deleteNote(db: Database, id: number): Promise<void> {
  await db.delete('notes', id);
}
