import { withoutControlTokens } from '../../../lib/control-tokens.ts';
import { withoutInvisible } from '../../../lib/invisible.ts';
import type { FileText } from '../../../lib/protocol/data.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { DEFAULT_SYSTEM } from '../../../lib/types/default-system.ts';
import type { ChatSettings } from '../../../lib/types/model.ts';
import { isSameName } from '../../../lib/types/names.ts';
import type { Note } from '../../../lib/types/note.ts';
import type { SavedPrompt } from '../../../lib/types/prompt.ts';
import { STARTERS } from '../../../lib/types/starter.ts';

type Named = { name: string };
type Parts = {
  settings?: Record<string, unknown>;
  assistants?: (Named & { settings: ChatSettings })[];
  prompts?: Omit<SavedPrompt, 'id'>[];
  notes?: Omit<Note, 'id'>[];
};

/** Which of a file's texts would be sent for the user once the file is added; of what is here already, none. */
export async function textsToShow(db: Database, file: Parts): Promise<FileText[]> {
  const chosen = await db.getAllKeys('settings');
  const given = (key: string): unknown => (chosen.includes(key) ? undefined : file.settings?.[key]);
  const system = given('system');
  const starters = Object(given('starters')) as Record<string, unknown>;
  const assistants = notIn(await db.getAll('assistants'), file.assistants);
  const prompts = notIn(await db.getAll('prompts'), file.prompts);
  const kept = new Set((await db.getAll('notes')).map(({ text }) => text));
  const notes = (file.notes ?? []).filter(({ text }) => !kept.has(text));
  const all: (Kind & { given: unknown })[] = [
    { type: 'system', given: system === DEFAULT_SYSTEM ? '' : system },
    ...STARTERS.map((name) => ({
      type: 'starter' as const,
      name,
      given: (Object(starters[name]) as { text?: unknown }).text,
    })),
    ...assistants.map(({ name, settings }) => ({ type: 'assistant' as const, name, given: settings.system })),
    ...prompts.map(({ name, text, skill }) => ({
      type: 'prompt' as const,
      name,
      given: [text, ...(skill?.files ?? []).map((each) => `${each.path}\n${each.text}`)].join('\n\n'),
    })),
    ...notes.map(({ text, from }) => ({
      type: 'note' as const,
      ...(from && { name: from.join(', ') }),
      given: text,
    })),
  ];
  return all.flatMap(({ given: text, ...kind }) =>
    typeof text === 'string' && text.trim() !== '' ? [{ ...kind, ...shownOf(text) }] : [],
  );
}

type Kind = FileText extends infer T ? (T extends FileText ? Omit<T, 'text' | 'invisible'> : never) : never;

const notIn = <T extends Named>(known: Named[], all: T[] = []): T[] =>
  all.filter(({ name }) => !known.some((each) => isSameName(each.name, name)));

/** What is invisible would be sent unseen, and control tokens of a file's would pass for turns of the chat. */
function shownOf(given: string): ReturnType<typeof withoutInvisible> {
  const { text, invisible } = withoutInvisible(given);
  return { text: withoutControlTokens(text), invisible };
}

/** The file with its texts as they are shown. */
export function asShown<File extends Parts>(file: File): File {
  const { settings, assistants, prompts, notes } = file;
  const parts = JSON.stringify({ settings, assistants, prompts, notes });
  const shown = JSON.parse(parts, (_key, value: unknown) =>
    typeof value === 'string' ? shownOf(value).text : value,
  ) as Parts;
  return { ...file, ...shown };
}
