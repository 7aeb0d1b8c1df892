import type { BrowserContext, Page } from 'playwright-core';
import type { ReadingPage } from './rows.ts';

/** A browser with Portside in it, and what was said in it: console lines and the worker's starts and ends, with their times. */
export type OpenBrowser = { pages: () => Promise<OpenPage[]>; options: ReadingPage; log: string[] };

export type OpenPage = { url: string; picture: () => Promise<Uint8Array>; html: () => Promise<string> };

/** The last lines that are kept of each. */
const LINES = 1000;

/** Those that are open in this process. */
export const openBrowsers = new Set<OpenBrowser>();

/** Counts a browser that playwright drives among them. Returns what ends that. */
export function opened(
  { context, options }: { context: BrowserContext; options: Page },
  log: string[],
): () => void {
  const open: OpenBrowser = {
    pages: async () =>
      context.pages().map((page) => ({
        url: page.url(),
        picture: () => page.screenshot({ timeout: 5000 }),
        html: () => page.content(),
      })),
    options,
    log,
  };
  openBrowsers.add(open);
  return () => void openBrowsers.delete(open);
}

/** Lines with their times, the last ones. */
export function createLog(): { log: string[]; say: (line: string) => void } {
  const log: string[] = [];
  const say = (line: string): void => {
    log.push(`${new Date().toISOString()} ${line}`);
    if (log.length > LINES) log.shift();
  };
  return { log, say };
}

/** Keeps what is said in a browser from now on. */
export function logOf(context: BrowserContext): string[] {
  const { log, say } = createLog();
  context.on('console', (message) => say(`${message.type()} ${message.text()} (${message.location().url})`));
  context.on('weberror', (error) => say(`uncaught ${String(error.error())}`));
  context.on('serviceworker', (worker) => {
    say('worker started');
    worker.on('close', () => say('worker ended'));
  });
  return log;
}
