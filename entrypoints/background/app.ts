import { createRuns } from '../../lib/runs/runs.ts';
import type { PanelPort } from '../../lib/messaging.ts';
import type { Intent, PanelRequest, Setup } from '../../lib/protocol.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import { putIntent } from '../../lib/storage/intents.ts';
import { listTools } from '../../lib/storage/tools.ts';
import { createRunStore } from '../../lib/storage/run-store.ts';
import { loadDefaultProvider, loadSettings } from '../../lib/storage/settings.ts';
import { createKeepAlive } from './keep-alive.ts';
import { createPanels } from './panels.ts';
import { createProviders } from './providers.ts';
import { createServers } from './servers.ts';
import { createTools } from './tools.ts';

export type App = Awaited<ReturnType<typeof createApp>>;

/** Builds the worker's parts on an open database and picks up the runs that an earlier worker left. */
export async function createApp() {
  const db = await openDatabase();
  const panels = createPanels();
  const setupChanged = async () => panels.sendToAll({ type: 'setup', setup: await setup() });
  const keepAlive = createKeepAlive();
  const servers = createServers(db, { changed: setupChanged, send: panels.sendToAll });
  const tools = createTools(db, servers);
  const providers = createProviders(db, setupChanged);
  const runs = createRuns({
    store: createRunStore(db),
    prepare: async ({ conversationId }) => {
      const model = await providers.modelFor(conversationId);
      return { model, ...(await tools.offer()) };
    },
    callTool: tools.call,
    permission: tools.permission,
    maxIterations: async () => (await loadSettings(db)).maxIterations,
    defaultProvider: () => loadDefaultProvider(db),
    send: (conversationId, event) => {
      if (event.type === 'conversation') panels.sendToAll(event);
      else panels.send(conversationId, event);
    },
    working: keepAlive.working,
    now: Date.now,
    newId: () => crypto.randomUUID(),
  });

  async function setup(): Promise<Setup> {
    const [rows, toolRows, providerRows, settings, defaultProviderId] = await Promise.all([
      db.getAll('servers'),
      listTools(db),
      db.getAll('providers'),
      loadSettings(db),
      loadDefaultProvider(db),
    ]);
    const statuses = Object.fromEntries(rows.map(({ id }) => [id, servers.status(id)]));
    return { servers: rows, statuses, tools: toolRows, providers: providerRows, defaultProviderId, settings };
  }

  const watching = new WeakMap<PanelPort, Promise<void>>();

  /** What a page asks to watch, one request after the other, so that the last one it made holds. */
  function watch(port: PanelPort, request: PanelRequest): Promise<void> {
    const result = (watching.get(port) ?? Promise.resolve()).then(() => show(port, request));
    const settled = result.catch(() => undefined); // whoever asked is told
    watching.set(port, settled);
    return result;
  }

  /** A page has connected, or watches something else now. Seeing a page revives the servers. */
  async function show(port: PanelPort, request: PanelRequest): Promise<void> {
    panels.watch(port, null);
    port.send({ type: 'setup', setup: await setup() });
    if (request.type === 'watch') {
      await runs.snapshot(request.conversationId, (snapshot) => {
        panels.watch(port, snapshot.conversation?.id ?? request.conversationId);
        port.send({ type: 'snapshot', snapshot });
      });
    }
    void servers.revive();
  }

  async function leaveIntent(intent: Intent): Promise<void> {
    await putIntent(db, intent, Date.now());
    panels.sendToAll({ type: 'intent' });
  }

  await runs.resume();
  keepAlive.settle();
  return { db, panels, servers, providers, runs, setupChanged, watch, leaveIntent };
}
