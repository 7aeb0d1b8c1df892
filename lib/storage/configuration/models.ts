import type { FoundModel, ModelRow } from '../../types/model.ts';
import { type Database, startingWith } from '../schema.ts';

/** A model that nothing is known of yet. */
export function newModel(providerId: number, id: string): ModelRow {
  return { providerId, id, found: {}, chosen: {}, learned: {}, present: true };
}

export async function modelRow(db: Database, providerId: number, id: string): Promise<ModelRow> {
  return (await db.get('models', [providerId, id])) ?? newModel(providerId, id);
}

/**
 * Changes a model's row, which need not exist, in one transaction. Nothing is written when the provider is gone.
 * @returns whether it was written
 */
export async function changeModel(
  db: Database,
  providerId: number,
  id: string,
  change: (row: ModelRow) => ModelRow,
): Promise<boolean> {
  const tx = db.transaction(['models', 'providers'], 'readwrite');
  const models = tx.objectStore('models');
  const isThere = (await tx.objectStore('providers').getKey(providerId)) !== undefined;
  if (isThere) await models.put(change((await models.get([providerId, id])) ?? newModel(providerId, id)));
  await tx.done;
  return isThere;
}

/** Takes over what a provider lists. What the user chose and what refusals taught stays with a model, over absences too. */
export async function syncModels(db: Database, providerId: number, listed: FoundModel[]): Promise<void> {
  const tx = db.transaction(['models', 'providers'], 'readwrite');
  const models = tx.objectStore('models');
  const isThere = (await tx.objectStore('providers').getKey(providerId)) !== undefined;
  const known = new Map((await models.getAll(startingWith(providerId))).map((row) => [row.id, row]));
  const names = new Set(listed.map(({ id }) => id));
  const gone = [...known.values()].filter((row) => row.present && !names.has(row.id));
  const rows = [
    ...gone.map((row): ModelRow => ({ ...row, present: false })),
    ...listed.map(({ id, traits }): ModelRow => {
      const row = known.get(id) ?? newModel(providerId, id);
      return { ...row, found: traits, present: true };
    }),
  ];
  await Promise.all([...(isThere ? rows : []).map((row) => models.put(row)), tx.done]);
}
