import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import axe from 'axe-core';
import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { axeFaults } from '../settings/gallery-checks.ts';
import { noDesktop, openOnDesktop, type HeadedBrowser } from '../support/desktop.ts';

/** The browser's own key, so on a desktop; the page is of a site to which Portside has no access. */
describe.skipIf(noDesktop)(`a quick question over a page${noDesktop}`, () => {
  let browser: HeadedBrowser;
  let site: Server;
  let other: Server;
  let page: Page;
  /** With which the captions were asked for. */
  const cookies: unknown[] = [];
  /** What another site was asked for. */
  const elsewhere: unknown[] = [];
  const addressOf = (server: Server): string => `http://localhost:${(server.address() as AddressInfo).port}/`;

  beforeAll(async () => {
    browser = await openOnDesktop({ granted: false });
    other = createServer(({ url }, response) => {
      elsewhere.push(url);
      response.end();
    }).listen(0, 'localhost');
    await once(other, 'listening');
    site = createServer(({ url, headers }, response) => {
      if (url === '/talk.vtt') {
        cookies.push(headers.cookie);
        return response.setHeader('content-type', 'text/vtt').end(vtt);
      }
      response.setHeader('set-cookie', 'session=1');
      return response
        .setHeader('content-type', 'text/html; charset=utf-8')
        .end(`${html}<link type="text/vtt" href="${addressOf(other)}talk.vtt">${transcript}`);
    }).listen(0, 'localhost');
    await once(site, 'listening');
    page = await browser.context.newPage();
    await page.goto(addressOf(site));
  });
  afterAll(async () => {
    await browser?.close();
    site?.close();
    other?.close();
  });

  const box = (): Frame | undefined => page.frames().find((frame) => frame !== page.mainFrame());
  const dialog = () => box()?.getByRole('dialog', { name: 'Ask about the selection' });
  /** Presses the shortcut, until its box is there. */
  async function openBox(): Promise<Frame> {
    await page.bringToFront();
    await browser.desktop.press('alt+shift+q');
    const frame = await vi.waitUntil(box);
    await vi.waitUntil(() => frame.evaluate('document.activeElement?.localName === "textarea"'));
    return frame;
  }
  const inPage = <T>(script: string): Promise<T> => page.evaluate(script) as Promise<T>;
  const closed = () => vi.waitUntil(() => box() === undefined);
  const select = (id: string) => inPage(`getSelection().selectAllChildren(document.getElementById('${id}'))`);

  it('is off at first, and once it is on takes focus, text and presses that the page gets nothing of', async () => {
    await page.bringToFront();
    await select('tides');
    await browser.desktop.press('alt+shift+q');
    await browser.options.goto(`${browser.options.url().split('#')[0]}#general`);
    await browser.options.getByRole('switch', { name: 'Ask box on pages' }).click();
    await vi.waitUntil(() => browser.options.getByRole('switch', { name: 'Ask box on pages' }).isChecked());

    await inPage(`document.querySelector('input').focus()`);
    await select('tides');
    const frame = await openBox();
    expect(await dialog()?.getByText('Tides follow the moon.').count()).toBe(1);
    await browser.desktop.type('secret thoughts');
    const field = frame.getByRole('textbox', { name: 'Question' });
    await vi.waitUntil(async () => (await field.inputValue()) === 'secret thoughts');
    await frame.evaluate(axe.source);
    for (const theme of ['light', 'dark'] as const) {
      await frame.evaluate(`document.documentElement.style.colorScheme = '${theme}'`);
      expect(await axeFaults(frame, theme)).toEqual([]);
    }
    // It reaches neither what is in the box nor its frame, and what it dispatches presses nothing.
    expect(await inPage('attack()')).toEqual({ frames: 0, inside: null, found: 0, text: false });
    expect(await field.inputValue()).toBe('secret thoughts');
    expect(await inPage('typed')).toEqual([]);

    // The focus stays inside, both ways, and goes back where it was.
    await browser.desktop.press('shift+Tab', 'shift+Tab');
    const focused = () => frame.evaluate('document.activeElement?.textContent');
    await vi.waitUntil(async () => (await focused()) === 'Ask');
    await browser.desktop.press('Tab');
    await vi.waitUntil(async () => (await focused()) === '✕');
    await browser.desktop.press('Escape');
    await closed();
    expect(await inPage('[document.activeElement.localName, String(getSelection())]')).toEqual([
      'input',
      'Tides follow the moon.',
    ]);
    // While it was off the key put nothing there.
    expect(await inPage('hosts')).toBe(1);
    // Wherever its frame is led, as by a service worker of the page's, the box is gone.
    const led = await openBox();
    await led.goto(page.url()).catch(() => undefined);
    await closed();
    expect(await inPage('typed')).toEqual([]);
  });

  it('takes nothing of a selection in which there is what the user alone may type', async () => {
    const code = '<b id="otp-code" contenteditable>secret-483920</b>';
    await inPage(
      `document.getElementById('tides').insertAdjacentHTML('afterend', '<div id="both">Code ${code}</div>')`,
    );
    await select('both');
    const frame = await openBox();
    expect(await frame.evaluate('document.documentElement.textContent')).not.toContain('483920');
    await browser.desktop.press('Escape');
    await closed();
    await inPage(`document.getElementById('both').remove()`);
  });

  it('is asked in the panel, which the press opens, about the selection as foreign text', async () => {
    await select('tides');
    const frame = await openBox();
    await frame.getByRole('button', { name: 'Explain' }).click();
    await browser.desktop.type(' Why twice a day?');
    // It may take the user longer than a worker lives.
    await browser.endWorker();
    await browser.desktop.press('Return');
    const panel = await vi.waitUntil(() =>
      browser.context.pages().find((each) => each.url().endsWith('/sidepanel.html')),
    );
    const question = panel.getByRole('article', { name: 'You' });
    await question.getByText('Explain this in simple terms. Why twice a day?').waitFor();
    await panel.getByRole('article', { name: 'Assistant' }).waitFor();
    await closed();
    await question.getByRole('button', { name: '“Tides follow the moon.”' }).click();
    const sent = panel.getByRole('dialog').getByText('What the user selected in the web page');
    expect(await sent.textContent()).toMatch(/<external .*http:\/\/localhost.*Tides follow the moon\./s);
    expect(await inPage('typed')).toEqual([]);
  });

  it('says that an attached page changed since it was read, and reads it anew, in a draft and once it was sent', async () => {
    const panel = browser.context.pages().find((each) => each.url().endsWith('/sidepanel.html')) as Page;
    const message = panel.getByRole('textbox', { name: 'Message' });
    const chip = panel
      .getByRole('list', { name: 'Context' })
      .last()
      .getByRole('button', { name: /^Tides/ });
    const note = panel.getByText('The page changed since it was read.');
    const refresh = panel.getByRole('button', { name: 'Refresh', exact: true });
    /** As a user who comes back from the page. */
    const turnTo = () => panel.dispatchEvent('html', 'pointerenter');
    const change = (to: string) => inPage(`document.getElementById('tides').textContent = '${to}'`);
    await panel.getByRole('dialog').getByRole('button', { name: 'Close preview' }).click();
    await message.fill('@');
    await panel.getByRole('option', { name: 'This page' }).click();
    await chip.waitFor();
    await change('Tides follow the sun, too.');
    await turnTo();
    await note.waitFor();
    await refresh.click();
    await note.waitFor({ state: 'detached' });
    await page.bringToFront();
    await browser.desktop.press('alt+shift+g');
    const question = panel.getByRole('article', { name: 'You' });
    await question.getByText('What is this page about?').waitFor();
    await question.getByRole('button', { name: /^Tides/ }).waitFor();
    await change('Tides follow none.');
    await turnTo();
    await note.waitFor();
    await refresh.click();
    await note.waitFor({ state: 'detached' });
    await chip.click();
    await panel.getByRole('dialog').getByText('Tides follow none.').waitFor();
  });

  it('offers the transcript of a page that has one, and reads it when the user attaches it', async () => {
    const panel = browser.context.pages().find((each) => each.url().endsWith('/sidepanel.html')) as Page;
    await panel.getByRole('dialog').getByRole('button', { name: 'Close preview' }).click();
    await panel.getByRole('button', { name: 'New chat' }).click();
    await panel.getByRole('button', { name: 'Transcript', exact: true }).click();
    await panel
      .getByRole('list', { name: 'Context' })
      .getByRole('button', { name: /^Transcript: Tides/ })
      .click();
    const sent = panel.getByRole('dialog').getByText('What is said in the video or podcast');
    expect(await sent.textContent()).toMatch(/<external .*\[0:01\] Welcome to the tides\./s);
    expect(cookies).toEqual([undefined]);
    expect(elsewhere).toEqual([]);
  });

  it('leaves nothing to complain about', () => {
    expect(browser.complaints).toEqual([]);
  });
});

