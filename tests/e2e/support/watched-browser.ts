import type { BrowserContext } from 'playwright-core';
import { type ExtensionBrowser, launchBrowser, type LaunchOptions } from '../../../scripts/browser.ts';
import { logOf, openChromium, opened } from './open-browsers.ts';

export type WatchedBrowser = ExtensionBrowser & {
  /** Console errors, CSP reports among them, of the extension's pages and worker, and what its pages left uncaught. */
  complaints: string[];
};

/** Starts a browser with the extension, whose content is kept when a test fails in which Portside is in it. */
export async function launchWatched(options: Omit<LaunchOptions, 'prepare'>): Promise<WatchedBrowser> {
  const complaints: string[] = [];
  let log: string[] = [];
  const browser = await launchBrowser({
    ...options,
    prepare: (context) => {
      log = logOf(context);
      listen(context, (complaint) => complaints.push(complaint));
    },
  });
  const content = openChromium(browser, log);
  let closing = opened(content);
  return {
    ...browser,
    complaints,
    async uninstall() {
      await closing();
      await browser.uninstall();
    },
    async install() {
      log.length = 0; // it was said in another test
      await browser.install();
      closing = opened(content);
    },
    async close() {
      await closing();
      await browser.close();
    },
  };
}

/** Console errors, which include CSP reports, and uncaught errors; from the extension's pages and its worker. */
function listen(context: BrowserContext, complain: (complaint: string) => void): void {
  context.on('console', (message) => {
    const source = message.page()?.url() ?? 'chrome-extension://';
    if (message.type() !== 'error' || !source.startsWith('chrome-extension://')) return;
    complain(`${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => complain(`${String(error.error())} (${error.page()?.url() ?? ''})`));
  // Playwright does not tell what a worker left uncaught; the worker itself can. One that has already ended is no loss.
  context.on('serviceworker', (worker) => void worker.evaluate(reportUncaught).catch(() => undefined));
}

function reportUncaught(): void {
  addEventListener('error', (event) => console.error('Uncaught', String(event.error ?? event.message)));
  addEventListener('unhandledrejection', (event) =>
    console.error('Uncaught (in promise)', String(event.reason)),
  );
}
