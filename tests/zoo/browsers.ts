import { chromium } from 'playwright-core';
import { type Browser, type Dialog, launch, type Page } from 'puppeteer-core';
import type { Commands, Reply } from '../../lib/protocol/commands.ts';
import { buildExtension } from '../../scripts/build.ts';
import { findChromium } from '../../scripts/setup/programs.mjs';
import { type FirefoxWithExtension, openFirefox } from '../e2e/support/firefox.ts';
import { until } from '../e2e/support/until.ts';

/**
 * Where the user is while a page is acted on: in the side panel beside it, so that the page is seen and has no focus, or in
 * another tab, so that it is not drawn either.
 */
export type UserPlace = 'in the panel' | 'in another tab';

/** A page, and what is evaluated in it. */
export type ZooPage = {
  evaluate: (expression: string) => Promise<unknown>;
  /** Whether the user is where they were: nothing took the focus, nor the front. */
  isUserLeft: () => Promise<boolean>;
  close: () => Promise<void>;
};

/** What is asked of Portside's worker. */
export type WorkerAccess = {
  command: <K extends keyof Commands>(name: K, ...request: Parameters<Commands[K]>) => Promise<Reply<K>>;
  /** Answers each approval of a chat with "Allow for this chat", as a user would who knows what they want. */
  allowAll: (conversationId: string) => Promise<void>;
};

/** A browser with Portside in it. */
export type ZooBrowser = WorkerAccess & {
  /** Opens a page, and has the user where they shall be; `front` is what another tab shows. @throws Error where that fails */
  visit: (url: string, front: string, user: UserPlace) => Promise<ZooPage>;
  close: () => Promise<void>;
};

type Options = Pick<ZooPage, 'evaluate'>;

