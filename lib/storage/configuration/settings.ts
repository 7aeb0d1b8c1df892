import { REGISTRY_URL } from '../../types/registry.ts';
import type { TierPermissions } from '../../types/tools/tier.ts';
import { LANGUAGES, type Language } from '../../types/languages.ts';
import { LONGEST_STARTER, STARTERS, type StarterChoice, type StarterId } from '../../types/starter.ts';
import { DEFAULT_SYSTEM } from '../../types/default-system.ts';
import {
  HINTS,
  LONGEST_SITES,
  LONGEST_SYSTEM,
  type NumberSetting,
  SETTING_LIMITS,
  type Settings,
  type SettingsChange,
  USUAL_ITERATIONS,
} from '../../types/settings.ts';
import { refused, rules } from '../../fleet/rules.ts';
import type { Database } from '../schema.ts';

/** Characters. */
const LONGEST_ADDRESS = 2_000;

/** What stands in a setting's place, made into something that may stand there. */
type Reader<T> = (value: unknown) => T;

/** A whole number inside the setting's limits; anything that is no number becomes the default. */
function number(name: NumberSetting, fallback: number): Reader<number> {
  const [lowest, highest] = SETTING_LIMITS[name];
  return (value) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) return fallback;
    return Math.min(highest, Math.max(lowest, Math.round(value)));
  };
}

/** One of these; the first is the default. */
function oneOf<const T extends string | boolean>(...values: [T, ...T[]]): Reader<T> {
  return (value) => values.find((allowed) => allowed === value) ?? values[0];
}

function text(fallback: string, most: number): Reader<string> {
  return (value) => (typeof value === 'string' ? value.slice(0, most) : fallback);
}

const tierReaders: { [T in keyof TierPermissions]: Reader<TierPermissions[T]> } = {
  reads: oneOf('allow', 'ask', 'block'),
  writes: oneOf('ask', 'allow', 'block'),
  sends: oneOf('ask', 'allow', 'block'),
  destructive: oneOf('ask', 'block'),
};

function tierPermissions(value: unknown): TierPermissions {
  const { reads, writes, sends, destructive } = Object(value) as Record<string, unknown>;
  return {
    reads: tierReaders.reads(reads),
    writes: tierReaders.writes(writes),
    sends: tierReaders.sends(sends),
    destructive: tierReaders.destructive(destructive),
  };
}

function starters(value: unknown): Settings['starters'] {
  const given = Object(value) as Record<string, unknown>;
  const choices = STARTERS.map((id): [StarterId, StarterChoice] => {
    const { text: own, isOff } = Object(given[id]) as Record<string, unknown>;
    return [
      id,
      {
        ...(typeof own === 'string' && own.trim() !== '' && { text: own.slice(0, LONGEST_STARTER) }),
        ...(isOff === true && { isOff }),
      },
    ];
  });
  return Object.fromEntries(choices);
}

const readers: { [K in keyof Settings]: Reader<Settings[K]> } = {
  system: text(DEFAULT_SYSTEM, LONGEST_SYSTEM),
  starters,
  maxIterations: number('maxIterations', USUAL_ITERATIONS),
  theme: oneOf('system', 'light', 'dark'),
  language: oneOf('browser', ...(Object.keys(LANGUAGES) as Language[])),
  textSize: oneOf('normal', 'small', 'large', 'larger'),
  enterSends: oneOf(true, false),
  whileLive: oneOf('queue', 'now'),
  atEntry: oneOf('ask', 'fill'),
  askBox: oneOf(false, true),
  panelScope: oneOf('window', 'all', 'tab'),
  makeTitles: oneOf(true, false),
  actionPictures: oneOf(true, false),
  notify: oneOf(false, true),
  memory: oneOf(false, true),
  schedulesPaused: oneOf(false, true),
  tierPermissions,
  blockedSites: text('', LONGEST_SITES),
  maxTools: number('maxTools', 128),
  maxToolShare: number('maxToolShare', 10),
  maxLoggedCalls: number('maxLoggedCalls', 5000),
  lockAfter: oneOf('8h', '15min', '1h', 'session'),
  registryUrl: text(REGISTRY_URL, LONGEST_ADDRESS),
  seenHints: (value) => HINTS.filter((id) => Array.isArray(value) && value.includes(id)),
};

export const settingNames = Object.keys(readers) as (keyof Settings)[];

/** What stands for the setting where `value` was chosen, or nothing. */
export const readSetting = <K extends keyof Settings>(name: K, value: unknown): Settings[K] =>
  readers[name](value);

/** What holds: the organisation's choice goes before the user's. */
const inForce = <K extends keyof Settings>(name: K, chosen: unknown): Settings[K] =>
  readers[name](rules().settings[name] ?? chosen);

/** What the user chose, or the default where nothing was chosen. */
export async function loadSettings(db: Database): Promise<Settings> {
  const { store } = db.transaction('settings');
  const entries = await Promise.all(
    settingNames.map(async (name) => [name, inForce(name, await store.get(name))]),
  );
  return Object.fromEntries(entries) as Settings;
}

/** One of them alone. */
export async function loadSetting<K extends keyof Settings>(db: Database, name: K): Promise<Settings[K]> {
  return inForce(name, await db.get('settings', name));
}

/**
 * Saves what is known of `changes`, whatever else they hold; tiers and starters that are not in them stay as they are.
 * @throws AppError `set_by_organisation`
 */
export async function saveSettings(db: Database, changes: SettingsChange): Promise<void> {
  const chosen = settingNames.filter((name) => changes[name] !== undefined);
  if (chosen.some((name) => name in rules().settings)) throw refused('set');
  const tx = db.transaction('settings', 'readwrite');
  const save = async (name: keyof Settings) => {
    const isInParts = name === 'tierPermissions' || name === 'starters';
    const value = isInParts
      ? { ...Object(await tx.store.get(name)), ...Object(changes[name]) }
      : changes[name];
    await tx.store.put(readers[name](value), name);
  };
  await Promise.all([...chosen.map(save), tx.done]);
}
