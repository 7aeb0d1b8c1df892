import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { createServer } from 'vite';
import { expect, it } from 'vitest';
import { startDemoModel } from '../../../demo/model.ts';
import { startDemoPage } from '../../../demo/page.ts';
import { startDemoServer } from '../../../demo/server.ts';
import { LANGUAGES } from '../../../lib/types/languages.ts';
import { HINTS } from '../../../lib/types/settings.ts';
import { root } from '../../../scripts/paths.ts';
import { openPortside, type Portside } from '../support/browser.ts';
import { addServer, chatIn, decide, provider, server } from '../support/scene.ts';
import { animatedPng, type AnimationFrame } from './animated-png.ts';
import { listingPicture, type StorePicture, tilePicture } from './store-pictures.ts';

/**
 * `npm run pictures` renews the pictures of the README and the guide; a plain test run takes those of the README's first
 * test too, but leaves the checkout alone.
 */
const isRenewing = Boolean(process.env['PORTSIDE_PICTURES']);
const folder = join(root, isRenewing ? 'docs' : '.cache');

/** What the guide shows: a state of the gallery (`panel` or `settings`) for each of its pages. */
const GUIDE = {
  chats: { of: 'panel', state: 'message-actions' },
  pages: { of: 'panel', state: 'page-chip-preview' },
  acting: { of: 'panel', state: 'approval-plan' },
  servers: { of: 'settings', state: 'server-add' },
  approvals: { of: 'panel', state: 'approval-taint' },
  models: { of: 'panel', state: 'model-menu' },
  schedules: { of: 'settings', state: 'schedules' },
  memory: { of: 'panel', state: 'note' },
  projects: { of: 'settings', state: 'project' },
  skills: { of: 'panel', state: 'menu-commands' },
  history: { of: 'panel', state: 'history-drawer-hits' },
  lock: { of: 'settings', state: 'general-passphrase' },
  'local-model': { of: 'settings', state: 'model-add-gguf' },
  sync: { of: 'settings', state: 'sync-set-up' },
  fleet: { of: 'settings', state: 'permissions-fleet' },
} as const;

/** Takes it. The mouse stands nowhere, so that nothing looks as if it were pointed at. */
async function expectPicture(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  const picture = await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
  expect(picture.byteLength).toBeGreaterThan(10_000);
}

/** Copies of the chat that is there, by other names; the last one is pinned. */
async function addChats(portside: Portside, titles: string[]): Promise<void> {
  const { command } = portside;
  const { messages } = await chatIn(portside).stored();
  for (const [index, title] of titles.entries()) {
    const id = crypto.randomUUID();
    await command('forkConversation', { messageId: messages.at(-1)?.id ?? '', conversationId: id });
    await command('setConversation', { id, title, ...(index === titles.length - 1 && { pinned: true }) });
  }
}

/** @param wordDelay milliseconds between two pieces of an answer */
async function inPortside(work: (portside: Portside) => Promise<void>, wordDelay?: number): Promise<void> {
  const [model, mcp, portside] = await Promise.all([
    startDemoModel(wordDelay === undefined ? {} : { wordDelay }),
    startDemoServer(),
    openPortside(),
  ]);
  try {
    const demo = { ...provider(model.baseUrl), name: 'Demo model', model: 'portside-demo' };
    await portside.command('saveProvider', demo);
    await portside.command('saveSettings', { seenHints: [...HINTS] });
    await addServer(portside, server(mcp.url, { name: 'Everything' }));
    await mkdir(folder, { recursive: true });
    await work(portside);
  } finally {
    await portside.close();
    await Promise.all([model.stop(), mcp.stop()]);
  }
}

