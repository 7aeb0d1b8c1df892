import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import { findChromium } from '../../../scripts/setup/programs.mjs';
import { root } from '../../../scripts/paths.ts';
import { logOf, opened, openPages } from '../support/open-browsers.ts';

const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

/** The panel's own policy. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob: https:; base-uri 'none'";

/**
 * Builds tests/e2e/markdown-page and opens it in a browser of its own; `window.markdown` is there. `complaints` are its
 * console's errors, CSP reports among them.
 */
export async function openMarkdownPage(): Promise<{
  page: Page;
  complaints: string[];
  close: () => Promise<void>;
}> {
  const outDir = join(root, '.cache', 'markdown-page');
  await build({
    configFile: false,
    logLevel: 'error',
    root: join(import.meta.dirname, 'markdown-page'),
    build: { outDir, emptyOutDir: true, target: 'esnext' },
  });
  const server = createServer((request, response) => void serve(request, response, outDir)).listen(
    0,
    '127.0.0.1',
  );
  await new Promise((listening) => server.once('listening', listening));
  const executablePath = findChromium();
  const browser = await chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: process.getuid?.() === 0 ? ['--no-sandbox', '--enable-precise-memory-info'] : [],
  });
  const page = await browser.newPage({ viewport: { width: 400, height: 800 } });
  const closing = opened({ pages: openPages(() => [page]), log: logOf(page.context()) });
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await page.waitForFunction('window.markdown !== undefined');
  return {
    page,
    complaints,
    close: async () => {
      await closing();
      await browser.close();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

async function serve(request: IncomingMessage, response: ServerResponse, folder: string): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://page');
  const file = pathname === '/' ? '/index.html' : pathname;
  const content = await readFile(join(folder, file)).catch(() => undefined);
  const type = types[extname(file)] ?? 'application/octet-stream';
  const headers = { 'content-type': type, 'content-security-policy': policy };
  if (content === undefined) response.writeHead(file === '/favicon.ico' ? 204 : 404).end();
  else response.writeHead(200, headers).end(content);
}