/** A page that allows nothing but its own script, listens to all that it can, and attacks what is laid over it. */
const html = `<!doctype html><title>Tides</title>
<meta http-equiv="content-security-policy" content="default-src 'none'; script-src 'unsafe-inline'">
<script>
  const typed = [];
  for (const type of ['keydown', 'keypress', 'keyup', 'beforeinput', 'input', 'click', 'pointerdown', 'compositionstart', 'paste'])
    addEventListener(type, (event) => {
      // The shortcut is the page's while the browser has not registered it, and so is the release of the key that closed the box.
      const isOwn = type === 'keyup' ? /^(Alt|Shift|Meta|q$|Escape|Enter)/i : /^(Alt|Shift|Meta|q$)/i;
      if (event.isTrusted && !isOwn.test(event.key ?? '')) typed.push([type, event.key, event.data]);
    }, true);
  let hosts = 0;
  new MutationObserver((records) => {
    for (const { addedNodes } of records) hosts += [...addedNodes].filter(({ localName }) => localName === 'div').length;
  }).observe(document.documentElement, { childList: true });
  function attack() {
    const host = document.documentElement.lastElementChild;
    for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'])
      host.dispatchEvent(new MouseEvent(type, { bubbles: true, composed: true }));
    for (const key of ['x', 'Enter', 'Escape'])
      for (const to of [host, document.activeElement, window])
        to.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true }));
    return {
      frames: length, inside: host.shadowRoot, found: document.querySelectorAll('iframe').length,
      text: (document.documentElement.innerText + document.documentElement.outerHTML).includes('secret ' + 'thoughts'),
    };
  }
</script>
<body><p id="tides">Tides follow the moon.</p><input aria-label="A line">`;

const transcript = '<p><a href="/talk.vtt">Transcript of the talk</a></p>';

const vtt = 'WEBVTT\n\n00:01.000 --> 00:04.000\nWelcome to the tides.\n';
