import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, type Browser, type Page } from 'puppeteer-core';
import { buildExtension } from '../../../scripts/build.ts';
import { findFirefox } from '../../../scripts/setup/programs.mjs';
import { createLog, opened } from './open-browsers.ts';
import { until } from './until.ts';

/** Firefox gives every profile another one unless told. */
const uuid = '5f6c1f0e-2b7d-4a53-9a5e-0d6f1f3f8c21';
const extensionId = 'portside@portside.dev';
const base = `moz-extension://${uuid}`;

/** Firefox with the extension in it. */
export type FirefoxWithExtension = {
  /** Opens one of the extension's pages in a tab. */
  open: (path: string) => Promise<Page>;
  /** Opens a page of the web in a tab. */
  visit: (url: string) => Promise<Page>;
  /** Evaluates in the browser's own window, as if a user had done something there. @throws Error */
  inWindow: (expression: string) => Promise<unknown>;
  /** What Firefox's consoles said so far that is wrong, the event page's included. */
  complaints: string[];
  close: () => Promise<void>;
};

/**
 * Starts a headless Firefox with the extension, all but `nativeMessaging` granted: that is asked for in a click, as in a
 * release, and granted without a dialog.
 */
export async function openFirefox(): Promise<FirefoxWithExtension> {
  const extension = await withoutNativeMessaging(await buildExtension({ browser: 'firefox', granted: true }));
  const firefox = await startFirefox(extension, { headless: true });
  return {
    ...firefox,
    async close() {
      await firefox.close();
      await rm(extension, { recursive: true });
    },
  };
}

/**
 * Starts Firefox with a profile of its own and installs the extension.
 * @param of.headless what is asked for is granted without a dialog
 */
export async function startFirefox(
  extension: string,
  { headless }: { headless: boolean },
): Promise<FirefoxWithExtension> {
  const browser = await launch({
    browser: 'firefox',
    executablePath: findFirefox() ?? '',
    headless,
    // Pages of an extension are privileged for WebDriver BiDi.
    args: ['--remote-allow-system-access', ...(headless ? [] : ['--width=1040', '--height=860'])],
    extraPrefsFirefox: {
      'extensions.webextensions.uuids': JSON.stringify({ [extensionId]: uuid }),
      'extensions.webextOptionalPermissionPrompts': !headless,
      // No debugging protocol reaches an event page; its console and its uncaught errors go to Firefox's output.
      'devtools.console.stdout.content': true,
      'browser.dom.window.dump.enabled': true,
    },
  });
  const { log, say } = createLog();
  const complaints = collectComplaints(browser, say);
  try {
    await browser.installExtension(extension);
    await evaluateInWindow(browser, tellStarts);
  } catch (error) {
    await browser.close();
    throw error;
  }
  const open = (path: string) => openPage(browser, `${base}/${path}`);
  const closing = opened({
    pages: async () =>
      (await addressed(browser)).map(({ url, page }) => ({
        url,
        picture: () => page.screenshot(),
        read: (expression) => page.evaluate(expression) as Promise<string>,
      })),
    async reader() {
      const found = (await addressed(browser)).find(({ url }) => url.startsWith(base));
      const page = found?.page ?? (await open('options.html'));
      return { evaluate: <T>(expression: string) => page.evaluate(expression) as Promise<T> };
    },
    log,
  });
  return {
    open,
    async visit(url) {
      const page = await browser.newPage();
      await page.goto(url);
      return page;
    },
    inWindow: (expression) => evaluateInWindow(browser, expression),
    complaints,
    async close() {
      await closing();
      await browser.close();
    },
  };
}

async function withoutNativeMessaging(built: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'portside-firefox-'));
  await cp(built, folder, { recursive: true });
  const path = join(folder, 'manifest.json');
  const manifest = JSON.parse(await readFile(path, 'utf8')) as { permissions: string[] };
  const permissions = manifest.permissions.filter((each) => each !== 'nativeMessaging');
  const asked = { permissions, optional_permissions: ['nativeMessaging'] };
  await writeFile(path, JSON.stringify({ ...manifest, ...asked }));
  return folder;
}

/** Its pages with their addresses; Firefox tells those of an extension's to itself only. */
async function addressed(browser: Browser): Promise<{ url: string; page: Page }[]> {
  const urls = (await browser.pages()).map(async (page) => ({
    url: (await page.evaluate('location.href')) as string,
    page,
  }));
  return Promise.all(urls);
}

/** In the browser's own window: Firefox's output has it when the event page starts, and when it rests. */
const tellStarts = `{
  const { extension } = WebExtensionPolicy.getByID(${JSON.stringify(extensionId)});
  if (extension.backgroundState === 'running') dump('worker started\\n');
  extension.on('background-script-started', () => dump('worker started\\n'));
  extension.on('background-script-suspend', () => dump('worker ended\\n'));
}`;

/** @param say gets all that Firefox's consoles say */
function collectComplaints(browser: Browser, say: (line: string) => void): string[] {
  const complaints: string[] = [];
  // Firefox's own search for its remote settings has no network here, and says so in the same place.
  const wrong = new RegExp(`^console\\.(error|warn): (?!RSLoader)|^JavaScript (error|warning): ${base}`);
  // Of a page that was closed, Preact's scheduler still cancels its next frame; what runs in one then is ended.
  const isLate = (line: string): boolean =>
    line.endsWith(': NS_ERROR_NOT_INITIALIZED: ') ||
    (line.includes('/page.js, ') && line.endsWith(': Script terminated by timeout at:'));
  const { stdout, stderr } = browser.process() ?? {};
  for (const output of [stdout, stderr]) {
    let rest = '';
    output?.setEncoding('utf8').on('data', (piece: string) => {
      const lines = (rest + piece).split('\n');
      rest = lines.pop() ?? '';
      lines.forEach(say);
      complaints.push(...lines.filter((line) => wrong.test(line) && !isLate(line)));
    });
  }
  return complaints;
}

async function openPage(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage();
  // Firefox never tells the end of a navigation to an extension's page, so this settles when the page is closed.
  page.goto(url).catch(() => undefined);
  const arrived = `location.href === ${JSON.stringify(url)} && document.readyState === 'complete'`;
  // While the page changes process, there may be nothing that could answer.
  await until(`${url} is there`, async () => (await page.evaluate(arrived).catch(() => false)) === true);
  await page.evaluate(() => {
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
      console.error(`CSP: ${effectiveDirective} forbids ${blockedURI}`);
    });
  });
  return page;
}

type Bidi = { send: (method: string, params: object) => Promise<{ result: unknown }> };
type Evaluated =
  | { type: 'success'; result: { value?: unknown } }
  | { type: 'exception'; exceptionDetails: { text: string } };

/** Puppeteer knows pages only; the protocol reaches the windows too (`--remote-allow-system-access`). */
async function evaluateInWindow(browser: Browser, expression: string): Promise<unknown> {
  const { connection } = browser as unknown as { connection: Bidi };
  const scope = { 'moz:scope': 'chrome' };
  const { contexts } = (await connection.send('browsingContext.getTree', scope)).result as {
    contexts: { context: string; url: string }[];
  };
  const context = contexts.find(({ url }) => url === 'chrome://browser/content/browser.xhtml')?.context;
  const asked = { expression, target: { context }, awaitPromise: true, userActivation: true };
  const answer = (await connection.send('script.evaluate', asked)).result as Evaluated;
  if (answer.type === 'exception') throw new Error(answer.exceptionDetails.text);
  return answer.result.value;
}