it('takes the README’s pictures: a call that is asked about, earlier chats, the servers', () =>
  inPortside(async (portside) => {
    const { panel, options } = portside;
    const { ask, idle } = chatIn(portside);
    await panel.setViewportSize({ width: 400, height: 700 });
    await panel.emulateMedia({ colorScheme: 'light' });
    await ask('Echo “Hello from the side panel”');
    const approval = (tool: string) => panel.getByRole('alertdialog', { name: `Approve ${tool}` });
    await decide(approval('echo'), 'Allow once');
    await idle();
    await panel.getByRole('button', { name: 'New chat' }).click();
    await ask('Add 2 and 40 with the sum tool');
    await approval('get-sum').getByRole('button', { name: 'Allow once' }).waitFor();
    await expectPicture(panel, 'approval');
    await decide(approval('get-sum'), 'Allow once');
    await panel.getByRole('article', { name: 'Assistant' }).getByText('The sum of 2 and 40 is 42.').waitFor();
    await idle();
    await addChats(portside, ['A week in Lisbon', 'Why the build is slow', 'Notes on the new API']);
    await panel.getByRole('button', { name: 'History' }).click();
    await panel.getByRole('region', { name: 'History' }).getByRole('link').nth(4).waitFor();
    await expectPicture(panel, 'history');
    await options.setViewportSize({ width: 960, height: 480 });
    await options.emulateMedia({ colorScheme: 'light' });
    await options.getByRole('link', { name: 'Servers' }).click();
    await options.getByText('Everything').first().waitFor();
    await expectPicture(options, 'servers');
  }));

// Not skipped in a plain run, which would say so each time: there is none.
it.each(isRenewing ? (['light', 'dark'] as const) : [])('makes an animation of a first chat: %s', (scheme) =>
  inPortside(async (portside) => {
    const animation = animatedPng(await film(portside, scheme));
    await writeFile(join(folder, scheme === 'dark' ? 'first-chat-dark.png' : 'first-chat.png'), animation);
    expect(animation.byteLength).toBeLessThan(600_000);
  }, 120),
);

/** A question, the approval of a call and the answer. */
async function film(portside: Portside, colorScheme: 'light' | 'dark'): Promise<AnimationFrame[]> {
  const { panel } = portside;
  const stop = panel.getByRole('button', { name: 'Stop', exact: true });
  const frames: AnimationFrame[] = [];
  const shoot = async (ms: number) => {
    await panel.mouse.move(0, 0);
    const png = await panel.screenshot({ animations: 'disabled', caret: 'hide' });
    const last = frames.at(-1);
    if (last?.png.equals(png)) last.ms += ms;
    else frames.push({ png, ms });
  };
  await panel.setViewportSize({ width: 380, height: 560 });
  await panel.emulateMedia({ colorScheme });
  const message = panel.getByRole('textbox', { name: 'Message' });
  await shoot(1000);
  for (const part of ['Add 2 ', 'and 40 ', 'with the ', 'sum tool']) {
    await message.pressSequentially(part);
    await shoot(300);
  }
  await message.press('Enter');
  const approval = panel.getByRole('alertdialog', { name: 'Approve get-sum' });
  await approval.getByRole('button', { name: 'Allow once' }).waitFor();
  await shoot(2500);
  await decide(approval, 'Allow once');
  while (await stop.isVisible()) await shoot(200);
  await shoot(3500);
  return frames;
}

it.each(isRenewing ? ['quick-questions'] : [])('takes the guide’s picture of the box over a page', (name) =>
  inPortside(async ({ command, context }) => {
    await mkdir(join(folder, 'guide'), { recursive: true });
    await command('saveSettings', { askBox: true });
    const { url, stop } = await startDemoPage();
    const page = await context.newPage();
    await page.setViewportSize({ width: 800, height: 600 });
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(url);
    const paragraph = page.getByText('Larboard and starboard, shouted into wind');
    await paragraph.selectText();
    await paragraph.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    const [worker] = context.serviceWorkers();
    const press = `chrome.tabs.query({ url: '${url}' }).then(([tab]) => chrome.commands.onCommand.dispatch('quick-ask', tab))`;
    const [box] = await Promise.all([page.waitForEvent('frameattached'), worker?.evaluate(press)]);
    await box.getByRole('button', { name: 'Explain' }).click();
    await box.getByRole('textbox', { name: 'Question' }).pressSequentially(' When did that change?');
    await expectPicture(page, `guide/${name}`);
    await stop();
  }),
);

