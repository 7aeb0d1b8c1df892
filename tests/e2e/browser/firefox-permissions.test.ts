import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildExtension } from '../../../scripts/build.ts';
import { findFirefox } from '../../../scripts/setup/programs.mjs';
import { noDesktop, startDesktop, type Desktop } from '../support/desktop.ts';
import { startFirefox, type FirefoxWithExtension } from '../support/firefox.ts';

const skipped = noDesktop || (findFirefox() ? '' : ' (skipped: there is no Firefox)');

/** The release build in a real window, whose sidebar is used with the mouse. */
describe.skipIf(skipped)(`access to a page, asked for by Firefox${skipped}`, () => {
  let desktop: Desktop;
  let firefox: FirefoxWithExtension;
  let site: Server;
  let page: Page;

  beforeAll(async () => {
    const html = '<!doctype html><title>Tides</title><p>Tides follow the moon.</p>';
    site = createServer((_request, response) =>
      response.setHeader('content-type', 'text/html; charset=utf-8').end(html),
    ).listen(0);
    await once(site, 'listening');
    const extension = await buildExtension({ browser: 'firefox', granted: false });
    desktop = await startDesktop();
    firefox = await startFirefox(extension, { headless: false });
    page = await firefox.visit(urlOf('127.0.0.2'));
    await firefox.inWindow("SidebarController.show('portside_portside_dev-sidebar-action').then(() => true)");
    // Not with the mouse: a window that has just come up may miss a click, or take it late, where another button is then.
    const chosen = `[...content.document.querySelectorAll('button')].find((button) => button.innerText.startsWith('Try the demo'))`;
    while (!(await shows('body', 'Demo model (scripted)')())) await inSidebar(`${chosen}?.click()`);
  });
  afterAll(async () => {
    await firefox?.close();
    await desktop?.close();
    site?.closeAllConnections();
    site?.close();
  });

  const urlOf = (host: string) => `http://${host}:${(site.address() as AddressInfo).port}/`;

  /**
   * Evaluates in the sidebar, where `content` is its window: no protocol for pages reaches it. undefined where its process
   * does not answer: as it loads it moves to another one.
   */
  const inSidebar = (expression: string) =>
    firefox.inWindow(`new Promise((resolve) => {
      const { messageManager } = document.getElementById('sidebar').contentDocument.querySelector('browser');
      const id = 'portside-test-' + Math.random();
      messageManager.addMessageListener(id, function take({ data }) {
        messageManager.removeMessageListener(id, take);
        resolve(data);
      });
      setTimeout(resolve, 1000);
      const script = 'sendAsyncMessage("' + id + '", ' + ${JSON.stringify(expression)} + ')';
      messageManager.loadFrameScript('data:application/javascript,' + encodeURIComponent(script), false);
    })`);

  const shows = (selector: string, text: string) => async () =>
    String(await inSidebar(`content.document.querySelector('${selector}')?.innerText`)).includes(text);

  /** Clicks what `find` gives the middle of on the screen, once it is there and rests. */
  async function click(find: () => Promise<unknown>): Promise<void> {
    let last = '';
    const at = await vi.waitUntil(
      async () => {
        const before = last;
        last = String(await find());
        return last === before && last !== 'null' && last;
      },
      { interval: 100 },
    );
    const [x, y] = at.split(' ').map(Number);
    await desktop.click(x ?? 0, y ?? 0);
  }

  const pressed = (name: string) =>
    click(() =>
      inSidebar(`(() => {
        const named = (button) => (button.getAttribute('aria-label') ?? button.innerText).startsWith('${name}');
        const box = [...content.document.querySelectorAll('button')].find(named)?.getBoundingClientRect();
        if (!box) return 'null';
        return content.mozInnerScreenX + box.x + box.width / 2 + ' ' + (content.mozInnerScreenY + box.y + box.height / 2);
      })()`),
    );

  const isAsking = async () => (await firefox.inWindow('PopupNotifications.panel.state')) === 'open';

  /** Presses a button of Firefox's question, which takes no press at first, until it goes. */
  async function answered(button: 'button' | 'secondaryButton'): Promise<void> {
    await vi.waitUntil(isAsking);
    while (await isAsking()) {
      await click(() =>
        firefox.inWindow(`(() => {
          const box = document.querySelector('#notification-popup > popupnotification')?.${button}.getBoundingClientRect();
          if (!box) return 'null';
          return window.mozInnerScreenX + box.x + box.width / 2 + ' ' + (window.mozInnerScreenY + box.y + box.height / 2);
        })()`),
      );
      await setTimeout(250);
    }
  }

  it('is denied, and the card stays; allowed, the question is answered', async () => {
    await pressed('Key points');
    await vi.waitUntil(shows('.page-access .primary', 'This site'));
    await pressed('This site');
    await answered('secondaryButton');
    await vi.waitUntil(shows('.page-access', 'Your browser didn’t allow access.'));

    await pressed('This site');
    await answered('button');
    // What Firefox was asked first took the click.
    await vi.waitUntil(shows('.page-access', 'Press This site again: your browser will ask about 127.0.0.2'));
    await pressed('This site');
    await answered('button');
    await vi.waitUntil(shows('.log', 'It begins: Tides follow the moon.'));
    expect(firefox.complaints).toEqual([]);
  });

  it('of another site is asked for once', async () => {
    await page.goto(urlOf('127.0.0.3'));
    await pressed('New chat');
    await pressed('Key points');
    await pressed('This site: 127.0.0.3');
    await answered('button');
    await vi.waitUntil(shows('.log', 'It begins: Tides follow the moon.'));
    expect(firefox.complaints).toEqual([]);
  });
});
