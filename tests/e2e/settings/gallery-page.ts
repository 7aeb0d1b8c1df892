import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import preactPlugin from '@preact/preset-vite';
import { chromium, type Browser, type Frame, type Page } from 'playwright-core';
import { build } from 'vite';
import { allPanelStates } from '../../../entrypoints/gallery/opened-states.ts';
import { optionsStates } from '../../../entrypoints/gallery/options-states.ts';
import { root } from '../../../scripts/paths.ts';
import { findChromium } from '../../../scripts/setup/programs.mjs';
import { logOf, openPages, whileOpen } from '../support/open-browsers.ts';
import { markedLocale } from '../support/pseudo-locale.ts';

/** A state of the panel or of the settings, as the gallery names it. */
export type GalleryState = { name: string; of: 'panel' | 'settings' };

export const galleryStates: GalleryState[] = [
  ...Object.keys(allPanelStates).map((name) => ({ name, of: 'panel' as const })),
  ...Object.keys(optionsStates).map((name) => ({ name, of: 'settings' as const })),
];

export type Gallery = {
  /** Works in a page that is not shared meanwhile, whose only frame takes any width without a new size of the page. */
  inFrame: (work: (frame: Frame) => Promise<void>) => Promise<void>;
  /** Draws a state in a frame, in English, and waits until nothing more comes by itself. */
  show: (frame: Frame, state: GalleryState) => Promise<void>;
  close: () => Promise<void>;
};

declare const show: (name: string) => Promise<void>;
declare const speakIn: (language: string) => Promise<void>;

const FRAME =
  '<!doctype html><title>Gallery</title><style>body { margin: 0 } iframe { border: 0; display: block }</style><iframe></iframe>';

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
      rolldownOptions: {
        input: ['index.html', 'options.html'].map((file) => join(folder, file)),
        output: { strictExecutionOrder: true }, // granting-browser.ts comes first
      },
    },
  });
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://gallery');
    if (pathname === '/') return void response.writeHead(200, { 'content-type': 'text/html' }).end(FRAME);
    // The settings are loaded for each of their states.
    const headers = { 'content-type': types[extname(pathname)] ?? '', 'cache-control': 'max-age=3600' };
    readFile(join(outDir, pathname)).then(
      (content) => response.writeHead(200, headers).end(content),
      () => response.writeHead(pathname === '/favicon.ico' ? 204 : 404).end(),
    );
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const executablePath = findChromium();
  const browser = await chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
  const opening = Array.from({ length: count }, () => openPage(browser, origin, script));
  return {
    inFrame: pool(await Promise.all(opening)),
    async show(frame, { name, of }) {
      // The two have styles of their own; within the panel no state has to be loaded. The settings keep what is typed.
      const url = `${origin}/${of === 'panel' ? 'index' : 'options'}.html`;
      if (of === 'settings' || !frame.url().startsWith(url)) await frame.goto(url);
      await frame.evaluate((state) => speakIn('en').then(() => show(state)), name);
    },
    async close() {
      await browser.close();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await rm(outDir, { recursive: true });
    },
  };
}

type PooledPage = { page: Page; log: string[] };

async function openPage(browser: Browser, origin: string, script: string): Promise<PooledPage> {
  const viewport = { width: 1000, height: 800 };
  const context = await browser.newContext({ reducedMotion: 'reduce', colorScheme: 'light', viewport });
  await context.addInitScript(script);
  const page = await context.newPage();
  await page.goto(origin);
  return { page, log: logOf(context) };
}

/** Lends the pages, each to one at a time. */
function pool(free: PooledPage[]): Gallery['inFrame'] {
  const waiting: ((pooled: PooledPage) => void)[] = [];
  return async (work) => {
    const pooled = free.pop() ?? (await new Promise<PooledPage>((resolve) => waiting.push(resolve)));
    const { page, log } = pooled;
    log.length = 0; // it was said in another test
    const frame = frameOf(page);
    await whileOpen({ pages: openPages(() => [frame]), log }, () => work(frame)).finally(() => {
      const next = waiting.shift();
      if (next) next(pooled);
      else free.push(pooled);
    });
  };
}

function frameOf(page: Page): Frame {
  const frame = page.mainFrame().childFrames()[0];
  if (!frame) throw new Error('The page has no frame.');
  return frame;
}
