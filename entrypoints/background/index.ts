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
import { listenForNotificationClicks } from './browser/notification-click.ts';
import { forgetGranted } from './browser/permissions.ts';
import { createPrivateTabs } from './page/private-tabs.ts';
import { listenForMarks } from './tools/acting-mark.ts';
import { databaseFault } from './data/rescue.ts';
import { LOCK_ALARM } from './data/lock.ts';
import { PURGE_ALARM } from './data/purging.ts';
import { SYNC_ALARM } from './data/sync.ts';
import { SCHEDULE_ALARM } from './schedules/schedules.ts';

/** The composition root: registers every listener before anything is awaited, so that each of them can wake it. */
export default defineBackground(() => {
  const privateTabs = createPrivateTabs();
  // Built anew once what kept it from standing may be mended.
  const ready = memoizedUntilFailure(() =>
    createApp(privateTabs).catch(async (error: unknown) => {
      throw await databaseFault(error);
    }),
  );
  ready().catch(report);
  handleCommands(createCommands(ready));
  listenForPanels({
    request: (port, request) => {
      const told = ({ subscriptions, appTools }: App): void => {
        if (request.type === 'app_tools' || request.type === 'app_tool_answer') appTools.heard(port, request);
        else subscriptions.request(port, request);
      };
      ready().then(told).catch(port.refuse);
    },
    gone(port) {
      const forget = ({ subscriptions, appTools }: App): void => {
        appTools.gone(port);
        subscriptions.gone(port);
      };
      ready().then(forget).catch(report);
    },
  });
  listenForMarks(
    (how, port) =>
      void ready()
        .then(({ acting }) => acting[how](port))
        .catch(report),
  );
  listenForAlarms((name) => {
    if (name === PURGE_ALARM)
      void ready()
        .then(({ purge }) => purge())
        .catch(report);
    if (name === SCHEDULE_ALARM)
      void ready()
        .then(({ schedules }) => schedules.look())
        .catch(report);
    if (name === SYNC_ALARM)
      void ready()
        .then(({ sync }) => sync.look())
        .catch(report);
    if (name === LOCK_ALARM)
      void ready()
        .then(({ lock }) => lock.lock())
        .catch(report);
  });
  listenForEntryPoints(
    async (wish) => leaveIntent((await ready()).db, wish, Date.now()),
    (tab) =>
      void ready()
        .then(({ askBox }) => askBox.open(tab))
        .catch(report),
  );
  listenForAskBoxes(async (...said) => (await ready()).askBox.answered(...said));
  browser.runtime.onInstalled.addListener(
    () =>
      void ready()
        .then(({ updateMenu, connections }) => Promise.all([updateMenu(), connections.revive()]))
        .catch(report),
  );
  listenForNotificationClicks(async (...shown) => (await ready()).subscriptions.turnTo(...shown));
  browser.permissions.onAdded.addListener(
    () =>
      void ready()
        .then(({ setupChanged }) => setupChanged())
        .catch(report),
  );
  browser.permissions.onRemoved.addListener((taken) => {
    forgetGranted();
    void ready()
      .then(({ sites }) => sites.gone(taken))
      .catch(report);
  });
  browser.storage.onChanged.addListener((_changes, area) => {
    if (area === 'managed')
      void ready()
        .then(({ followPolicy }) => followPolicy())
        .catch(report);
    if (area === 'sync')
      void ready()
        .then(({ browserSync }) => browserSync.look())
        .catch(report);
  });
  globalThis.addEventListener(
    'online',
    () =>
      void ready()
        .then(({ retries, sync }) => Promise.all([retries.online(), sync.look()]))
        .catch(report),
  );
  browser.runtime.onStartup.addListener(
    () =>
      void ready()
        .then(({ db, connections, sync, browserSync }) =>
          Promise.all([connections.revive(), forgetPlaces(db), sync.soon(), browserSync.look()]),
        )
        .catch(report),
  );
});

function report(error: unknown): void {
  console.error('What the browser told of was not dealt with.', error);
}
