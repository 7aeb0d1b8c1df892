import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { installInProfile } from '../../../scripts/start/native-host.ts';
import { startMcpServer, type TestMcpServer } from '../../fakes/mcp-server.ts';
import { call, gate, startModelServer, stream, text, type ModelServer } from '../../fakes/model-server.ts';
import { noDesktop, openOnDesktop, type HeadedBrowser } from '../support/desktop.ts';
import { openAdvanced } from '../support/options-page.ts';

const everything = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);

/** So long a click counts in Chromium, which is 5 s. */
const GESTURE_MS = 5500;

describe.skipIf(noDesktop)(`host permissions, asked for by the browser${noDesktop}`, () => {
  let profile: string;
  let browser: HeadedBrowser;
  let model: ModelServer;
  let server: TestMcpServer;

  beforeAll(async () => {
    [model, server] = await Promise.all([startModelServer(), startMcpServer()]);
    profile = mkdtempSync(join(tmpdir(), 'portside-permissions-'));
    await installInProfile(profile);
    browser = await openOnDesktop({ granted: false, profile });
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
    await Promise.all([model?.close(), server?.close()]);
  });

  const origins = (): Promise<string[]> =>
    browser.options.evaluate('chrome.permissions.getAll().then(({ origins }) => origins)');
  const button = (name: string) => browser.options.getByRole('button', { name, exact: true });
  const field = (label: string) => browser.options.getByLabel(label, { exact: true });
  const goTo = (page: string) => browser.options.getByRole('link', { name: page, exact: true }).click();

  /** Presses Save, and "Deny". */
  async function saveAndDeny(host: string): Promise<void> {
    const refusal = browser.options.getByText(`didn’t allow access to ${host}`);
    await browser.deny(() => button('Save').click(), refusal);
    expect(await refusal.textContent()).toContain('Press Save again and choose Allow.');
  }

  const saveAndAllow = (origin: string) => browser.allow(() => button('Save').click(), origin);

  const canStartPrograms = () =>
    browser.options.evaluate('chrome.permissions.contains({ permissions: ["nativeMessaging"] })');

  it('are none at install', async () => {
    expect(await origins()).toEqual([]);
  });

  it('of a server: denied, the form stays filled and says what to do; allowed, the server connects', async () => {
    await goTo('Servers');
    await button('Add server').click();
    await field('URL').fill(server.url);
    await openAdvanced(browser.options);
    await field('Name').fill('Test server');

    await saveAndDeny(`127.0.0.1:${server.port}`);
    expect(await field('Name').inputValue()).toBe('Test server');
    expect(await field('URL').inputValue()).toBe(server.url);
    expect(await origins()).toEqual([]);
    expect(server.requests).toEqual([]);

    await saveAndAllow('http://127.0.0.1/*');
    expect(await origins()).toEqual(['http://127.0.0.1/*']);
    const row = browser.options.getByRole('list', { name: 'Servers' }).getByRole('listitem');
    await row
      .getByRole('status')
      .filter({ hasText: /^connected$/ })
      .waitFor();
    expect(await row.count()).toBe(1);
    expect(browser.complaints).toEqual([]);
  });

  it('of a provider: denied, nothing is sent; allowed, a question is answered', async () => {
    // Another host than the server's, which is granted by now.
    const baseUrl = model.url.replace('127.0.0.1', 'localhost');
    await goTo('Models');
    await button('Add provider').click();
    await button('Other address').click();
    await field('Name').fill('Test model');
    await field('Base URL').fill(baseUrl);
    await field('Model').fill('fake-model');

    await saveAndDeny(new URL(baseUrl).host);
    expect(await field('Model').inputValue()).toBe('fake-model');
    expect(await origins()).not.toContain('http://localhost/*');

    await saveAndAllow('http://localhost/*');
    await browser.options.getByRole('heading', { name: 'Test model' }).waitFor();
    expect(model.requests).toEqual([]);

    model.script(stream(text('Hello.')));
    const panel = await browser.openPanel();
    await panel.getByRole('textbox', { name: 'Message' }).fill('Say hello');
    await panel.getByRole('button', { name: 'Send' }).click();
    await panel.getByRole('article', { name: 'Assistant' }).getByText('Hello.').waitFor();
    expect(model.requests).toHaveLength(1);
    expect(browser.complaints).toEqual([]);
  });

  it('to notify: denied, the switch stays off and says what to do; allowed, it is on', async () => {
    await goTo('General');
    const notify = browser.options.getByRole('switch', { name: 'Notify me' });
    const refusal = browser.options.getByText('The browser did not let Portside notify you.');
    await browser.deny(() => notify.click(), refusal);
    expect(await notify.isChecked()).toBe(false);
    await browser.allow(() => notify.click(), 'notifications');
    await expect.poll(() => notify.isChecked()).toBe(true);
    expect(browser.complaints).toEqual([]);
  });

  it('then has a worker that lived before notify, and a click opens the panel at that chat', async () => {
    const panel = await browser.openPanel();
    const waiting = gate();
    model.script(stream([waiting], text('Said unseen.')));
    await panel.getByRole('textbox', { name: 'Message' }).fill('Say it unseen');
    await panel.getByRole('button', { name: 'Send' }).click();
    await waiting.reached;
    await panel.getByRole('button', { name: 'New chat' }).click();
    await panel.getByText('Say it unseen').first().waitFor({ state: 'detached' });
    await panel.close();
    waiting.open();
    const shown = async () =>
      Object.keys((await browser.options.evaluate('chrome.notifications.getAll()')) as object);
    await vi.waitUntil(async () => (await shown()).length === 1);

    const opened = () => browser.context.pages().find((page) => page.url().endsWith('/sidepanel.html'));
    await vi.waitUntil(
      async () => {
        if (!opened()) await browser.desktop.clickNotification(); // again, should it not be drawn yet
        return opened();
      },
      { interval: 1000 },
    );
    await opened()?.getByRole('article', { name: 'Assistant' }).getByText('Said unseen.').waitFor();
    await vi.waitUntil(async () => (await shown()).length === 0);
  });

  it('to start programs: denied, the server says what is missing; allowed, the next worker starts it', async () => {
    await goTo('Servers');
    await button('Add server').click();
    await openAdvanced(browser.options);
    await field('Transport').selectOption('stdio');
    const check = browser.options.getByRole('complementary', { name: 'Native host check' });
    await check.getByText('The browser has not allowed Portside to start programs').waitFor();
    await field('Name').fill('Local');
    await field('Command').fill(process.execPath);
    await field('Arguments').fill(`${everything}\nstdio`);
    const local = browser.options.getByRole('listitem', { name: 'Local', exact: true });
    const allow = local.getByRole('button', { name: 'Allow programs' });
    await browser.deny(() => button('Save').click(), allow);
    await local.getByText('Allow it in Settings, under Servers.').waitFor();

    await browser.allow(() => allow.click(), 'nativeMessaging');
    await local.getByText('The browser will apply this soon').waitFor();
    await browser.endWorker();
    await local.getByRole('button', { name: 'Reconnect' }).click();
    await local
      .getByRole('status')
      .filter({ hasText: /^connected$/ })
      .waitFor();

    await goTo('Permissions');
    const row = browser.options.getByRole('row').filter({ hasText: 'Programs on this computer' });
    await row.getByText('Server Local').waitFor();
    await row.getByRole('button', { name: 'Revoke' }).click();
    await row.waitFor({ state: 'detached' });
    expect(await canStartPrograms()).toBe(false);
    await goTo('Servers');
    await allow.waitFor();
    expect(browser.complaints).toEqual([]);
  });

  it('are listed with what uses them, and taken back: the server says so', async () => {
    await goTo('Permissions');
    const sites = browser.options.getByRole('table', { name: 'Sites' });
    const site = (host: string) => sites.getByRole('row').filter({ hasText: host });
    await site('http://localhost').getByText('Models of Test model').waitFor();
    await site('http://127.0.0.1').getByText('Server Test server').waitFor();
    await site('http://127.0.0.1').getByRole('button', { name: 'Revoke' }).click();
    await site('http://127.0.0.1').waitFor({ state: 'detached' });
    expect(await origins()).toEqual(['http://localhost/*']);
    await goTo('Servers');
    const row = browser.options.getByRole('listitem', { name: 'Test server', exact: true });
    await row
      .getByRole('status')
      .filter({ hasText: /^error$/ })
      .waitFor();
  });

  it('of a model, taken back: the question that lacks it has the browser allow it again, and is answered', async () => {
    await goTo('Permissions');
    const site = browser.options.getByRole('row').filter({ hasText: 'http://localhost' });
    await site.getByRole('button', { name: 'Revoke' }).click();
    await expect.poll(origins).toEqual([]);
    const panel = await browser.openPanel();
    model.script(stream(text('Hello again.')));
    await panel.getByRole('textbox', { name: 'Message' }).fill('Say it again');
    await panel.getByRole('button', { name: 'Send' }).click();
    // What was allowed before, Chromium allows again without a question.
    await panel.getByRole('alert').getByRole('button', { name: 'Allow access' }).click();
    await panel.getByRole('article', { name: 'Assistant' }).getByText('Hello again.').waitFor();
    expect(await origins()).toEqual(['http://localhost/*']);
    await panel.close();
  });

  describe('for a page, without access to its site', () => {
    let site: Server;
    let page: Page;

    beforeAll(async () => {
      const html = '<!doctype html><title>Tides</title><h1>Tides</h1><p>Tides follow the moon.</p>';
      site = createServer((_request, response) =>
        response.setHeader('content-type', 'text/html; charset=utf-8').end(html),
      ).listen(0);
      await once(site, 'listening');
      page = await browser.context.newPage();
    });
    /** Each host is a site of its own: what a gesture gave ends where the tab goes to another one. */
    async function visit(host: string): Promise<void> {
      await page.goto(`http://${host}:${(site.address() as AddressInfo).port}/`);
      await page.bringToFront();
    }
    afterAll(async () => {
      await page.close();
      site.closeAllConnections();
      site.close();
    });
    const panelShown = () =>
      vi.waitUntil(() => browser.context.pages().find((each) => each.url().endsWith('/sidepanel.html')));
    const closePanels = async () => {
      for (const each of browser.context.pages())
        if (each.url().endsWith('/sidepanel.html')) await each.close();
      await page.waitForFunction('innerWidth > outerWidth - 100');
    };
    const knowsTabs = () =>
      browser.options.evaluate('chrome.permissions.contains({ permissions: ["tabs"] })');
    const sent = () => model.requests.map(({ body }) => String(body.messages.at(-1)?.content));
    /** What was asked in these words, with the page. */
    const asked = (words: string) =>
      vi.waitUntil(() =>
        sent().find((each) => each.includes(words) && each.includes('Tides follow the moon.')),
      );

    it('is given by the gesture of the context menu, of the keyboard and of the toolbar button', async () => {
      model.otherwise(stream(text('So I read.')));
      await visit('127.0.0.2');
      await closePanels();
      await browser.desktop.pickFromContextMenu(page.getByText('Tides follow the moon.'), 1, 2);
      await asked('Summarise this.');

      await visit('127.0.0.3');
      await closePanels();
      await browser.desktop.press('alt+shift+g');
      await asked('What is this page about?');

      await visit('127.0.0.4');
      await closePanels();
      await browser.pressToolbarButton();
      const panel = await panelShown();
      await panel.getByRole('button', { name: 'Attach' }).click();
      await panel.getByRole('option', { name: /^This page/ }).click();
      await panel.getByRole('textbox', { name: 'Message' }).fill('Read it once more.');
      await panel.locator('form').getByRole('button', { name: 'tokens' }).waitFor();
      await panel.getByRole('button', { name: 'Send' }).click();
      await asked('Read it once more.');
      expect(await origins()).toEqual(['http://localhost/*']);
    });

    it('is asked for by a starter of a new chat, which then goes on by itself', async () => {
      await visit('127.0.0.5');
      await closePanels();
      const panel = await browser.openPanel();
      await panel.getByRole('button', { name: 'New chat' }).click();
      await panel.getByRole('button', { name: 'Key points' }).click();
      const card = panel.getByRole('group', { name: /^Let Portside read/ });
      await card.waitFor();
      expect(sent().filter((each) => each.includes('List the key points'))).toEqual([]);
      await browser.pressToolbarButton();
      await asked('List the key points');
    });

    it('is given to the page in front by the toolbar button: what waited for it goes on by itself', async () => {
      await closePanels();
      const panel = await browser.openPanel();
      await visit('127.0.0.6');
      await panel.getByRole('button', { name: 'Attach' }).click();
      await panel.getByRole('option', { name: /^This page/ }).click();
      await panel.getByRole('group', { name: /^Let Portside read/ }).waitFor();
      await browser.pressToolbarButton();
      await panel.locator('form').getByRole('button', { name: 'tokens' }).waitFor();
      await panel.getByRole('button', { name: 'New chat' }).click();

      await visit('127.0.0.7');
      model.script(
        stream(call({ id: 'c1', name: 'read_page', arguments: '{}' })),
        stream(text('I can’t read it.')),
        stream(text('Now it is read.')),
      );
      await panel.getByRole('textbox', { name: 'Message' }).fill('What does it say?');
      await panel.getByRole('button', { name: 'Send' }).click();
      await panel.getByText('I can’t read it.').waitFor();
      await panel.getByRole('button', { name: 'All sites' }).waitFor();
      await page.bringToFront();
      await browser.pressToolbarButton();
      await panel.getByText('Now it is read.').waitFor();
      await panel.getByRole('button', { name: 'New chat' }).click();
      expect(await origins()).toEqual(['http://localhost/*']);
    });

    it('of a site whose address the browser hides: denied, the card stays; allowed, the question is answered', async () => {
      await closePanels();
      const panel = await browser.openPanel();
      await visit('127.0.0.8');
      await panel.getByRole('button', { name: 'Key points', exact: true }).click();
      const card = panel.getByRole('group', { name: /^Let Portside read/ });
      const thisSite = card.getByRole('button').first();
      expect(await thisSite.textContent()).toBe('This site');
      expect(await thisSite.getAttribute('class')).toContain('primary');
      const before = sent().length;

      await browser.deny(() => thisSite.click(), card.getByText('Your browser didn’t allow access.'));
      expect(await thisSite.textContent()).toBe('This site');
      expect(await origins()).toEqual(['http://localhost/*']);
      expect(sent()).toHaveLength(before);

      model.script(stream(text('Tides follow it.')));
      // Who reads the first question longer than a click counts has to press once more for the second one; where the click
      // was counted late, both come.
      const again = card.getByText('Press This site again: your browser will ask about 127.0.0.8');
      const host = 'http://127.0.0.8/*';
      await browser.allow(
        () => thisSite.click(),
        async () => (await again.isVisible()) || (await origins()).includes(host),
        { after: GESTURE_MS },
      );
      expect(await knowsTabs()).toBe(false);
      if (!(await origins()).includes(host)) await browser.allow(() => thisSite.click(), host);
      await panel.getByText('Tides follow it.').waitFor();
      expect(sent().findLast((each) => each.includes('List the key points'))).toContain(
        'Tides follow the moon.',
      );
      expect(await origins()).toContain('http://127.0.0.8/*');
      await panel.getByRole('button', { name: 'New chat' }).click();
    });

    it('of another site is asked for once, at the call that lacked it; then the model goes on', async () => {
      await closePanels();
      const panel = await browser.openPanel();
      await visit('127.0.0.9');
      model.script(
        stream(call({ id: 'c1', name: 'read_page', arguments: '{}' })),
        stream(text('Not yet.')),
        stream(text('It is read now.')),
      );
      await panel.getByRole('textbox', { name: 'Message' }).fill('What is this site about?');
      await panel.getByRole('button', { name: 'Send' }).click();
      await panel.getByText('Not yet.').waitFor();
      await browser.allow(
        () => panel.getByRole('button', { name: /^This site/ }).click(),
        'http://127.0.0.9/*',
      );
      await panel.getByText('It is read now.').waitFor();
      expect(await origins()).toContain('http://127.0.0.9/*');
      expect(await knowsTabs()).toBe(false);
      await panel.getByRole('button', { name: 'New chat' }).click();
    });

    it('a tool’s call says so, with what gives it in plain sight; allowed there, the model goes on', async () => {
      await closePanels();
      const panel = await browser.openPanel();
      await visit('127.0.0.5');
      model.script(
        stream(call({ id: 'c1', name: 'read_page', arguments: '{}' })),
        stream(text('I may not.')),
        stream(text('It is about tides.')),
      );
      await panel.getByRole('textbox', { name: 'Message' }).fill('What is it about?');
      await panel.getByRole('button', { name: 'Send' }).click();
      await panel.getByText('I may not.').waitFor();
      await panel.getByRole('button', { name: /^Used read_page\b/, expanded: false }).waitFor();
      await browser.allow(() => panel.getByRole('button', { name: 'All sites' }).click(), '<all_urls>');
      await panel.getByText('It is about tides.').waitFor();
      expect(sent().findLast((each) => each.includes('"Tides"'))).toContain('Tides follow the moon.');
      await browser.options.evaluate('chrome.permissions.remove({ origins: ["<all_urls>"] })');
      expect(await origins()).toEqual([]); // those of single sites go with it
    });
  });
});

