import type { ChatSettings } from './model.ts';

/** Something about the user or their work, for models to know: written by the user, or proposed by a model and kept by them. */
export type Note = {
  id: number;
  text: string;
  /** Whose text the chat had read in which a model proposed it; the user has not written it anew since. */
  from?: string[];
  /** The key of the project in whose chats alone it goes along. */
  project?: string;
};

/** Characters of a note, and of all that go with a request. */
export const LONGEST_NOTE = 500;
export const MOST_NOTES = 4_000;

/** Proposes one. No model is offered it where nothing of it would be known later. */
export const MEMORY_TOOL = 'remember';

/**
 * Whether notes go along in a chat: it, or the assistant that it took over, goes before what holds for all chats. In a
 * project it is on for the project's own.
 */
export const isMemoryOn = ({ memory }: ChatSettings, inAllChats: boolean, project?: object): boolean =>
  memory ?? (inAllChats || project !== undefined);

/** The notes that go along in a chat. @param notes oldest first */
export function notesOf(
  notes: Note[],
  { memory }: ChatSettings,
  inAllChats: boolean,
  project: { key: string } | undefined,
): Note[] {
  if (memory === false) return [];
  return notesToSend(
    notes.filter((note) =>
      note.project === undefined ? (memory ?? inAllChats) : note.project === project?.key,
    ),
  );
}

/** The newest as far as there is room, oldest first, so that prompt caches hit. @param notes oldest first */
export function notesToSend(notes: Note[]): Note[] {
  let left = MOST_NOTES;
  return notes
    .toReversed()
    .filter(({ text }) => (left -= text.length) >= 0)
    .toReversed();
}
