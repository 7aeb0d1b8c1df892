import { type NumberSetting, SETTING_LIMITS, type Settings } from '../types/setup.ts';
import type { Database } from './database.ts';

const defaults: Settings = {
  maxIterations: 10,
  theme: 'system',
  maxTools: 128,
  maxToolShare: 10,
  maxLoggedCalls: 5000,
};

const numbers = Object.keys(SETTING_LIMITS) as NumberSetting[];

/** What the person chose, or the default where nothing was chosen. */
export async function loadSettings(db: Database): Promise<Settings> {
  const { store } = db.transaction('settings');
  const [theme, ...values] = await Promise.all([
    store.get('theme'),
    ...numbers.map(async (name) => [name, clamped(name, await store.get(name))] as const),
  ]);
  return {
    ...defaults,
    ...Object.fromEntries(values),
    ...((theme === 'light' || theme === 'dark') && { theme }),
  };
}

export async function saveSettings(db: Database, changes: Partial<Settings>): Promise<void> {
  const tx = db.transaction('settings', 'readwrite');
  await Promise.all([
    ...numbers
      .filter((name) => changes[name] !== undefined)
      .map((name) => tx.store.put(clamped(name, changes[name]), name)),
    changes.theme !== undefined && tx.store.put(changes.theme, 'theme'),
    tx.done,
  ]);
}

/** A whole number inside the setting's limits; anything that is no number becomes the default. */
function clamped(name: NumberSetting, value: unknown): number {
  const [lowest, highest] = SETTING_LIMITS[name];
  if (typeof value !== 'number' || !Number.isFinite(value)) return defaults[name];
  return Math.min(highest, Math.max(lowest, Math.round(value)));
}