/** Playwright has each page believe that it has the focus, and is seen; puppeteer leaves that as it is. */
export async function openChromium(): Promise<ZooBrowser> {
  const extension = await buildExtension({ browser: 'chrome', granted: true });
  const browser = await launch({
    executablePath: findChromium() ?? chromium.executablePath(),
    pipe: true,
    enableExtensions: [extension],
    defaultViewport: null,
    // A tab that is behind shall be as slow as a user's, and popups be blocked as theirs are.
    ignoreDefaultArgs: [
      '--disable-background-timer-throttling',
      '--disable-popup-blocking',
      '--disable-renderer-backgrounding',
    ],
    args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
  const worker = await browser.waitForTarget((target) => target.type() === 'service_worker');
  const options = await browser.newPage();
  await options.goto(new URL('/options.html', worker.url()).href);
  const panel = await openPanel(browser, options);
  return {
    ...(await throughOptions({ evaluate: (expression) => options.evaluate(expression) })),
    async visit(url, front, user) {
      const page = await browser.newPage();
      const dialogs: Dialog[] = [];
      page.on('dialog', (dialog) => dialogs.push(dialog)); // it stays open: the model has to deal with it
      await page.goto(url);
      if (user === 'in another tab') await (await browser.newPage()).goto(front);
      else await panel.bringToFront();
      const evaluate = await evaluator(page);
      await until('the user is elsewhere', async () => (await evaluate(isLeft(user))) === true);
      const active = () => options.evaluate(ACTIVE_TAB);
      const before = await active();
      return {
        evaluate,
        // A dialog of the browser's takes the focus, for the user to answer it.
        isUserLeft: async () =>
          (await active()) === before &&
          (user === 'in another tab' ||
            dialogs.length > 0 ||
            (await panel.evaluate('document.hasFocus()')) === true),
        close: async () => {
          await Promise.all(dialogs.map((dialog) => dialog.dismiss().catch(() => undefined)));
          const others = (await browser.pages()).filter((each) => each !== options && each !== panel);
          await Promise.all(others.map((each) => each.close()));
        },
      };
    },
    close: () => browser.close(),
  };
}

/** What puppeteer evaluates itself is a user's own press to a page. */
async function evaluator(page: Page): Promise<Options['evaluate']> {
  const session = await page.createCDPSession();
  return async (expression) => {
    const asked = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', asked);
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as unknown;
  };
}

const ACTIVE_TAB = `(globalThis.browser ?? chrome).tabs.query({ active: true }).then(([tab]) => tab?.id)`;

/** The real one, of the window's, which is opened only as the user does something. */
async function openPanel(browser: Browser, options: Page): Promise<Page> {
  const { id } = (await options.evaluate('chrome.windows.getCurrent()')) as { id: number };
  await options.evaluate(
    `addEventListener('click', () => chrome.sidePanel.open({ windowId: ${id} }), { once: true })`,
  );
  await options.mouse.click(1, 1);
  const target = await browser.waitForTarget((each) => each.url().endsWith('/sidepanel.html'));
  return target.asPage();
}

/**
 * The panel is no part of what can be driven there: the user is in the address bar, which is the same to a page.
 * @param running is used and left open; without it there is a Firefox of its own
 */
export async function openZooFirefox(running?: FirefoxWithExtension): Promise<ZooBrowser> {
  const { open, visit, inWindow, close } = running ?? (await openFirefox());
  const options = await open('options.html');
  return {
    ...(await throughOptions({ evaluate: (expression) => options.evaluate(expression) })),
    async visit(url, front, user) {
      const page = await visit(url);
      let isAsked = false;
      page.on('dialog', () => (isAsked = true));
      const evaluate = await tabEvaluator(options, url);
      const before = user === 'in another tab' ? await visit(front) : page;
      await before.bringToFront();
      if (before === page) await inWindow('gURLBar.focus()');
      await until('the user is elsewhere', async () => (await evaluate(isLeft(user))) === true);
      const active = () => options.evaluate(ACTIVE_TAB);
      const wasActive = await active();
      return {
        evaluate,
        isUserLeft: async () =>
          (await active()) === wasActive &&
          (before !== page || isAsked || (await inWindow('gURLBar.focused')) === true),
        close: async () => {
          await page.close();
          if (before !== page) await before.close();
        },
      };
    },
    close: running ? () => options.close() : close,
  };
}

/** There, too; Portside itself evaluates in the page's own world. */
async function tabEvaluator(options: Options, url: string): Promise<Options['evaluate']> {
  const tabId = (await options.evaluate(
    `browser.tabs.query({}).then((all) => all.find((tab) => tab.url === ${JSON.stringify(url)}).id)`,
  )) as number;
  return (expression) => {
    const asked = `{ target: { tabId: ${tabId} }, world: 'MAIN', func: (of) => eval(of), args: [${JSON.stringify(expression)}] }`;
    return options.evaluate(`browser.scripting.executeScript(${asked}).then(([{ result }]) => result)`);
  };
}

/** Whether a page is without the focus, and drawn or not. */
const isLeft = (user: UserPlace): string =>
  `!document.hasFocus() && document.hidden === ${user === 'in another tab'}`;

/** What is asked of the worker, by the extension's own options page. */
export async function throughOptions(options: Options): Promise<WorkerAccess> {
  await options.evaluate(ALLOW);
  return {
    async command(name, ...[request]) {
      const envelope = JSON.stringify({ command: name, request });
      const answer = (await options.evaluate(
        `(globalThis.browser ?? chrome).runtime.sendMessage(${envelope})`,
      )) as
        | { ok: true; reply: ReturnType<Commands[typeof name]> }
        | { ok: false; error: { message: string } };
      if (!answer.ok) throw new Error(answer.error.message);
      return answer.reply;
    },
    allowAll: async (conversationId) =>
      void (await options.evaluate(`zooAllow(${JSON.stringify(conversationId)})`)),
  };
}

/** Subscribes to a chat, and answers what waits in it for the user. */
const ALLOW = `{
  const { runtime } = globalThis.browser ?? chrome;
  const asked = new Set();
  const allow = (events) => {
    for (const { rows, snapshot } of events)
      for (const { callId, wait } of (rows ?? snapshot)?.toolCalls ?? []) {
        if (wait === undefined || asked.has(callId)) continue;
        asked.add(callId);
        runtime.sendMessage({ command: 'resolveCall', request: { callId, decision: 'allow', scope: 'chat' } });
      }
  };
  let port;
  globalThis.zooAllow = (conversationId) => {
    port?.disconnect(); // a worker that was idle has ended, and its ports
    port = runtime.connect({ name: 'events' });
    port.onMessage.addListener(allow);
    port.postMessage({ type: 'subscribe', subscription: 1, conversationId });
  };
}`;
