import type { StoreNames } from 'idb';
import type { Database, Schema } from './schema.ts';

export type Store = StoreNames<Schema>;

type Parts<Row> = Row extends unknown
  ? { [Key in (keyof Row & string) | `${keyof Row & string}?`]?: unknown }
  : never;

const chat = { settings: { 'system?': '' }, 'tools?': {} };
const server = { name: '', 'answerNames?': [''] };
const schedule = {
  ...chat,
  name: '',
  text: '',
  missed: /^(run|skip)$/,
  allows: /^(reads|usual)$/,
  perRun: {},
  perMonth: {},
  'next?': 0,
  'last?': { at: '', conversationId: '' },
  'passedOver?': { at: '', why: /^(closed|busy|limit)$/ },
  'spent?': { month: '', tokens: 0, cost: 0 },
};

/**
 * What a row has to be like, one of these, so that it can be shown: a value of each part's kind, or the words of which it is
 * one. `?`: it may lack the part. Of chats that is little: they are worth more than what is wrong in them.
 */
const SHAPES: { [Name in Store]?: Parts<Schema[Name]['value']>[] } = {
  conversations: [{ id: '', title: '', createdAt: '', updatedAt: /^\d{4}-\d\d-\d\dT/, settings: {} }],
  messages: [{ conversationId: '', role: '', content: '', timestamp: '' }],
  toolCalls: [{ messageId: '', namespacedName: '', toolName: '', arguments: '', status: '' }],
  servers: [
    {
      ...server,
      transport: /^(streamable-http|sse)$/,
      url: '',
      headerNames: [''],
      'oauthClient?': { id: '' },
      'signedIn?': { issuer: '' },
    },
    { ...server, transport: /^stdio$/, command: '', args: [''], envNames: [''], 'openEnv?': {} },
  ],
  tools: [{ name: '', offeredName: '', description: '', inputSchema: {}, annotations: {} }],
  providers: [{ name: '', preset: '', baseUrl: '', model: '', headerNames: [''] }],
  models: [{ found: {}, chosen: {}, learned: {} }],
  assistants: [{ ...chat, name: '' }],
  prompts: [{ name: '', text: '', 'skill?': { description: '', files: [{ path: '', text: '' }] } }],
  schedules: [
    { ...schedule, rhythm: { cron: '' } },
    { ...schedule, rhythm: { once: '' } },
  ],
  notes: [{ text: '', 'from?': [''] }],
  projects: [{ key: '', name: '', instructions: '', files: [{ id: '', name: '', text: '' }], 'tools?': {} }],
};

const kindOf = (value: unknown): string => Object.prototype.toString.call(value);

function isLike(shape: unknown, value: unknown): boolean {
  if (shape instanceof RegExp) return typeof value === 'string' && shape.test(value);
  if (kindOf(shape) !== kindOf(value) || Number.isNaN(value)) return false;
  if (Array.isArray(shape)) return (value as unknown[]).every((item) => isLike(shape[0], item));
  if (typeof shape !== 'object') return true;
  return Object.entries(Object(shape)).every(([key, part]) => {
    const own: unknown = Object(value)[key.replace('?', '')];
    return (own === undefined && key.endsWith('?')) || isLike(part, own);
  });
}

/** Whether a row can be shown: a fault or another hand may have left less of it than its type says. */
export const isWhole = (store: Store, row: unknown): boolean =>
  SHAPES[store]?.some((shape) => isLike(shape, row)) ?? true;

/** What stands in for a part that is wrong in a row that the user would lose: a chat is more than its title. */
const standIns = (now: string): { [Name in Store]?: object } => ({
  conversations: { title: '…', createdAt: now, updatedAt: now, settings: {} },
  messages: { content: '', timestamp: now },
});

/** A row as it can be shown, of chats and messages with what stands in for what is wrong; undefined where that isn't enough. */
export function mended<Row>(store: Store, row: Row, now: string): Row | undefined {
  if (isWhole(store, row)) return row;
  const value: Record<string, unknown> = { ...(row as object) };
  for (const [key, part] of Object.entries(standIns(now)[store] ?? {}))
    if (!isLike(Object(SHAPES[store]?.[0])[key], value[key])) value[key] = part;
  return isWhole(store, value) ? (value as Row) : undefined;
}

/**
 * Removes the rows that can't be shown, of chats and messages only what is wrong in them, and leaves all else as it is.
 * @param now ISO 8601
 * @returns how many rows were damaged
 */
export async function repairDamaged(db: Database, now: string): Promise<number> {
  const stores = Object.keys(SHAPES) as Store[];
  const tx = db.transaction(stores, 'readwrite');
  let count = 0;
  for (const name of stores) {
    for (let row = await tx.objectStore(name).openCursor(); row; row = await row.continue()) {
      const value = mended<unknown>(name, row.value, now);
      if (value === row.value) continue;
      await (value ? row.update(value as never) : row.delete());
      count += 1;
    }
  }
  await tx.done;
  return count;
}
