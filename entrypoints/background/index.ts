import { browser } from 'wxt/browser';
import { defineBackground } from 'wxt/utils/define-background';
import { memoizedUntilFailure } from '../../lib/async.ts';
import { handleCommands, listenForPanels } from '../../lib/messaging.ts';
import { forgetPlaces } from '../../lib/storage/chats/shown-chats.ts';
import { type App, createApp } from './app.ts';
import { createCommands } from './commands.ts';
import { leaveIntent, listenForEntryPoints } from './browser/entry-points.ts';
import { listenForAskBoxes } from './browser/ask-box.ts';
import { listenForAlarms } from './browser/keep-alive.ts';
import { listenForNotificationClicks } from './browser/notify.ts';
import { forgetGranted } from './browser/permissions.ts';
import { createPrivateTabs } from './page/private-tabs.ts';
import { listenForMarks } from './tools/tabs/acting-mark.ts';
import { databaseFault } from './data/rescue.ts';
import { LOCK_ALARM } from './data/lock.ts';
import { PURGE_ALARM } from './data/purging.ts';
import { SYNC_ALARM } from './data/sync.ts';
import { SCHEDULE_ALARM } from './schedules/schedules.ts';

/** The composition root: registers every listener before anything is awaited, so that each of them can wake it. */
export default defineBackground(() => {
  const privateTabs = createPrivateTabs();
  // Built again after a failure, whose cause may be gone by then.
  const ready = memoizedUntilFailure(() =>
    createApp(privateTabs).catch(async (error: unknown) => {
      throw await databaseFault(error);
    }),
  );
  const whenReady = (job: (app: App) => unknown): void => void ready().then(job).catch(report);
  whenReady(() => undefined);
  handleCommands(createCommands(ready));
  listenForPanels({
    request: (port, request) => {
      const told = ({ subscriptions, appTools }: App): void => {
        if (request.type === 'app_tools' || request.type === 'app_tool_answer') appTools.heard(port, request);
        else subscriptions.request(port, request);
      };
      ready().then(told).catch(port.refuse);
    },
    gone: (port) =>
      whenReady(({ subscriptions, appTools }) => {
        appTools.gone(port);
        subscriptions.gone(port);
      }),
  });
  listenForMarks((how, port) => whenReady(({ acting }) => acting[how](port)));
  listenForAlarms((name) => {
    if (name === PURGE_ALARM) whenReady(({ purge }) => purge());
    if (name === SCHEDULE_ALARM) whenReady(({ schedules }) => schedules.startDue());
    if (name === SYNC_ALARM) whenReady(({ sync }) => sync.look());
    if (name === LOCK_ALARM) whenReady(({ lock }) => lock.lock());
  });
  listenForEntryPoints(
    async (wish) => leaveIntent((await ready()).db, wish, Date.now()),
    (tab) => whenReady(({ askBox }) => askBox.open(tab)),
  );
  listenForAskBoxes(async (...said) => (await ready()).askBox.answered(...said));
  browser.runtime.onInstalled.addListener(() =>
    whenReady(({ updateMenu, connections }) => Promise.all([updateMenu(), connections.revive()])),
  );
  listenForNotificationClicks(async (...shown) => (await ready()).subscriptions.turnTo(...shown));
  browser.permissions.onAdded.addListener(() => whenReady(({ setupChanged }) => setupChanged()));
  browser.permissions.onRemoved.addListener((taken) => {
    forgetGranted();
    whenReady(({ sites }) => sites.gone(taken));
  });
  browser.storage.onChanged.addListener((_changes, area) => {
    if (area === 'managed') whenReady(({ followPolicy }) => followPolicy());
    if (area === 'sync') whenReady(({ browserSync }) => browserSync.look());
  });
  globalThis.addEventListener('online', () =>
    whenReady(({ retries, sync }) => Promise.all([retries.online(), sync.look()])),
  );
  browser.runtime.onStartup.addListener(() =>
    whenReady(({ db, connections, sync, browserSync }) =>
      Promise.all([connections.revive(), forgetPlaces(db), sync.soon(), browserSync.look()]),
    ),
  );
});

function report(error: unknown): void {
  console.error('What the browser told of was not dealt with.', error);
}
