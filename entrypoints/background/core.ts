import { browser } from 'wxt/browser';
import { createEvents } from '../../lib/events.ts';
import { announcements } from '../../lib/broadcasts.ts';
import type { ChatListEvent } from '../../lib/protocol/panel.ts';
import type { Update } from '../../lib/runs/feed.ts';
import { speakLanguage } from '../../lib/speak-language.ts';
import type { JournalEntry } from '../../lib/storage/chats/journal.ts';
import { cacheConfiguration } from '../../lib/storage/configuration/cache.ts';
import { loadSetting } from '../../lib/storage/configuration/settings.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import type { Conversation } from '../../lib/types/conversation.ts';
import type { LanguageChoice } from '../../lib/types/languages.ts';
import type { PageTab } from '../../lib/types/page.ts';
import type { ServerStatus } from '../../lib/types/server.ts';
import { createKeepAlive } from './browser/keep-alive.ts';
import { createFleet } from './data/fleet.ts';
import { restoreKey } from './data/lock.ts';
import { createOffscreen } from './page/offscreen.ts';
import { createOriginRule } from './servers/origin-rule.ts';
import { createPanels } from './subscribe/panels.ts';

/** What happens in one part of the worker and concerns others, and what is told of it. */
type WorkerEvents = {
  /** The configuration that pages show is stale. */
  configured: [];
  /** Whether any page is connected. */
  pagesOpened: [isOpen: boolean];
  /** A page has subscribed, which revives the servers. */
  pageSeen: [];
  serverStatus: [serverId: number, status: ServerStatus];
  serverConnected: [serverId: number];
  /** One can't be reached any more, or could not be when it was first tried. */
  serverLost: [];
  /** Calls that wait may be allowed now. */
  serverSaved: [];
  resourceUpdated: [serverId: number, uri: string];
  providerSaved: [providerId: number];
  /** What its subscribers get. */
  conversation: [conversationId: string, update: Update];
  /** The tabs that it opened and that are still open. */
  tabsOpened: [conversationId: string, tabs: PageTab[]];
  runWritten: [entry: JournalEntry];
  /** However it ended. */
  runEnded: [conversationId: string];
  /** A run has come to its proper end. */
  answered: [conversation: Conversation];
  chatList: [event: ChatListEvent];
  /** The user stopped what a chat does in a page. */
  stopped: [conversationId: string];
};

export type Core = Awaited<ReturnType<typeof createCore>>;

/** What all parts of the worker are built on: the open database, the organisation's policy, and how one tells the others. */
export async function createCore() {
  const [opened] = await Promise.all([openDatabase(), restoreKey(Date.now())]);
  const db = cacheConfiguration(opened);
  let spoken: LanguageChoice | undefined;
  const speak = async (): Promise<void> => {
    const choice = await loadSetting(db, 'language');
    if (choice !== spoken) await speakLanguage(choice);
    spoken = choice;
  };
  const fleet = createFleet(db);
  // A policy is told what is wrong with it, and may choose the language.
  await speak();
  await fleet.read();
  await speak();
  const events = createEvents<WorkerEvents>();
  const emit =
    <Name extends keyof WorkerEvents>(name: Name) =>
    (...told: WorkerEvents[Name]): void =>
      void events.emit(name, ...told).catch((error: unknown) => console.warn(`After ${name}:`, error));
  return {
    db,
    speak,
    fleet,
    events,
    emit,
    setupChanged: () => events.emit('configured'),
    announce: announcements.open().tell,
    keepAlive: createKeepAlive(),
    panels: createPanels(emit('pagesOpened')),
    origins: createOriginRule(db),
    offscreen: createOffscreen(),
    version: browser.runtime.getManifest().version,
    // Where the manifest has no sandboxed pages no frame lets an app's own scripts run (docs/apps.md).
    showsApps: !import.meta.env.FIREFOX,
  };
}
