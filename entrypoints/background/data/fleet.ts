import { browser } from 'wxt/browser';
import { createSerial } from '../../../lib/async.ts';
import { AppError } from '../../../lib/errors.ts';
import { type Presets, readPolicy } from '../../../lib/fleet/policy.ts';
import { closed, FREE, isServerForbidden, keyName, rules, setRules } from '../../../lib/fleet/rules.ts';
import type { ServerInput } from '../../../lib/protocol/servers.ts';
import { ensureNewChatProvider } from '../../../lib/storage/configuration/new-chat.ts';
import { putPrompt } from '../../../lib/storage/configuration/prompts.ts';
import { deleteProvider, putProvider } from '../../../lib/storage/configuration/providers.ts';
import { deleteServer, putServer } from '../../../lib/storage/configuration/servers.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import type { Managed } from '../../../lib/types/fleet.ts';
import { TOOL_TIMEOUT_MS } from '../../../lib/types/server.ts';
import { requireBaseUrl } from '../models/providers.ts';
import { requireServer } from '../servers/server-input.ts';
import { requirePrompt } from '../chat/prompts.ts';

/** Firefox refuses where no policy is; a browser may have no such storage at all. */
async function managedStorage(): Promise<object> {
  try {
    return await browser.storage.managed.get();
  } catch {
    return {}; // nobody manages it
  }
}

/**
 * The one place where the organisation's policy is read (docs/fleet.md): the rules are set from it, and what it sets up
 * becomes rows of the database, which go with it.
 */
export function createFleet(db: Database) {
  const serial = createSerial();

  /** @returns servers that went, or that may be connected no more */
  async function read(): Promise<{ gone: number[] }> {
    const value = await managedStorage();
    const { rules: given, presets } = readPolicy(value);
    setRules(Object.keys(value).length > 0 ? given : FREE, presets && keysOf(presets));
    let gone: number[] = [];
    try {
      if (presets) gone = await setUp(presets);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      setRules(closed(error.message));
    }
    const forbidden = (await db.getAll('servers')).filter(isServerForbidden).map(({ id }) => id);
    return { gone: [...gone, ...forbidden] };
  }

  /** @returns servers that went @throws AppError what is wrong with it; then nothing was written */
  async function setUp({ providers, mcpServers, prompts }: Presets): Promise<number[]> {
    const wanted = {
      providers: providers.map(({ apiKey: _key, ...each }) => ({
        ...each,
        baseUrl: requireBaseUrl(each.baseUrl),
      })),
      servers: Object.entries(mcpServers).map(([name, entry]) => requireServer(inputOf(name, entry))),
      prompts: prompts.map((prompt) => requirePrompt(prompt)),
    };
    const gone = await sync(db, await db.getAll('servers'), wanted.servers, putServer, deleteServer);
    const lost = await sync(db, await db.getAll('providers'), wanted.providers, putProvider, deleteProvider);
    await sync(db, await db.getAll('prompts'), wanted.prompts, putPrompt, (_, id) =>
      db.delete('prompts', id),
    );
    if (rules() !== FREE || lost.length > 0) await ensureNewChatProvider(db);
    return gone;
  }

  return { read: () => serial(read) };
}

const keysOf = ({ providers }: Presets): Map<string, string> =>
  new Map(
    providers.flatMap(({ name, baseUrl, apiKey }) =>
      apiKey === undefined ? [] : [[keyName(name, baseUrl), apiKey]],
    ),
  );

type Row = { id: number; managed?: Managed };

/**
 * Rows as the policy has them. One that the policy changed comes anew: what was found out about it, and allowed to it, was
 * about the one before. What the user chose of one, such as to switch it off, stays. @returns rows that went
 */
async function sync<Wanted extends { name: string }>(
  db: Database,
  rows: Row[],
  wanted: Wanted[],
  put: (db: Database, row: Wanted & { managed: Managed }) => Promise<unknown>,
  remove: (db: Database, id: number) => Promise<void>,
): Promise<number[]> {
  const texts = wanted.map((each) => JSON.stringify(each));
  const gone = rows.filter(({ managed }) => managed && !texts.includes(managed.as)).map(({ id }) => id);
  for (const id of gone) await remove(db, id);
  for (const [index, each] of wanted.entries()) {
    const as = texts[index] ?? '';
    if (!rows.some(({ managed }) => managed?.as === as))
      await put(db, { ...each, managed: { name: each.name, as } });
  }
  return gone;
}

function inputOf(name: string, entry: Presets['mcpServers'][string]): ServerInput {
  const { type, url, oauth, command, args = [], cwd, trusted = false } = entry;
  const common = { name, enabled: true, toolTimeout: TOOL_TIMEOUT_MS, trusted, oneAtATime: false };
  if (type === 'stdio' || command !== undefined)
    return { ...common, transport: 'stdio', command: command ?? '', args, ...(cwd !== undefined && { cwd }) };
  return {
    ...common,
    transport: type === 'sse' ? 'sse' : 'streamable-http',
    url: url ?? '',
    ...(oauth && { oauthClient: { id: oauth.clientId } }),
  };
}
