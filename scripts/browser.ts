import { chromium, type BrowserContext, type CDPSession, type Page } from 'playwright-core';
import { findChromium } from './setup/programs.mjs';

/**
 * Chromium announces a side panel as a target of type `other`, which playwright lets go of unless this is set before
 * it appears.
 */
process.env['PW_CHROMIUM_ATTACH_TO_OTHER'] = '1';

/** A Chromium or Chrome with the extension in it. */
export type ExtensionBrowser = {
  context: BrowserContext;
  extensionId: string;
  /** The extension's options page, in a tab. */
  options: Page;
  /** Opens the real side panel of that tab's window, or finds it open. Closing the page closes the panel. */
  openPanel: () => Promise<Page>;
  /** Ends the service worker as Chromium does; the extension's next event starts it again. */
  endWorker: () => Promise<void>;
  /** Takes the extension out, with all that it keeps; of the browser's tabs only the one of `options` stays. */
  uninstall: () => Promise<void>;
  /** Loads another extension beside it. @returns its id */
  load: (folder: string) => Promise<string>;
  /** Puts it in again, and shows its options page. */
  install: () => Promise<void>;
  /** Ends the browser, and removes its profile if that was a temporary one. */
  close: () => Promise<void>;
};

/** Longer than Chromium gives a worker that is to end. */
const WORKER_ENDS_MS = 35_000;

export type LaunchOptions = {
  /** The unpacked extension's folder. */
  extension: string;
  headless: boolean;
  /** Kept afterwards. Without it the profile is a temporary one. */
  profile?: string;
  /** Its page that is shown in a tab at first, instead of the options page. */
  firstPage?: string;
  /** More switches, as for what the browser has behind a flag. */
  args?: string[];
  /** Runs before any page of the extension is opened: the place for listeners, bindings and init scripts. */
  prepare?: (context: BrowserContext) => void | Promise<void>;
};

/**
 * Starts the browser and loads the extension over the debugging pipe, which branded Chrome >= 137 allows too
 * (it ignores `--load-extension`).
 * @throws Error when there is no browser, or it does not start
 */
export async function launchBrowser({
  extension,
  headless,
  profile,
  firstPage = 'options.html',
  args = [],
  prepare,
}: LaunchOptions): Promise<ExtensionBrowser> {
  // Without a path playwright makes a temporary profile and removes it, even when this process is ended.
  const context = await launchContext(profile ?? '', headless, args);
  const close = () => context.close();
  try {
    await prepare?.(context);
    const devtools = await browserSession(context);
    const extensionId = await loadExtension(devtools, extension);
    const options = context.pages()[0] ?? (await context.newPage());
    const showOptions = () => options.goto(`chrome-extension://${extensionId}/${firstPage}`);
    await showOptions();
    return {
      context,
      extensionId,
      options,
      openPanel: () => openPanel(context, options, extensionId),
      endWorker: () => endWorker(devtools, extensionId),
      load: (folder) => loadExtension(devtools, folder),
      uninstall: async () => {
        const others = context.pages().filter((page) => page !== options);
        await Promise.all([...others.map((page) => page.close()), options.goto('about:blank')]);
        await devtools.send('Extensions.uninstall', { id: extensionId });
        await workerGone(devtools, extensionId);
      },
      install: async () => {
        await loadExtension(devtools, extension);
        await showOptions();
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function launchContext(profile: string, headless: boolean, more: string[]): Promise<BrowserContext> {
  const executablePath = findChromium();
  return await chromium.launchPersistentContext(profile, {
    ...(executablePath !== undefined && { executablePath }),
    headless,
    viewport: null,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    ignoreDefaultArgs: ['--disable-extensions', ...(headless ? [] : ['--enable-automation'])],
    args: [
      '--enable-unsafe-extension-debugging',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--hide-crash-restore-bubble',
      // Without animation of the browser's own parts, its panel among them; what a page animates takes its time as ever.
      ...(headless ? ['--disable-gpu', '--animation-duration-scale=0'] : []),
      ...(process.getuid?.() === 0 ? ['--no-sandbox', '--test-type'] : []),
      ...more,
    ],
  });
}

async function browserSession(context: BrowserContext): Promise<CDPSession> {
  const browser = context.browser();
  if (!browser) throw new Error('Playwright gave no access to the browser’s debugging pipe.');
  return await browser.newBrowserCDPSession();
}

async function loadExtension(devtools: CDPSession, path: string): Promise<string> {
  const loaded: { id: string } = await devtools.send('Extensions.loadUnpacked', { path });
  return loaded.id;
}

/** `sidePanel.open` wants a user gesture as its first statement; the window's id is therefore fetched before. */
async function openPanel(context: BrowserContext, options: Page, extensionId: string): Promise<Page> {
  const url = `chrome-extension://${extensionId}/sidepanel.html`;
  const open = context.pages().find((page) => page.url() === url);
  if (open) return open;
  const devtools = await context.newCDPSession(options);
  const evaluate = async (expression: string) => {
    const request = { expression, awaitPromise: true, returnByValue: true, userGesture: true };
    const { result, exceptionDetails } = await devtools.send('Runtime.evaluate', request);
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as unknown;
  };
  const windowId = await evaluate('chrome.windows.getCurrent().then((window) => window.id)');
  const appeared = context.waitForEvent('page');
  const [panel] = await Promise.all([
    appeared,
    evaluate(`chrome.sidePanel.open({ windowId: ${Number(windowId)} })`),
  ]);
  await panel.waitForURL(url, { waitUntil: 'commit' });
  await devtools.detach();
  return panel;
}

async function endWorker(devtools: CDPSession, extensionId: string): Promise<void> {
  const targetId = await findWorker(devtools, extensionId);
  if (targetId !== undefined) await devtools.send('Target.closeTarget', { targetId });
}

async function findWorker(devtools: CDPSession, extensionId: string): Promise<string | undefined> {
  const { targetInfos } = await devtools.send('Target.getTargets');
  return targetInfos.find(
    ({ type, url }) => type === 'service_worker' && url.startsWith(`chrome-extension://${extensionId}/`),
  )?.targetId;
}

/**
 * Waits for the end of a worker whose extension was taken out: one that is put in before may get none of its own.
 * @throws Error when it does not end
 */
async function workerGone(devtools: CDPSession, extensionId: string): Promise<void> {
  const end = performance.now() + WORKER_ENDS_MS;
  while ((await findWorker(devtools, extensionId)) !== undefined) {
    if (performance.now() > end) throw new Error('The extension’s worker did not end.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
