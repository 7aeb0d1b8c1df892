import { coalesced } from '../../lib/async.ts';
import { buildAssistants } from './chat/build-assistants.ts';
import { buildChats } from './chat/build-chats.ts';
import { buildRuns } from './chat/build-runs.ts';
import { createCore } from './core.ts';
import { buildData } from './data/build-data.ts';
import { buildModels } from './models/build-models.ts';
import { buildPages } from './page/build-pages.ts';
import type { PrivateTabs } from './page/private-tabs.ts';
import { buildServers } from './servers/build-servers.ts';
import { buildSubscriptions } from './subscribe/build-subscriptions.ts';
import { buildTools } from './tools/build-tools.ts';

export type App = Awaited<ReturnType<typeof buildParts>>;

/** Builds the worker's parts on an open database and picks up the runs that an earlier worker left. */
export async function createApp(privateTabs: PrivateTabs): Promise<App> {
  const app = await buildParts(privateTabs);
  connectEvents(app);
  await begin(app);
  return app;
}

/** Each builder is given what those before it built; what concerns an earlier part is told by an event. */
async function buildParts(privateTabs: PrivateTabs) {
  const core = await createCore();
  const pages = { ...core, ...buildPages(core, privateTabs) };
  const models = { ...pages, ...buildModels(pages) };
  const servers = { ...models, ...buildServers(models) };
  const tools = { ...servers, ...buildTools(servers) };
  const assistants = { ...tools, ...buildAssistants(tools) };
  const runs = { ...assistants, ...buildRuns(assistants) };
  const subscriptions = { ...runs, ...buildSubscriptions(runs) };
  const chats = { ...subscriptions, ...buildChats(subscriptions) };
  return { ...chats, ...buildData(chats) };
}

/** What the parts do when something happens in an earlier one. */
function connectEvents(app: App): void {
  const { events, serverAttachments, browserSync, connections, notify, retries, runs, search, setup } = app;
  const tellSetup = coalesced(async () => {
    await app.origins.update();
    await setup.changed();
  });
  events.on('configured', tellSetup);
  events.on(
    'configured',
    () => void browserSync.look().catch((error: unknown) => console.warn('Settings:', error)),
  );
  events.on('pagesOpened', retries.watched);
  events.on('pageSeen', () => connections.revive('page'));
  events.on('serverStatus', setup.statusChanged);
  events.on('serverConnected', serverAttachments.connected);
  events.on('serverLost', retries.lost);
  events.on('serverSaved', runs.reconsider);
  events.on('resourceUpdated', serverAttachments.updated);
  // A provider that lists no models works all the same.
  events.on('providerSaved', (providerId) => app.models.refresh({ providerId }).catch(() => undefined));
  events.on('conversation', app.subscriptions.publish);
  events.on('tabsOpened', runs.opened);
  events.on('runWritten', search.changed);
  events.on('runWritten', ({ calls }) => calls?.length && app.toolLog.trim());
  events.on('runWritten', ({ attached, returned }) => {
    if (attached?.length || returned?.length) return serverAttachments.watch();
  });
  events.on('answered', app.titles.answered);
  events.on('runEnded', app.schedules.onRunEnded);
  events.on('runEnded', app.sync.soon);
  events.on('stopped', (conversationId) => runs.stop({ conversationId }));
  events.on('chatList', (event) => {
    app.subscriptions.sendToAll(event);
    if (event.type !== 'conversations_gone') return;
    event.ids.forEach(runs.changed);
    void notify.gone(event.ids);
  });
}

async function begin(app: App): Promise<void> {
  await Promise.all([app.origins.update(), app.tools.syncOwn()]);
  await app.runs.resume();
  Promise.all([app.openedTabs.settle(), app.privateTabs.settle()]).catch((error: unknown) =>
    console.warn('Tabs that chats or servers opened are not followed.', error),
  );
  app.keepAlive.settle();
  app.purge();
  app.schedules.startDue().catch((error: unknown) => console.warn('No schedule was started.', error));
  app.search.begin();
  app.ownCalls.settle().catch((error: unknown) => console.warn('The tool log was not put in order.', error));
}
