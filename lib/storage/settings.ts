import type { Settings } from '../types.ts';
import type { Database } from './database.ts';

const defaults: Settings = { maxIterations: 10, theme: 'system' };

/** What the person chose, or the default where nothing was chosen. */
export async function loadSettings(db: Database): Promise<Settings> {
  const maxIterations = await db.get('settings', 'maxIterations');
  const theme = await db.get('settings', 'theme');
  return {
    maxIterations:
      typeof maxIterations === 'number' ? clampIterations(maxIterations) : defaults.maxIterations,
    theme: theme === 'light' || theme === 'dark' ? theme : defaults.theme,
  };
}

export async function saveSettings(db: Database, changes: Partial<Settings>): Promise<void> {
  const tx = db.transaction('settings', 'readwrite');
  await Promise.all([
    changes.maxIterations !== undefined &&
      tx.store.put(clampIterations(changes.maxIterations), 'maxIterations'),
    changes.theme !== undefined && tx.store.put(changes.theme, 'theme'),
    tx.done,
  ]);
}

/** 1 to 50; anything that is no number becomes the default. */
function clampIterations(value: number): number {
  return Number.isFinite(value) ? Math.min(50, Math.max(1, Math.round(value))) : defaults.maxIterations;
}

/** The provider of new chats: the one chosen last. */
export async function loadDefaultProvider(db: Database): Promise<number | null> {
  const id = await db.get('settings', 'defaultProviderId');
  return typeof id === 'number' ? id : null;
}

export async function saveDefaultProvider(db: Database, id: number): Promise<void> {
  await db.put('settings', id, 'defaultProviderId');
}