describe.skipIf(noDesktop)(`in a fresh profile${noDesktop}`, () => {
  let browser: HeadedBrowser;
  let model: ModelServer;
  let server: TestMcpServer;

  beforeAll(async () => {
    [model, server] = await Promise.all([startModelServer(), startMcpServer()]);
    browser = await openOnDesktop({ granted: false });
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all([model?.close(), server?.close()]);
  });

  it('gives its first tool’s result five clicks after the panel, by its host alone', async () => {
    const { options } = browser;
    const field = (label: string) => options.getByLabel(label, { exact: true });
    await options.evaluate("location.hash = '#models/add/custom'");
    await field('Name').fill('Test model');
    await field('Base URL').fill(model.url);
    await field('Model').fill('fake-model');
    const save = options.getByRole('button', { name: 'Save', exact: true });
    await browser.allow(() => save.click(), 'http://127.0.0.1/*');
    await options.getByRole('heading', { name: 'Test model' }).waitFor();

    // Another host than the model's, which is granted by now.
    const address = `localhost:${server.port}`;
    await options.evaluate((copied) => navigator.clipboard.writeText(copied), address);
    // Each click, each "Allow" in the browser's own question, and each Enter that submits.
    let clicks = 0;
    const counted = async (act: Promise<unknown>) => {
      clicks += 1;
      await act;
    };
    const panel = await browser.openPanel();
    await counted(panel.getByRole('button', { name: 'Connect a server' }).click());
    const url = panel.getByRole('textbox', { name: 'URL' });
    await vi.waitUntil(() => url.evaluate((element) => element === document.activeElement));
    clicks += 1; // "Allow"
    const paste = async (): Promise<void> => {
      await url.fill(''); // What was refused stays there.
      await url.press('Control+v');
    };
    await browser.allow(paste, 'http://localhost/*');
    await panel.getByText('10 tools from 1 server ready to use').waitFor();

    model.script(
      stream(call({ id: 'c1', name: 'mcp__1__echo', arguments: '{"message":"ahoy"}' })),
      stream(text('It said so.')),
    );
    const message = panel.getByRole('textbox', { name: 'Message' });
    await counted(message.click()); // The browser's own question leaves the keyboard with the page.
    await message.pressSequentially('Say ahoy');
    await counted(message.press('Enter'));
    const allowOnce = panel.getByRole('button', { name: 'Allow once' });
    await allowOnce.waitFor();
    await setTimeout(600); // It takes no press sooner.
    await counted(allowOnce.click());
    await panel.getByText('It said so.').waitFor();
    expect(model.requests.at(-1)?.body.messages.at(-1)?.content).toContain('ahoy');
    expect(clicks).toBeLessThanOrEqual(5);
    expect(browser.complaints).toEqual([]);
  });

  it('answers about the page in front after a starter, "This site" and the two questions of the browser', async () => {
    const html = '<!doctype html><title>Tides</title><p>Tides follow the moon.</p>';
    const site = createServer((_request, response) => response.end(html)).listen(0);
    onTestFinished(() => void site.close().closeAllConnections());
    await once(site, 'listening');
    const page = await browser.context.newPage();
    await page.goto(`http://127.0.0.2:${(site.address() as AddressInfo).port}/`);
    const panel = await browser.openPanel();
    await panel.getByRole('button', { name: 'New chat' }).click();
    model.script(stream(text('The moon pulls.')));
    await panel.getByRole('button', { name: 'Key points', exact: true }).click();
    const thisSite = panel.getByRole('button', { name: /^This site/ });
    await browser.allow(() => thisSite.click(), 'http://127.0.0.2/*', { dialogs: 2 });
    await panel.getByText('The moon pulls.').waitFor();
    expect(model.requests.at(-1)?.body.messages.at(-1)?.content).toContain('Tides follow the moon.');
    expect(browser.complaints).toEqual([]);
  });
});
