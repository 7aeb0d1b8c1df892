import { browser } from 'wxt/browser';
import { defineBackground } from 'wxt/utils/define-background';
import { toWire } from '../../lib/errors.ts';
import { handleCommands, listenForPanels } from '../../lib/messaging.ts';
import { createApp } from './app.ts';
import { createCommands } from './commands.ts';
import { listenForEntryPoints } from './context-menu.ts';
import { listenForAlarm } from './keep-alive.ts';

/** The composition root: registers every listener before anything is awaited, so that each of them can wake it. */
export default defineBackground(() => {
  const ready = createApp();
  handleCommands(createCommands(ready));
  listenForPanels({
    request: (port, request) => {
      ready
        .then((app) => app.watch(port, request))
        .catch((error: unknown) => port.send({ type: 'refused', error: toWire(error) }));
    },
    gone: (port) => void ready.then(({ gone }) => gone(port)).catch(report),
  });
  listenForAlarm();
  listenForEntryPoints(async (intent) => (await ready).leaveIntent(intent));
  globalThis.addEventListener(
    'online',
    () => void ready.then(({ retries }) => retries.online()).catch(report),
  );
  browser.runtime.onStartup.addListener(
    () => void ready.then(({ connections }) => connections.revive()).catch(report),
  );
});

function report(error: unknown): void {
  console.error('The worker could not start.', error);
}
