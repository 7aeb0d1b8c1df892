import { createPanels } from '../../entrypoints/background/subscribe/panels.ts';
import { createSetupFeed } from '../../entrypoints/background/subscribe/setup-feed.ts';
import { createShownChats } from '../../entrypoints/background/chat/shown-chats.ts';
import { createSubscriptions } from '../../entrypoints/background/subscribe/subscriptions.ts';
import type { CommandHandlers, PanelPort } from '../../lib/messaging.ts';
import type { Announcement, PanelRequest } from '../../lib/protocol/panel.ts';
import type { Setup } from '../../lib/protocol/setup.ts';
import { createRuns } from '../../lib/runs/runs.ts';
import type { Database } from '../../lib/storage/schema.ts';
import { nextIntent } from '../../lib/storage/chats/intents.ts';
import { createRunStore } from '../../lib/storage/chats/run-store.ts';
import { saveDraft } from '../../lib/storage/chats/journal.ts';
import type { StreamModel } from '../../lib/types/model.ts';
import type { CallTool } from '../../lib/types/tools/call-tool.ts';
import { offered } from '../fakes/rows.ts';
import { prepared } from '../fakes/scripted-model.ts';

/** One life of the worker, put together as entrypoints/background/app.ts does, as far as panels show it. */
export type Life = {
  isAlive: boolean;
  /** What has an alarm wake the next life (entrypoints/background/browser/keep-alive.ts). */
  working: Set<string>;
  ready: Promise<void>;
  request: (port: PanelPort, request: PanelRequest) => void;
  gone: (port: PanelPort) => void;
  commands: Partial<CommandHandlers>;
  runs: ReturnType<typeof createRuns>;
};

export type LifeSeams = {
  db: Database;
  /** One use of the database: it may be slow or blocked, and a life that has ended gets no answer. */
  io: <T>(work: () => Promise<T>) => Promise<T>;
  model: StreamModel;
  callTool: CallTool;
  announce: (announcement: Announcement) => void;
  now: () => number;
  newId: () => string;
};

const setup = { servers: [], statuses: {}, tools: [], providers: [], prompts: [] } as unknown as Setup;

export function startLife({ db, io, model, callTool, announce, now, newId }: LifeSeams): Life {
  const epoch = newId();
  const panels = createPanels(() => {});
  const setupFeed = createSetupFeed({
    epoch,
    read: () => io(async () => setup),
    status: () => ({ state: 'connected', toolCount: 0 }),
    send: panels.sendToAll,
    announce,
  });
  const working = new Set<string>();
  const tools = [offered('look', { readOnlyHint: true, openWorldHint: false })];
  const runs = createRuns({
    store: slow(createRunStore(db), io),
    prepare: async () => ({ ...prepared(model, tools), missing: [], unfit: [] }),
    callTool,
    judge: async () => ({ permission: 'allow' }),
    repetition: async () => 'allow',
    grant: async () => {},
    forbid: async () => {},
    taintOf: async () => undefined,
    openedTabs: async () => [],
    openPrivately: async () => {},
    definitionOf: async () => undefined,
    schemaOf: async () => undefined,
    checkArguments: () => undefined,
    nearNames: () => [],
    maxIterations: async () => 10,
    publish: (...told) => subscriptions.publish(...told),
    event: () => {},
    sendToAll: (event) => subscriptions.sendToAll(event),
    working: (id, works) => void (works ? working.add(id) : working.delete(id)),
    waiting: () => {},
    chatBegan: () => {},
    answered: () => {},
    wait: async () => {},
    random: () => 0.5,
    now,
    newId,
  });
  const subscriptions = createSubscriptions({
    epoch,
    panels,
    runs,
    shown: slow(createShownChats(db, runs.isStarting), io),
    setup: setupFeed,
    announce,
    looked: () => {},
    seen: () => {},
  });
  return {
    isAlive: true,
    working,
    ready: runs.resume(),
    request: subscriptions.request,
    gone: subscriptions.gone,
    runs,
    commands: {
      startRun: (request) => {
        subscriptions.choose(request.place, request.conversationId);
        return runs.start(request);
      },
      stopRun: (request) => runs.stop(request),
      saveDraft: (draft) => io(() => saveDraft(db, draft)),
      nextIntent: ({ windowId }) => io(() => nextIntent(db, windowId, now())),
    },
  };
}

/** The same functions, each call of which is one use of the database. */
function slow<T extends object>(store: T, io: LifeSeams['io']): T {
  const slowed = Object.entries(store).map(
    ([name, work]: [string, (...given: unknown[]) => Promise<unknown>]) => [
      name,
      (...given: unknown[]) => io(() => work(...given)),
    ],
  );
  return Object.fromEntries(slowed) as T;
}
