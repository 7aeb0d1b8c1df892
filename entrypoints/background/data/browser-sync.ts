import { browser } from 'wxt/browser';
import { coalesced } from '../../../lib/async.ts';
import { requireSync, rules } from '../../../lib/fleet/rules.ts';
import type { Request } from '../../../lib/protocol/commands.ts';
import { saveSettings } from '../../../lib/storage/configuration/settings.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import type { Settings } from '../../../lib/types/settings.ts';
import { BROWSER_SYNC, type BrowserSync } from '../../../lib/types/sync.ts';

/** How Portside looks and asks; nothing that says what may be done, and nothing that is of one computer. */
const SYNCED: readonly (keyof Settings)[] = [
  'system',
  'starters',
  'maxIterations',
  'theme',
  'language',
  'textSize',
  'enterSends',
  'whileLive',
  'atEntry',
  'askBox',
  'panelScope',
  'makeTitles',
  'actionPictures',
];
const SETTING = 'setting/';
const PROMPT = 'prompt/';

/** Bytes: https://developer.chrome.com/docs/extensions/reference/api/storage#property-sync */
const MOST_AN_ITEM = 8_192;
const MOST = 102_400;

/** By its key, as JSON: what is missing is the default, or was removed. */
type Items = Record<string, string>;
/** `known`: what both had when they were last compared. */
type Row = BrowserSync & { known: Items };

export type BrowserSyncDeps = {
  prompts: {
    save: (prompt: Request<'savePrompt'>) => Promise<unknown>;
    remove: (prompt: { id: number }) => Promise<void>;
  };
  changed: () => Promise<void>;
};

/** Settings and saved prompts by the browser's own sync (docs/sync.md). */
export function createBrowserSync(db: Database, { prompts, changed }: BrowserSyncDeps) {
  const load = () => db.get('settings', BROWSER_SYNC) as Promise<Row | undefined>;

  async function ownPrompts() {
    return (await db.getAll('prompts')).filter(({ managed, skill }) => !managed && !skill);
  }

  async function itemsHere(): Promise<Items> {
    const settings = await Promise.all(
      SYNCED.filter((name) => !isOfOrganisation(SETTING + name)).map(
        async (name) => [SETTING + name, await db.get('settings', name)] as const,
      ),
    );
    const texts = (await ownPrompts()).map(({ name, text }) => [PROMPT + name, text] as const);
    return Object.fromEntries(
      [...settings, ...texts].flatMap(([key, value]) =>
        value === undefined ? [] : [[key, JSON.stringify(value)]],
      ),
    );
  }

  /** Makes it here what it is elsewhere. */
  async function take(key: string, json: string | undefined): Promise<void> {
    const name = key.slice(key.indexOf('/') + 1);
    if (key.startsWith(PROMPT)) {
      const id = (await ownPrompts()).find((prompt) => prompt.name === name)?.id;
      if (json !== undefined)
        await prompts.save({ name, text: JSON.parse(json), ...(id !== undefined && { id }) });
      else if (id !== undefined) await prompts.remove({ id });
    } else if (SYNCED.some((each) => each === name)) {
      if (json === undefined) await db.delete('settings', name);
      else await saveSettings(db, { [name]: JSON.parse(json) });
    }
  }

  const look = coalesced(async () => {
    const row = await load();
    if (!row || !rules().sync) return;
    const [here, there] = await Promise.all([itemsHere(), itemsThere()]);
    const { known, wanted, taken, left } = reconciled(here, there, row.known);
    let isChanged = left.join('\n') !== row.left.join('\n');
    for (const key of taken)
      await take(key, there[key]).then(
        () => (isChanged = true),
        // Such as a prompt whose name a skill has here: tried again whenever something else has both compared.
        (error: unknown) => {
          console.info('Not taken from the sync.', key, error);
          delete known[key];
        },
      );
    await writeThere(there, wanted);
    const after: Row = { known, left };
    if ((await load()) && JSON.stringify(after) !== JSON.stringify(row))
      await db.put('settings', after, BROWSER_SYNC);
    if (isChanged) await changed();
  });

  return {
    look,
    async set({ on }: Request<'setBrowserSync'>): Promise<void> {
      if (on) requireSync();
      if (!on) await db.delete('settings', BROWSER_SYNC);
      else if (!(await load())) await db.put('settings', { known: {}, left: [] } satisfies Row, BROWSER_SYNC);
      await look();
      await changed();
    },
  };
}

const isOfOrganisation = (key: string): boolean =>
  key.startsWith(SETTING) && key.slice(SETTING.length) in rules().settings;

/** Keeps content scripts out, which may read and write it otherwise; Firefox has no way to do that yet. */
const closeToPages = (): Promise<void> | undefined =>
  (browser.storage.sync as Partial<Closable>).setAccessLevel?.({ accessLevel: 'TRUSTED_CONTEXTS' });

type Closable = { setAccessLevel(access: { accessLevel: string }): Promise<void> };

async function itemsThere(): Promise<Items> {
  await closeToPages();
  const all = await browser.storage.sync.get(null);
  return Object.fromEntries(
    Object.entries(all).filter(
      (entry): entry is [string, string] =>
        (entry[0].startsWith(SETTING) || entry[0].startsWith(PROMPT)) && typeof entry[1] === 'string',
    ),
  );
}

async function writeThere(there: Items, wanted: Items): Promise<void> {
  const gone = Object.keys(there).filter((key) => wanted[key] === undefined);
  const written = Object.entries(wanted).filter(([key, value]) => there[key] !== value);
  if (gone.length > 0) await browser.storage.sync.remove(gone);
  if (written.length > 0) await browser.storage.sync.set(Object.fromEntries(written));
}

/**
 * What was changed on one side since both were last the same goes to the other; what on both, from here. `wanted`: what is to
 * be there; `taken`: the keys of what comes from there; `left`: names of what the browser has no room for.
 * @param before what both had when they were last compared
 */
function reconciled(here: Items, there: Items, before: Items) {
  const known: Items = {};
  const wanted: Items = { ...there };
  const taken: string[] = [];
  const left: string[] = [];
  for (const key of new Set([here, there, before].flatMap(Object.keys))) {
    const [mine, theirs, last] = [here[key], there[key], before[key]];
    if (isOfOrganisation(key)) {
      if (last !== undefined) known[key] = last;
      continue;
    }
    const isTheirs = mine === last || (last === undefined && theirs !== undefined);
    const now = mine !== theirs && isTheirs ? theirs : mine;
    if (now !== mine) taken.push(key);
    if (now === undefined) delete wanted[key];
    else wanted[key] = now;
    if (now !== undefined && (sizeOf({ [key]: now }) > MOST_AN_ITEM || sizeOf(wanted) > MOST)) {
      left.push(key.slice(key.indexOf('/') + 1));
      // Else what is there would pass for new, and take its place here.
      if (last !== undefined) known[key] = last;
      if (theirs === undefined) delete wanted[key];
      else wanted[key] = theirs;
    } else if (now !== undefined) known[key] = now;
  }
  return { known, wanted, taken, left };
}

/** As the browser counts: keys, and values as JSON. */
const sizeOf = (items: Items): number =>
  new Blob(Object.entries(items).flatMap(([key, value]) => [key, JSON.stringify(value)])).size;
