import type { StoreNames } from 'idb';
import type { Database, Schema } from './schema.ts';

export type Store = StoreNames<Schema>;

/** What no row of a store can be shown without, each with a value of its kind: one of these it has to be like. */
const NEEDED: { [Name in Store]?: Partial<Schema[Name]['value']>[] } = {
  conversations: [{ title: '', createdAt: '', updatedAt: '', settings: {} }],
  messages: [{ conversationId: '', role: 'user', content: '', timestamp: '' }],
  toolCalls: [{ messageId: '', namespacedName: '', toolName: '', arguments: '', status: 'success' }],
  servers: [
    { name: '', transport: 'sse', url: '', headerNames: [] },
    { name: '', transport: 'stdio', command: '', args: [], envNames: [] },
  ],
  tools: [{ name: '', offeredName: '', description: '', inputSchema: {}, annotations: {} }],
  providers: [{ name: '', preset: 'custom', baseUrl: '', model: '', headerNames: [] }],
  models: [{ found: {}, chosen: {}, learned: {} }],
  assistants: [{ name: '', settings: {} }],
  prompts: [{ name: '', text: '' }],
  schedules: [{ name: '', text: '', rhythm: { cron: '' }, perRun: {}, perMonth: {}, settings: {} }],
  notes: [{ text: '' }],
  projects: [{ key: '', name: '', instructions: '', files: [] }],
};

const kindOf = (value: unknown): string => Object.prototype.toString.call(value);

/** Whether a row can be shown: a fault or another hand may have left less of it than its type says. */
export const isWhole = (store: Store, row: unknown): boolean =>
  NEEDED[store]?.some((needed) =>
    Object.entries(needed).every(([key, value]) => kindOf(value) === kindOf(Object(row)[key])),
  ) ?? true;

/** Removes the rows that can't be shown, and leaves all else as it is. @returns how many they were */
export async function eraseDamaged(db: Database): Promise<number> {
  const stores = Object.keys(NEEDED) as Store[];
  const tx = db.transaction(stores, 'readwrite');
  let count = 0;
  for (const name of stores) {
    for (let row = await tx.objectStore(name).openCursor(); row; row = await row.continue()) {
      if (isWhole(name, row.value)) continue;
      await row.delete();
      count += 1;
    }
  }
  await tx.done;
  return count;
}
