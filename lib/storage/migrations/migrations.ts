import type { IDBPDatabase, IDBPTransaction, StoreNames } from 'idb';
import type { Schema } from '../schema.ts';
import { createVersion1 } from './version-1.ts';
import { upgradeToVersion2 } from './version-2.ts';
import { upgradeToVersion3 } from './version-3.ts';
import { upgradeToVersion4 } from './version-4.ts';
import { upgradeToVersion5 } from './version-5.ts';
import { upgradeToVersion6 } from './version-6.ts';
import { upgradeToVersion7 } from './version-7.ts';
import { upgradeToVersion8 } from './version-8.ts';
import { upgradeToVersion9 } from './version-9.ts';
import { upgradeToVersion10 } from './version-10.ts';

type Migration = (
  db: IDBPDatabase<Schema>,
  tx: IDBPTransaction<Schema, StoreNames<Schema>[], 'versionchange'>,
) => Promise<void> | void;

/**
 * What makes a database of each version one of the next. A new version of the schema is a file and a line here, with a
 * fixture of the version before it in tests/storage/migrations.
 */
export const migrations: Migration[] = [
  createVersion1,
  upgradeToVersion2,
  upgradeToVersion3,
  upgradeToVersion4,
  upgradeToVersion5,
  upgradeToVersion6,
  upgradeToVersion7,
  upgradeToVersion8,
  upgradeToVersion9,
  upgradeToVersion10,
];
