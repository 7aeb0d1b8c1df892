import { browser } from 'wxt/browser';
import { serveSync } from '../../lib/sync/serve.ts';

/** What the offscreen document does in Chromium, in a frame of Firefox's event page: the worker's bundle goes without it. */
browser.runtime.onMessage.addListener((message: unknown, sender) => {
  if (sender.id !== browser.runtime.id || typeof message !== 'object' || message === null) return undefined;
  if (!('sync' in message)) return undefined;
  serveSync(String(message.sync));
  return Promise.resolve(true);
});
