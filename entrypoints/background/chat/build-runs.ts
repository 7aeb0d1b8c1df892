import { wait } from '../../../lib/async.ts';
import { createRuns } from '../../../lib/runs/runs.ts';
import { createRunStore } from '../../../lib/storage/chats/run-store.ts';
import { loadSetting } from '../../../lib/storage/configuration/settings.ts';
import { checkArguments } from '../../../lib/tools/check-arguments.ts';
import { nearNames } from '../../../lib/tools/near-names.ts';
import { showWaiting } from '../browser/badge.ts';
import { createNotify } from '../browser/notify.ts';
import type { Core } from '../core.ts';
import type { ModelParts } from '../models/build-models.ts';
import type { PageParts } from '../page/build-pages.ts';
import type { ServerParts } from '../servers/build-servers.ts';
import type { ToolParts } from '../tools/build-tools.ts';
import { createPrepare } from './prepare.ts';
import { createSearch } from './search.ts';

/** Pages are told of the next new chat only after the model was asked in this one. */
const AFTER_REQUEST_MS = 100;

export type RunParts = ReturnType<typeof buildRuns>;

export function buildRuns(core: Core & PageParts & ModelParts & ServerParts & ToolParts) {
  const { db, emit, keepAlive, panels, providers, models, connections, tools, acting, dialogs } = core;
  const search = createSearch(db, { wait, during: keepAlive.during });
  const notify = createNotify(db, panels.isSeen);
  const store = createRunStore(db);
  const runs = createRuns({
    store: {
      ...store,
      begin: async (...asked) => {
        const found = await store.begin(...asked);
        search.changed();
        return found;
      },
      write: async (entry) => {
        await store.write(entry);
        emit('runWritten')(entry);
      },
    },
    prepare: createPrepare({ db, providers, models, tools, servers: connections, now: Date.now }),
    callTool: tools.call,
    judge: tools.judge,
    repetition: tools.repetition,
    grant: tools.grant,
    forbid: tools.forbid,
    definitionOf: tools.definitionOf,
    taintOf: tools.taintOf,
    schemaOf: tools.schemaOf,
    checkArguments,
    nearNames,
    openedTabs: core.openedTabs.of,
    openPrivately: core.privateTabs.open,
    maxIterations: () => loadSetting(db, 'maxIterations'),
    publish: (conversationId, update) => {
      emit('conversation')(conversationId, update);
      return panels.isShown(conversationId);
    },
    event: (conversationId, event) => {
      acting.runEvent(conversationId, event);
      dialogs.runEvent(conversationId, event);
      void notify.runEvent(conversationId, event);
      if (event.type === 'run_end') emit('runEnded')(conversationId);
    },
    sendToAll: emit('chatList'),
    working: (id, works) => {
      keepAlive.working(id, works);
      core.retries.working(id, works);
    },
    waiting: showWaiting,
    chatBegan: () => void setTimeout(emit('configured'), AFTER_REQUEST_MS),
    answered: emit('answered'),
    wait,
    random: Math.random,
    now: Date.now,
    newId: () => crypto.randomUUID(),
  });
  return { search, notify, runs };
}
