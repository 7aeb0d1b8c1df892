import { deleteDB, openDB } from 'idb';
import { AppError } from '../../../lib/errors.ts';
import type { Request } from '../../../lib/protocol/commands.ts';
import {
  type ChatPieces,
  exportChatsFile,
  jsonPieces,
} from '../../../lib/storage/import-export/export-chats.ts';
import { speakLanguage } from '../../../lib/speak-language.ts';
import { SYNC_DATABASE } from '../../../lib/sync/port.ts';
import { removeModels } from '../../../lib/gguf/store.ts';
import { mended, type Store } from '../../../lib/storage/damaged.ts';
import { DATABASE } from '../../../lib/storage/database.ts';
import type { Database, Schema } from '../../../lib/storage/schema.ts';
import { t } from '../../../locales/texts/errors.ts';
import { giveBack } from './data.ts';
import { settingsFile } from './settings-file.ts';

/** Why the worker's parts could not be built on what is stored, in the browser's language: the user's is stored there. */
export async function databaseFault(error: unknown): Promise<AppError> {
  if (error instanceof AppError) return error;
  await speakLanguage('browser');
  const isNewer = error instanceof DOMException && error.name === 'VersionError';
  return new AppError({
    code: isNewer ? 'database_newer' : 'database_unusable',
    ...t(($) => $.errors.database[isNewer ? 'newer' : 'unusable']),
    cause: String(error),
  });
}

/** What can be done with a database on which the worker's parts can't be built: it is opened as it is, for as long. */
async function asItIs<T>(now: number, read: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDB<Schema>(DATABASE);
  try {
    return await read(lenient(db, new Date(now).toISOString()));
  } finally {
    db.close();
  }
}

/** The same, in which a store or an index that an earlier version had not yet is an empty one, and damaged rows are as `mended`. */
function lenient(db: Database, now: string): Database {
  return new Proxy(db, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      if (!/^get($|All)/.test(String(name))) return method.bind(target) as unknown;
      return async (...given: unknown[]): Promise<unknown> => {
        try {
          const read: unknown = await Reflect.apply(method, target, given);
          const mend = (row: unknown): unknown => mended(given[0] as Store, row, now);
          if (name === 'get') return mend(read);
          return name === 'getAll' ? (read as unknown[]).map(mend).filter(Boolean) : read;
        } catch (error) {
          if (error instanceof DOMException && error.name === 'NotFoundError') return [];
          throw error;
        }
      };
    },
  });
}

/** The chats that can be read; `null` stands in place of one of which a part can't be. */
export const rescueChats = (request: Request<'exportChats'>, now: number) =>
  asItIs(now, async (db) => {
    const keys = await db.getAllKeys('conversations');
    const read = await Promise.allSettled(keys.map((key) => db.get('conversations', key)));
    const ids = read.flatMap((each) => (each.status === 'fulfilled' && each.value ? [each.value.id] : []));
    return exportChatsFile(db, { ids, after: request.after }, whole(jsonPieces(db)), now);
  });

function whole(piecesOf: ChatPieces): ChatPieces {
  return async function* (chat, from) {
    if (from) return; // it was told at once
    const texts: string[] = [];
    try {
      for await (const { text } of piecesOf(chat, undefined)) texts.push(text);
    } catch (error) {
      console.warn('A chat could not be read.', error);
      texts.splice(0, Infinity, 'null');
    }
    yield { text: texts.join(''), mark: { chat: chat.id, part: '', row: '' } };
  };
}

export const rescueSettings = (now: number) => asItIs(now, (db) => settingsFile(db, now));

/** Erases it with all that is in it; as `everything` also what else Portside keeps, and what the user granted. */
export async function eraseDatabase(what: 'database' | 'everything'): Promise<void> {
  await deleteDB(DATABASE);
  if (what === 'everything') await Promise.all([giveBack(), removeModels(), deleteDB(SYNC_DATABASE)]);
}
