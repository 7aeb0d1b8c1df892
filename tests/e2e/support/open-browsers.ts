import { AsyncLocalStorage } from 'node:async_hooks';
import type { BrowserContext, Frame, Page } from 'playwright-core';
import type { ExtensionBrowser } from '../../../scripts/browser.ts';
import { type ReadingPage, readRows } from './rows.ts';

/** A browser that a test uses, and what was said in it: console lines and the worker's starts and ends, with their times. */
export type OpenBrowser = {
  pages: () => Promise<OpenPage[]>;
  /** A page of the extension, opened if there is none; absent where there is no extension. */
  reader?: () => Promise<ReadingPage>;
  log: string[];
};

/** `read`: what an expression is there. */
export type OpenPage = {
  url: string;
  picture: () => Promise<Uint8Array>;
  read: (expression: string) => Promise<string>;
};

/** What was in a browser: the files that tell it, by name. */
export type Snapshot = Record<string, string | Uint8Array>;

/** A test that runs, and what was in the browsers that it has closed. */
type RunningTest = { task: { result?: { state: string } }; closed: Snapshot[] };

/** The last lines that are kept of each. */
const LINES = 1000;
/** A page that is never drawn has no picture, and one that hangs answers nothing. */
const ANSWERS_MS = 5000;

const running = new AsyncLocalStorage<RunningTest>();

/** Those that are open in this process, and the test that opened each; undefined for one that several tests share. */
const open = new Map<OpenBrowser, RunningTest | undefined>();

/** Runs one test; browsers that it opens are its own until it ends, also while others run. */
export async function inTest(task: RunningTest['task'], run: () => Promise<void>): Promise<void> {
  const test: RunningTest = { task, closed: [] };
  await running.run(test, run);
  for (const [browser, owner] of open) if (owner === test) open.set(browser, undefined);
}

/** What is and was in the browsers of the test that runs, those that it shares among them; outside of tests, in all. */
export async function snapshots(): Promise<Snapshot[]> {
  const test = running.getStore();
  const own = [...open].filter(([, owner]) => owner === undefined || owner === test);
  return [...(test?.closed ?? []), ...(await Promise.all(own.map(([browser]) => snapshot(browser))))];
}

/**
 * Counts a browser among those whose content is kept when a test fails. Returns what to call right before it closes: a test
 * that closes its browser in its body has not been seen to fail yet.
 */
export function opened(browser: OpenBrowser): () => Promise<void> {
  open.set(browser, running.getStore());
  return async () => {
    const test = running.getStore();
    if (open.delete(browser) && test && test.task.result?.state !== 'pass')
      test.closed.push(await snapshot(browser));
  };
}

/** Counts a browser among them for as long as `work` takes; its content costs time only if that fails. */
export async function whileOpen<T>(browser: OpenBrowser, work: () => Promise<T>): Promise<T> {
  const closing = opened(browser);
  try {
    return await work();
  } catch (error) {
    await closing();
    throw error;
  } finally {
    open.delete(browser);
  }
}

/** What can't be had any more is left out: the test says what was wrong. */
async function snapshot({ pages, reader, log }: OpenBrowser): Promise<Snapshot> {
  const files: Snapshot = { 'console.txt': `${log.join('\n')}\n` };
  const add = async (name: string, content: () => Promise<string | Uint8Array>): Promise<void> => {
    const got = await orNothing(content());
    if (got !== undefined) files[name] = got;
  };
  if (reader) await add('state.json', () => readState(reader));
  const all = (await orNothing(pages())) ?? [];
  const attempts = all.flatMap(({ url, picture, read }, index) => {
    const name = `${index}-${url.split('/').at(-1)?.replace(/\W.*/, '') ?? ''}`;
    return [
      add(`${name}.png`, picture),
      add(`${name}.html`, () => read('document.documentElement.outerHTML')),
      add(`${name}.txt`, () => read('document.body.innerText')),
    ];
  });
  await Promise.all(attempts);
  return files;
}

async function readState(reader: () => Promise<ReadingPage>): Promise<string> {
  const page = await reader();
  const [conversations, runs] = await Promise.all([readRows(page, 'conversations'), readRows(page, 'runs')]);
  return JSON.stringify({ conversations, runs }, null, 2);
}

async function orNothing<T>(content: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, ANSWERS_MS, undefined)));
  return Promise.race([content.catch(() => undefined), late]).finally(() => clearTimeout(timer));
}

/** Pages that playwright drives, or frames, of which the page's picture is kept. */
export const openPages =
  (pages: () => (Page | Frame)[]): (() => Promise<OpenPage[]>) =>
  async () =>
    pages().map((each) => ({
      url: each.url(),
      picture: () => ('page' in each ? each.page() : each).screenshot({ timeout: ANSWERS_MS }),
      read: (expression) => each.evaluate(expression),
    }));

/** A browser with the extension that playwright drives. */
export function openChromium(browser: ExtensionBrowser, log: string[]): OpenBrowser {
  const { context, extensionId } = browser;
  const base = `chrome-extension://${extensionId}/`;
  return {
    pages: openPages(() => context.pages()),
    async reader() {
      const found = context.pages().find((page) => page.url().startsWith(base));
      if (found) return found;
      const page = await context.newPage();
      await page.goto(`${base}options.html`);
      return page;
    },
    log,
  };
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