declare const show: (name: string) => Promise<void>;

/** @param work is given an empty page of Portside's browser, and the gallery's address */
async function inGallery(work: (page: Page, address: string) => Promise<void>): Promise<void> {
  const gallery = join(root, 'entrypoints', 'gallery');
  const vite = await createServer({
    configFile: join(gallery, 'vite.config.ts'),
    cacheDir: join(root, '.cache', 'gallery-pictures'),
    logLevel: 'error',
    server: { port: 0 },
  });
  const [portside] = await Promise.all([openPortside(), vite.listen()]);
  try {
    const page = await portside.panel.context().newPage();
    await page.emulateMedia({ colorScheme: 'light' });
    await work(page, vite.resolvedUrls?.local[0] ?? '');
  } finally {
    await Promise.all([portside.close(), vite.close()]);
  }
}

it.each(isRenewing ? [GUIDE] : [])('takes the guide’s pictures from the gallery', (guide) =>
  inGallery(async (page, address) => {
    await mkdir(join(folder, 'guide'), { recursive: true });
    for (const [name, { of, state }] of Object.entries(guide)) {
      await page.setViewportSize(of === 'panel' ? { width: 400, height: 600 } : { width: 960, height: 640 });
      await page.goto(`${address}${of === 'panel' ? 'index' : 'options'}.html`);
      await page.waitForFunction(() => typeof show === 'function');
      await page.evaluate((each) => show(each), state);
      await expectPicture(page, `guide/${name}`);
    }
  }),
);

/** Those of a page: each would be a box, as one that Unicode does not know is. */
function lettersWithoutFont(): string[] {
  const drawn = (letter: string): string => {
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('2d');
    if (context) context.font = '40px system-ui';
    context?.fillText(letter, 0, 60);
    return canvas.toDataURL();
  };
  const box = drawn('\u0378');
  return [...new Set(document.body.innerText.match(/\p{L}/gu))].filter((letter) => drawn(letter) === box);
}

it.each(isRenewing ? Object.keys(LANGUAGES) : [])('takes the stores’ pictures: %s', (language) =>
  inGallery(async (page, address) => {
    const store = join(root, 'store', 'pictures');
    await mkdir(store, { recursive: true });
    const devtools = await page.context().newCDPSession(page);
    /** @param scale of what the window shows */
    const take = async (name: string, { html, width, height }: StorePicture, scales: number[]) => {
      await page.setViewportSize({ width, height });
      await page.route(`${address}store`, (route) =>
        route.fulfill({ body: html, contentType: 'text/html; charset=utf-8' }),
      );
      await page.goto(`${address}store`);
      for (const frame of page.frames().slice(1)) {
        await frame.getByRole('alertdialog').first().waitFor();
        const boxes = await frame.evaluate(lettersWithoutFont);
        expect(boxes, 'letters that no font of this computer has').toEqual([]);
        // The last one has the focus.
        await frame.locator('textarea').focus();
        await frame.addStyleTag({ content: 'textarea { caret-color: transparent }' });
      }
      for (const scale of scales) {
        const clip = { x: 0, y: 0, width, height, scale };
        const { data } = await devtools.send('Page.captureScreenshot', { clip });
        await writeFile(join(store, `${name}-${width * scale}x${height * scale}.png`), data, 'base64');
      }
      await page.unroute(`${address}store`);
    };
    await take(language, listingPicture(address, language), [1, 0.5]);
    if (language === 'en') await take('tile', tilePicture, [1]);
  }),
);
