import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import preactPlugin from '@preact/preset-vite';
import { chromium, type Browser, type Page } from 'playwright-core';
import { build } from 'vite';
import { allPanelStates } from '../../entrypoints/gallery/opened-states.ts';
import { optionsStates } from '../../entrypoints/gallery/options-states.ts';
import { root } from '../../scripts/paths.ts';
import { findChromium } from '../../scripts/setup/programs.mjs';
import { logOf, openPages, whileOpen } from './open-browsers.ts';
import { markedLocale } from './pseudo-locale.ts';

/** A state of the panel or of the settings, as the gallery names it. */
export type GalleryState = { name: string; of: 'panel' | 'settings' };

export const galleryStates: GalleryState[] = [
  ...Object.keys(allPanelStates).map((name) => ({ name, of: 'panel' as const })),
  ...Object.keys(optionsStates).map((name) => ({ name, of: 'settings' as const })),
];

export type Gallery = {
  /** Works in a page that is not shared meanwhile. */
  inPage: (work: (page: Page) => Promise<void>) => Promise<void>;
  /** Draws a state in a page, in English, and waits until nothing more comes by itself. */
  show: (page: Page, state: GalleryState) => Promise<void>;
  /** Says what is drawn in another language, by its BCP 47 tag. */
  speakIn: (page: Page, language: string) => Promise<void>;
  close: () => Promise<void>;
};

declare const show: (name: string) => Promise<void>;
declare const speakIn: (language: string) => Promise<void>;

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/**
 * Builds the gallery, with marks around what is in locales/, and opens a browser of its own.
 * @param count of the pages in which states are looked at side by side
 * @param script runs in each of them before anything else
 */
export async function openGallery(count = 1, script = ''): Promise<Gallery> {
  const folder = join(root, 'entrypoints', 'gallery');
  // Two of them may be open at a time.
  const outDir = join(root, '.cache', 'gallery', String(process.pid));
  await build({
    configFile: false,
    logLevel: 'error',
    root: folder,
    plugins: [markedLocale, preactPlugin()],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'esnext',
      rolldownOptions: { input: ['index.html', 'options.html'].map((file) => join(folder, file)) },
    },
  });
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://gallery');
    const file = pathname === '/' ? '/index.html' : pathname;
    readFile(join(outDir, file)).then(
      (content) => response.writeHead(200, { 'content-type': types[extname(file)] ?? '' }).end(content),
      () => response.writeHead(file === '/favicon.ico' ? 204 : 404).end(),
    );
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const executablePath = findChromium();
  const browser = await chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
  const opening = Array.from({ length: count }, () => openPage(browser, script));
  return {
    inPage: pool(await Promise.all(opening)),
    async show(page, { name, of }) {
      // The two have styles of their own; within the panel no state has to be loaded. The settings keep what is typed.
      const url = `${origin}/${of === 'panel' ? 'index' : 'options'}.html`;
      if (of === 'settings' || !page.url().startsWith(url)) await page.goto(url);
      await page.evaluate(() => speakIn('en'));
      await page.evaluate((state) => show(state), name);
    },
    speakIn: (page, language) => page.evaluate((chosen) => speakIn(chosen), language),
    async close() {
      await browser.close();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await rm(outDir, { recursive: true });
    },
  };
}

type PooledPage = { page: Page; log: string[] };

async function openPage(browser: Browser, script: string): Promise<PooledPage> {
  const context = await browser.newContext({ reducedMotion: 'reduce', colorScheme: 'light' });
  await context.addInitScript(script);
  return { page: await context.newPage(), log: logOf(context) };
}

/** Lends the pages, each to one at a time. */
function pool(free: PooledPage[]): Gallery['inPage'] {
  const waiting: ((pooled: PooledPage) => void)[] = [];
  return async (work) => {
    const pooled = free.pop() ?? (await new Promise<PooledPage>((resolve) => waiting.push(resolve)));
    const { page, log } = pooled;
    log.length = 0; // it was said in another test
    await whileOpen({ pages: openPages(() => [page]), log }, () => work(page)).finally(() => {
      const next = waiting.shift();
      if (next) next(pooled);
      else free.push(pooled);
    });
  };
}
