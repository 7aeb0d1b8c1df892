import type { PanelPort } from '../../lib/messaging.ts';
import type { Intent, PanelRequest } from '../../lib/protocol.ts';
import type { RunDeps } from '../../lib/runs/deps.ts';
import { unfitTools } from '../../lib/models/wire-request.ts';
import { createRuns } from '../../lib/runs/runs.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import { putIntent } from '../../lib/storage/intents.ts';
import { createRunStore } from '../../lib/storage/run-store.ts';
import { loadNewChat } from '../../lib/storage/new-chat.ts';
import { loadSettings } from '../../lib/storage/settings.ts';
import { checkArguments } from '../../lib/tools/check-arguments.ts';
import { nearNames } from '../../lib/tools/near-names.ts';
import { createAssistants } from './assistants.ts';
import { showWaiting } from './badge.ts';
import { chatModel } from './chat-model.ts';
import { createKeepAlive } from './keep-alive.ts';
import { createModels } from './models.ts';
import { createOriginRule } from './origin-rule.ts';
import { createPanels } from './panels.ts';
import { createProviders } from './providers.ts';
import { createServers } from './servers.ts';
import { readSetup } from './setup.ts';
import { createTools } from './tools.ts';
import { wait } from './wait.ts';

export type App = Awaited<ReturnType<typeof createApp>>;

/** Builds the worker's parts on an open database and picks up the runs that an earlier worker left. */
export async function createApp() {
  const db = await openDatabase();
  const panels = createPanels();
  const origins = createOriginRule(db);
  const setup = () => readSetup(db, (id) => servers.status(id));
  const setupChanged = async () => {
    await origins.update();
    panels.sendToAll({ type: 'setup', setup: await setup() });
  };
  const keepAlive = createKeepAlive();
  const servers = createServers(db, { changed: setupChanged, send: panels.sendToAll });
  const tools = createTools(db, servers, setupChanged);
  const providers = createProviders(db, {
    changed: setupChanged,
    // A provider that lists no models works all the same.
    saved: (providerId) => void models.refresh({ providerId }).catch(() => undefined),
  });
  const models = createModels(db, { providers, origins, changed: setupChanged });
  const assistants = createAssistants(db, setupChanged);

  const prepare: RunDeps['prepare'] = async ({ conversationId }) => {
    const choice = (await db.get('conversations', conversationId)) ?? (await loadNewChat(db));
    const model = await chatModel({ db, providers, models }, choice);
    const { maxTools, maxToolShare } = await loadSettings(db);
    const toolLimit = { count: maxTools, share: maxToolShare / 100 };
    const offered = await tools.offer(conversationId);
    const unfit = unfitTools(offered.tools).map(({ toolName }) => toolName);
    return { ...model, ...offered, unfit, toolLimit };
  };
  const runs = createRuns({
    store: createRunStore(db),
    prepare,
    callTool: tools.call,
    permission: tools.permission,
    grant: tools.grant,
    definitionOf: tools.definitionOf,
    schemaOf: tools.schemaOf,
    checkArguments,
    nearNames,
    maxIterations: async () => (await loadSettings(db)).maxIterations,
    send: (conversationId, event) => {
      if (event.type === 'conversation' || event.type === 'conversation_state') panels.sendToAll(event);
      else panels.send(conversationId, event);
    },
    working: keepAlive.working,
    waiting: showWaiting,
    chatBegan: () => void setupChanged().catch(reportSetup),
    wait,
    random: Math.random,
    now: Date.now,
    newId: () => crypto.randomUUID(),
  });

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
    servers.revive().catch((error: unknown) => console.warn('The servers could not be looked after.', error));
  }

  async function leaveIntent(intent: Intent): Promise<void> {
    await putIntent(db, intent, Date.now());
    panels.sendToAll({ type: 'intent' });
  }

  await origins.update();
  await runs.resume();
  keepAlive.settle();
  return {
    db,
    keepAlive,
    panels,
    servers,
    providers,
    models,
    assistants,
    runs,
    setupChanged,
    watch,
    leaveIntent,
  };
}

function reportSetup(error: unknown): void {
  console.warn('The pages could not be told what is set up.', error);
}
