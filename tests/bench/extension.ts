import { appendFile, cp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import preactPlugin from '@preact/preset-vite';
import type { CDPSession, Page } from 'playwright-core';
import { build } from 'vite';
import type { Commands, Reply } from '../../lib/protocol/commands.ts';
import { type ExtensionBrowser, launchBrowser } from '../../scripts/browser.ts';
import { buildExtension } from '../../scripts/build.ts';
import { root } from '../../scripts/paths.ts';
import { command } from '../../scripts/start/extension.ts';
import { startChild } from './child.ts';

/** The built extension in a headless browser, with the pages of baselines in it, and a model server. */
export type Bench = ExtensionBrowser & {
  command: <K extends keyof Commands>(name: K, ...request: Parameters<Commands[K]>) => Promise<Reply<K>>;
  /** Opens the panel, or a page of baselines, in a tab of a panel's size. */
  open: (page: 'sidepanel.html' | 'bench/bare.html' | 'bench/empty.html') => Promise<Page>;
  /** New chats ask the model server for so many tokens. @param rate a second */
  answerWith: (tokens: number, rate: number | 'burst') => Promise<void>;
  /** The address of an answer as plain text. */
  plain: (tokens: number, rate: number | 'burst') => string;
  /** When the next answer was asked for and when it ended, in milliseconds since the epoch. */
  answered: () => Promise<{ asked: number; ended: number }>;
};

let folder: Promise<string> | undefined;

/** Works in a browser of its own, with a fresh profile, or with one that was made for it. */
export async function inBrowser<T>(work: (bench: Bench) => Promise<T>, profile?: string): Promise<T> {
  folder ??= extensionWithBaselines();
  const [server, browser] = await Promise.all([
    startChild<number>('answer-server.ts'),
    launchBrowser({ extension: await folder, headless: true, ...(profile !== undefined && { profile }) }),
  ]);
  const address = (tokens: number, rate: number | 'burst') =>
    `http://127.0.0.1:${server.said}/${tokens}/${rate}`;
  const tell: Bench['command'] = (name, ...request) => command(browser.options, name, ...request);
  let id: number | undefined;
  try {
    await tell('saveSettings', { makeTitles: false });
    return await work({
      ...browser,
      command: tell,
      async open(path) {
        const page = await browser.context.newPage();
        await page.setViewportSize({ width: 400, height: 700 });
        await page.goto(`chrome-extension://${browser.extensionId}/${path}`);
        return page;
      },
      async answerWith(tokens, rate) {
        const baseUrl = `${address(tokens, rate)}/v1`;
        const fields = { name: 'Bench', preset: 'custom', baseUrl, model: 'bench' } as const;
        ({ id } = await tell('saveProvider', { ...fields, ...(id !== undefined && { id }) }));
      },
      plain: (tokens, rate) => `${address(tokens, rate)}/plain`,
      answered: () => server.next(),
    });
  } finally {
    server.stop();
    await browser.close();
  }
}

/** Baselines are pages of the same extension: they are loaded as its own are, and may ask the same servers. */
async function extensionWithBaselines(): Promise<string> {
  const built = await buildExtension({ browser: 'chrome', granted: true });
  const copy = join(root, '.cache', 'bench-extension');
  await rm(copy, { recursive: true, force: true });
  await cp(built, copy, { recursive: true });
  const pages = join(import.meta.dirname, 'page');
  await appendFile(join(copy, 'background.js'), await readFile(join(pages, 'floor.js')));
  await build({
    configFile: false,
    logLevel: 'error',
    root: pages,
    base: './',
    plugins: [preactPlugin()],
    build: {
      outDir: join(copy, 'bench'),
      emptyOutDir: true,
      target: 'esnext',
      rolldownOptions: { input: ['empty.html', 'bare.html'].map((name) => join(pages, name)) },
    },
  });
  return copy;
}

/** Milliseconds of CPU that the page's main thread is busy with `work`. */
export async function busyWith(page: Page, work: () => Promise<unknown>): Promise<number> {
  const meter = await openMeter(page);
  const before = await meter.busy();
  await work();
  const after = await meter.busy();
  await meter.close();
  return after - before;
}

export type Meter = {
  /** Milliseconds of CPU that the main thread has used so far: what else the computer does is not in it. */
  busy: () => Promise<number>;
  /** Bytes of JavaScript objects that are in use. */
  memory: () => Promise<number>;
  close: () => Promise<void>;
};

export async function openMeter(page: Page): Promise<Meter> {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async (wanted: string): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
  };
  return {
    busy: async () => (await read('TaskDuration')) * 1000,
    async memory() {
      await session.send('HeapProfiler.collectGarbage');
      return await read('JSHeapUsedSize');
    },
    close: () => session.detach(),
  };
}

/**
 * Turns to a new chat. Neither this nor what follows looks for a role or a name, or where something is: what that costs
 * grows with the page, up to half of what drawing a long answer does, and would count as the page’s own work.
 */
export function newChat(panel: Page): Promise<void> {
  return panel.evaluate(() => document.querySelector<HTMLElement>('[aria-label="New chat"]')?.click());
}

/** Writes into the panel. */
export async function write(panel: Page, text: string): Promise<void> {
  await panel.focus('.composer textarea');
  await panel.keyboard.insertText(text);
}

/** Writes into the panel and presses Enter. */
export async function ask(panel: Page, text: string): Promise<void> {
  await write(panel, text);
  await panel.keyboard.press('Enter');
}

/** Resolves when no run is live in the panel and the last message is drawn. */
export async function idle(panel: Page): Promise<void> {
  await panel.evaluate(untilIdle);
  await painted(panel);
}

/** Runs in the page. */
async function untilIdle(): Promise<void> {
  const dock = document.querySelector('.dock');
  while (dock?.querySelector('.runbar')) {
    await new Promise<void>((changed) => {
      const observer = new MutationObserver(() => {
        observer.disconnect();
        changed();
      });
      observer.observe(dock, { subtree: true, childList: true, attributes: true });
    });
  }
}

export const painted = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => setTimeout(() => done()))));
