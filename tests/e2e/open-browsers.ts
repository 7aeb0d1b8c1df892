import type { BrowserContext, Page } from 'playwright-core';

/** A browser with Portside in it, and what was said in it: console lines and the worker's starts and ends, with their times. */
export type OpenBrowser = { context: BrowserContext; options: Page; log: string[] };

/** The last lines that are kept of each. */
const LINES = 1000;

/** Those that are open in this process. */
export const openBrowsers = new Set<OpenBrowser>();

/** Keeps what is said in a browser from now on. */
export function logOf(context: BrowserContext): string[] {
  const log: string[] = [];
  const say = (line: string): void => {
    log.push(`${new Date().toISOString()} ${line}`);
    if (log.length > LINES) log.shift();
  };
  context.on('console', (message) => say(`${message.type()} ${message.text()} (${message.location().url})`));
  context.on('weberror', (error) => say(`uncaught ${String(error.error())}`));
  context.on('serviceworker', (worker) => {
    say('worker started');
    worker.on('close', () => say('worker ended'));
  });
  return log;
}
