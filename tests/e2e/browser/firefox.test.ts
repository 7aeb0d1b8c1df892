import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Commands, Reply } from '../../../lib/protocol/commands.ts';
import type { Attachment } from '../../../lib/types/attachment.ts';
import type { PagePart } from '../../../lib/types/page.ts';
import { root } from '../../../scripts/paths.ts';
import { findFirefox } from '../../../scripts/setup/programs.mjs';
import { startMcpServer, type TestMcpServer } from '../../fakes/mcp-server.ts';
import { call, gate, startModelServer, stream, text, type ModelServer } from '../../fakes/model-server.ts';
import { startWebdav } from '../../fakes/stores.ts';
import { docx, paragraph, pdf } from '../../files/made.ts';
import { openFirefox, type FirefoxWithExtension } from '../support/firefox.ts';
import { readRows } from '../support/rows.ts';
import { openHome, type NativeHome } from '../support/native-home.ts';
import { startSite } from '../pages/page-site.ts';
import { provider, server } from '../support/scene.ts';

const skipped = findFirefox()
  ? ''
  : ' (skipped: there is no Firefox; install firefox-esr or set PORTSIDE_FIREFOX)';
if (skipped !== '') console.warn(`Tests in Firefox cannot run${skipped}.`);

describe.skipIf(skipped)(`in Firefox${skipped}`, () => {
  let firefox: FirefoxWithExtension;
  let model: ModelServer;
  let mcp: TestMcpServer;
  let person: NativeHome;

  beforeAll(async () => {
    person = await openHome('.mozilla/firefox');
    [model, mcp, firefox] = await Promise.all([startModelServer(), startMcpServer(), openFirefox()]);
  });
  afterAll(async () => {
    await Promise.all([firefox?.close(), model?.close(), mcp?.close()]);
    person.remove();
  });

  it('starts: nothing that only Chromium has is missing', async () => {
    const options = await firefox.open('options.html');
    expect(await send(options, 'listConversations', {})).toMatchObject({ conversations: [] });
    expect(firefox.complaints).toEqual([]);
  });

  it('syncs chats in a document of its event page', async () => {
    const store = await startWebdav();
    onTestFinished(store.close);
    const options = await firefox.open('options.html');
    const { place, password } = store;
    const passphrase = 'correct horse battery';
    expect(await send(options, 'setUpSync', { place, password, passphrase })).toEqual({});
    const chat = { title: 'Kept twice', messages: [{ role: 'user', content: 'Hello' }] };
    const { outcomes } = await send(options, 'importChats', { chats: [chat] });
    await send(options, 'syncNow'); // the first one may be under way
    await send(options, 'syncNow');
    expect((await store.files()).length).toBe(2);
    await send(options, 'removeSync');
    const ids = outcomes.flatMap((outcome) => ('conversationId' in outcome ? outcome.conversationId : []));
    await send(options, 'deleteConversations', { ids });
  });

  it('reads a page as its article, and what is selected in it', async () => {
    const site = await startSite();
    onTestFinished(() => site.close());
    const page = await firefox.visit(`${site.url}/article`);
    const options = await firefox.open('options.html');
    const tabs = await send(options, 'listTabs');
    const tabId = tabs.find(({ url }) => url === `${site.url}/article`)?.id ?? -1;
    const read = async (part: PagePart): Promise<string> => {
      const { id } = (await send(options, 'attachPage', { conversationId: 'c1', part, tabId })) as {
        id: string;
      };
      return (await send(options, 'previewAttachment', { id }))?.text ?? '';
    };
    const words = await read('page');
    expect(words).toContain('# The keeper’s log');
    expect(words).toContain('| Monday | 3 |');
    expect(words).not.toContain('Subscribe now');
    await page.evaluate("getSelection().selectAllChildren(document.querySelector('h2'))");
    expect(await read('selection')).toContain('Ships');
    expect(firefox.complaints).toEqual([]);
  });

  it('reads a PDF and a DOCX that are attached', async () => {
    const panel = await firefox.open('sidepanel.html');
    await panel.waitForSelector('textarea');
    const files = [
      ['a.pdf', pdf([['Two sails at noon']])],
      ['b.docx', docx(paragraph('A sloop'), { packed: true })],
    ] as const;
    for (const [name, content] of files) {
      await panel.evaluate(
        (called, data) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(
            new File([Uint8Array.from(atob(data), (char) => char.charCodeAt(0))], called),
          );
          const dropped = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
          document.querySelector('textarea')?.dispatchEvent(dropped);
        },
        name,
        Buffer.from(content).toString('base64'),
      );
    }
    const readChips = `[...document.querySelectorAll('form [aria-label="Context"] li button')]
      .filter((button) => (button.textContent + button.ariaLabel).includes('token')).length`;
    await vi.waitUntil(async () => (await panel.evaluate(readChips)) === files.length);
    expect(firefox.complaints).toEqual([]);
  });

  it('runs an MCP tool after "Allow once" and streams the answer, with a clean console', async () => {
    const options = await firefox.open('options.html');
    await send(options, 'saveProvider', provider(model.url));
    expect(await send(options, 'addServer', server(mcp.url))).toMatchObject({ ok: true });

    const pause = gate();
    model.script(
      ({ body }) => {
        const name =
          body.tools?.find((tool) => tool.function.name.endsWith('add'))?.function.name ?? 'none offered';
        return stream(text('I add.'), call({ id: 'call_1', name, arguments: '{"a":2,"b":40}', pieces: 3 }));
      },
      stream(text('The sum '), pause, text('is 42.')),
    );

    const panel = await firefox.open('sidepanel.html');
    await panel.locator(named('textbox', 'Message')).fill('What is 2 and 40?');
    await panel.locator(named('button', 'Send')).click();
    await panel.waitForSelector(named('alertdialog', 'Approve add'));
    expect(mcp.executions).toEqual([]);
    await allowOnce(panel);

    await pause.reached;
    await hasText(panel, 'The sum');
    expect(await log(panel)).not.toContain('is 42.');
    pause.open();
    await hasText(panel, 'The sum is 42.');

    expect(mcp.executions).toMatchObject([{ tool: 'add', args: { a: 2, b: 40 } }]);
    expect(model.requests).toHaveLength(2);
    expect(model.requests[1]?.body.messages.at(-1)).toMatchObject({
      role: 'tool',
      tool_call_id: 'call_1',
      content: expect.stringMatching(/^<(external-\w{8})>\n42\n<\/\1>$/),
    });
    await hasText(panel, 'Used add · ');
    expect(firefox.complaints).toEqual([]);
  });

  it('asks in a click for what the native host needs, and then says at once how to install it', async () => {
    const options = await firefox.open('options.html');
    expect(await send(options, 'nativeHost')).toMatchObject({ state: 'not_allowed' });
    await options.evaluate("location.hash = '#native-host'");
    await options.locator(named('button', 'Allow programs')).click();
    await options.waitForSelector('::-p-text(node portside-native-host.mjs install)');
    await options.waitForSelector('::-p-text(can’t find a native host manifest)');
    expect(firefox.complaints).toEqual([]);
  });

  it('asks from the context menu, by the keyboard and from the address bar, in the sidebar', async () => {
    const site = await startSite();
    onTestFinished(() => site.close());
    const options = await firefox.open('options.html');
    await send(options, 'saveSettings', { makeTitles: false });
    model.otherwise(stream(text('So I read.')));
    const page = await firefox.visit(`${site.url}/article`);
    await page.bringToFront();
    const asked = (words: string) =>
      vi.waitUntil(() =>
        model.requests
          .map(({ body }) => String(body.messages.at(-1)?.content))
          .find((each) => each.includes(words)),
      );
    /** Firefox's protocol sends keys to pages alone, and not to the window that has them for Portside. */
    const press = (letter: string) =>
      firefox.inWindow(`document.querySelector('keyset[id^=ext-keyset] key[key="${letter}"]').doCommand()`);
    const isOpen = async () => (await firefox.inWindow('SidebarController.isOpen')) === true;
    const closeSidebar = () => firefox.inWindow('void SidebarController.hide()');

    await closeSidebar();
    await page.evaluate("getSelection().selectAllChildren(document.querySelector('h2'))");
    await page.locator('h2').click({ button: 'right', offset: { x: 10, y: 10 } });
    await firefox.inWindow(pickFromContextMenu('Explain'));
    expect(await asked('Explain this in simple terms.')).toContain('Ships');
    expect(await isOpen()).toBe(true);

    await closeSidebar();
    await page.evaluate("getSelection().selectAllChildren(document.querySelector('h2'))");
    await press('S');
    expect(await asked('What is this about?')).toContain('Ships');

    await closeSidebar();
    await press('G');
    expect(await asked('What is this page about?')).toContain('The lighthouse keeper wrote down');

    await closeSidebar();
    await firefox.inWindow(`(async () => {
      gURLBar.focus();
      gURLBar.search('ps why is the sea salt');
      await gURLBar.lastQueryContextPromise;
      gURLBar.handleCommand();
    })()`);
    expect(await asked('why is the sea salt')).toBe('why is the sea salt');

    await page.bringToFront();
    await closeSidebar();
    await press('O');
    await vi.waitUntil(isOpen);
    await closeSidebar();
    expect(firefox.complaints).toEqual([]);
  });

  it('has a quick question written in the sidebar, since a page gets hold of what lies over it', async () => {
    const site = await startSite();
    onTestFinished(() => site.close());
    const options = await firefox.open('options.html');
    const page = await firefox.visit(`${site.url}/article`);
    await page.bringToFront();
    await page.evaluate(`{
      globalThis.frames = [];
      addEventListener('DOMFrameContentLoaded', ({ target }) => void frames.push(target), true);
      getSelection().selectAllChildren(document.querySelector('h2'));
    }`);
    await firefox.inWindow('void SidebarController.hide()');
    await firefox.inWindow(`document.querySelector('keyset[id^=ext-keyset] key[key="Q"]').doCommand()`);
    const reading = { evaluate: <T>(expression: string) => options.evaluate(expression) as Promise<T> };
    const isSelection = ({ source }: Attachment): boolean =>
      source.type === 'page' && source.part === 'selection';
    const draft = await vi.waitUntil(async () => (await readRows(reading, 'attachments')).find(isSelection));
    expect(draft.text).toContain('Ships');
    expect(await firefox.inWindow('SidebarController.isOpen')).toBe(true);
    expect(await page.evaluate('frames.length')).toBe(0);
    await firefox.inWindow('void SidebarController.hide()');
    expect(firefox.complaints).toEqual([]);
  });

  it('attaches the transcript that a page names', async () => {
    const cookies: unknown[] = [];
    const site = createServer(({ url, headers }, response) => {
      if (url === '/talk.vtt') {
        cookies.push(headers.cookie);
        return response.end('WEBVTT\n\n00:01.000 --> 00:04.000\nWelcome to the tides.\n');
      }
      response.setHeader('set-cookie', 'session=1').setHeader('content-type', 'text/html');
      return response.end('<!doctype html><title>Tides</title><video><track src="/talk.vtt"></video>');
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void site.close());
    await once(site, 'listening');
    const options = await firefox.open('options.html');
    const page = await firefox.visit(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    await page.bringToFront();
    const { id: windowId } = (await options.evaluate('browser.windows.getCurrent()')) as { id: number };
    const front = await send(options, 'frontPage', { windowId });
    expect(front).toMatchObject({ title: 'Tides', hasTranscript: true });
    const { id } = (await send(options, 'attachPage', {
      conversationId: 'c2',
      part: 'transcript',
      tabId: front?.tabId ?? -1,
    })) as { id: string };
    expect((await send(options, 'previewAttachment', { id }))?.text).toContain(
      '[0:01] Welcome to the tides.',
    );
    expect(cookies).toEqual([undefined]);
    expect(firefox.complaints).toEqual([]);
  });

  it('speaks to a native host that is installed while it runs, and runs a program through it', async () => {
    const options = await firefox.open('options.html');
    expect(await send(options, 'nativeHost')).toMatchObject({ state: 'missing' });
    expect(await person.cli('install')).toMatch(/Firefox\s+set up/);
    expect(await send(options, 'nativeHost')).toMatchObject({ state: 'ready', policy: null });
    const steps = await send(options, 'checkNativeHost');
    expect(steps.filter(({ ok }) => !ok)).toEqual([]);
    expect(steps.at(-1)?.text).toBe('Firefox: manifest present and valid, Portside allowed');
    const outcome = await send(options, 'addServer', {
      name: 'Everything',
      transport: 'stdio',
      command: process.execPath,
      args: [join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'],
      enabled: true,
      toolTimeout: 30_000,
      trusted: false,
      oneAtATime: false,
      launchAllowed: true,
    });
    expect(outcome).toMatchObject({ ok: true });
    await send(options, 'removeServer', { id: outcome.id ?? 0 });
    expect(firefox.complaints).toEqual([]);
  });

  it('notifies of a chat whose panel is gone', async () => {
    const options = await firefox.open('options.html');
    await send(options, 'saveSettings', { notify: true, makeTitles: false });
    // A headless Firefox has nowhere to show one and closes it at once.
    await options.evaluate(
      'void (globalThis.told = [], browser.notifications.onClosed.addListener((id) => told.push(id)))',
    );
    const unseen = gate();
    model.script(stream([unseen], text('Said unseen.')));
    const panel = await firefox.open('sidepanel.html');
    await panel.locator(named('button', 'New chat')).click();
    await panel.locator(named('textbox', 'Message')).fill('Say it unseen');
    await panel.locator(named('button', 'Send')).click();
    await unseen.reached;
    await panel.close();
    expect(await options.evaluate('told')).toEqual([]);
    unseen.open();
    await vi.waitUntil(async () => ((await options.evaluate('told')) as string[]).length === 1);
    expect(firefox.complaints).toEqual([]);
  });

  it('begins a schedule’s run when its alarm goes off', async () => {
    const options = await firefox.open('options.html');
    const { id: providerId } = await send(options, 'saveProvider', provider(model.url));
    model.script(stream(text('Asked on time.')));
    await send(options, 'saveSchedule', {
      name: 'Soon',
      text: 'What is new?',
      providerId,
      model: null,
      settings: {},
      rhythm: { once: new Date(Date.now() + 1000).toISOString() },
      missed: 'run',
      allows: 'reads',
      perRun: {},
      perMonth: {},
    });
    await vi.waitUntil(
      async () =>
        (await send(options, 'listConversations', {})).conversations.some(
          ({ title, state }) => title === 'Soon' && state === undefined,
        ),
      { timeout: 30_000 },
    );
    expect(firefox.complaints).toEqual([]);
  });
});

const named = (role: string, name: string): string => `::-p-aria([name="${name}"][role="${role}"])`;

/** Picks one of Portside's entries of the context menu that is being opened. */
const pickFromContextMenu = (label: string): string => `(async () => {
  const shown = (popup, open) =>
    new Promise((resolve) => {
      if (popup.state === 'open') return resolve();
      popup.addEventListener('popupshown', resolve, { once: true });
      open?.();
    });
  const menu = document.getElementById('contentAreaContextMenu');
  await shown(menu);
  const own = [...menu.querySelectorAll('menu')].find((each) => each.label === 'Portside');
  await shown(own.menupopup, () => own.openMenu(true));
  own.menupopup.activateItem([...own.menupopup.children].find((each) => each.label === '${label}'));
})()`;

/** Asks the worker, as the options page does. */
async function send<K extends keyof Commands>(options: Page, name: K, ...[request]: Parameters<Commands[K]>) {
  const envelope = JSON.stringify({ command: name, request });
  const answer = await options.evaluate(`browser.runtime.sendMessage(${envelope})`);
  expect(answer).toMatchObject({ ok: true });
  return (answer as { reply: Reply<K> }).reply;
}

/** An approval ignores a click that comes too soon after it appeared. */
async function allowOnce(panel: Page): Promise<void> {
  await vi.waitUntil(
    async () => {
      const button = await panel.$(named('button', 'Allow once'));
      // One that the answer has just removed takes none.
      await button?.evaluate((element) => (element as HTMLElement).click());
      return button === null;
    },
    { interval: 200 },
  );
}

function log(panel: Page): Promise<string> {
  return panel.$eval('[role="log"]', (element) => element.textContent);
}

async function hasText(panel: Page, expected: string): Promise<void> {
  await vi.waitUntil(async () => (await log(panel)).includes(expected));
}
