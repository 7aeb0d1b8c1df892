import type { BrowserContext, Page } from 'playwright-core';
import type { Commands, Reply } from '../../../lib/protocol/commands.ts';
import type { ExtensionBrowser } from '../../../scripts/browser.ts';
import { buildExtension } from '../../../scripts/build.ts';
import { command } from '../../../scripts/start/extension.ts';
import { launchWatched } from './watched-browser.ts';

/** Portside in a headless Chromium with a fresh profile, watched for everything that a browser complains of. */
export type Portside = Omit<ExtensionBrowser, 'close'> & {
  /** The real side panel, open; the latest one after `reopenPanel`. */
  readonly panel: Page;
  /** Closes the panel if it is open, and opens it again. */
  reopenPanel: () => Promise<Page>;
  /** Asks the worker, as the options page does. */
  command: <K extends keyof Commands>(name: K, ...request: Parameters<Commands[K]>) => Promise<Reply<K>>;
  /** Declares a complaint that this test provokes, e.g. `/status of 401 .*chat\/completions/`. Keep it narrow. */
  expectComplaint: (pattern: RegExp) => void;
  /** The undeclared complaints so far: `text (url)`. */
  complaints: () => string[];
  /** What was declared holds no more. @throws Error with the undeclared complaints, if there were any */
  settle: () => Promise<void>;
  /** Takes Portside out of the browser, which goes on. @throws Error as `close` */
  uninstall: () => Promise<void>;
  /** Puts it in again, as new as it was when the browser was opened. */
  install: () => Promise<void>;
  /** Ends the browser. @throws Error with the undeclared complaints, if there were any */
  close: () => Promise<void>;
};

const built = new Map<string | undefined, Promise<string>>();

/**
 * Starts the browser with the extension built from the present sources and opens the side panel.
 * @param profile a folder to keep the profile in; without it the profile is a temporary one
 * @param clientMetadataUrl configured in a build of its own
 * @param altered makes another extension of the built one
 * @param args more switches of the browser's
 */
export async function openPortside({
  profile,
  clientMetadataUrl,
  altered = (folder) => folder,
  args = [],
}: {
  profile?: string;
  clientMetadataUrl?: string;
  altered?: (built: string) => string;
  args?: string[];
} = {}): Promise<Portside> {
  const variant = {
    browser: 'chrome',
    granted: true,
    ...(clientMetadataUrl && { clientMetadataUrl }),
  } as const;
  const extension = built.get(clientMetadataUrl) ?? buildExtension(variant);
  built.set(clientMetadataUrl, extension);
  const expected: RegExp[] = [];
  const { complaints: heard, ...browser } = await launchWatched({
    extension: altered(await extension),
    headless: true,
    args,
    ...(profile !== undefined && { profile }),
  });
  const complaints = () => heard.filter((text) => !expected.some((pattern) => pattern.test(text)));
  /** What turns while a run works would take a twelfth of a core in each browser; pages of the web move as ever. */
  const still = async (page: Page) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    return page;
  };
  const openPanel = async () => {
    const opened = await still(await browser.openPanel());
    // A card takes no press in the moment in which the mouse comes.
    await opened.mouse.move(1, 1);
    return opened;
  };
  await still(browser.options);
  let panel = await openPanel();
  const reopenPanel = async () => {
    await panel.close();
    panel = await openPanel();
    return panel;
  };
  /** Ends what can complain, and says of what it did. */
  const finish = async (ending: () => Promise<void>) => {
    await roundTrip(browser.context);
    const before = complaints();
    heard.length = 0;
    await ending();
    const left = [...before, ...complaints().filter((text) => !AT_THE_END.test(text))];
    heard.length = 0;
    if (left.length > 0) throw new Error(`The browser complained:\n${left.join('\n')}`);
  };
  return {
    ...browser,
    get panel() {
      return panel;
    },
    reopenPanel,
    command: (name, ...request) => command(browser.options, name, ...request),
    expectComplaint: (pattern) => expected.push(pattern),
    complaints,
    async settle() {
      await finish(async () => {});
      expected.length = 0;
    },
    uninstall: () => finish(browser.uninstall),
    install: async () => {
      expected.length = 0;
      await Promise.all([browser.context.clearCookies(), browser.context.clearPermissions()]);
      await browser.install();
      panel = await openPanel();
    },
    close: () => finish(browser.close),
  };
}

/**
 * What a worker still asks of a browser that is being closed, or of a database that is taken away, is refused; idb's own
 * words are there for where the browser gives no reason, and `No SW` is what it says to a worker that it has let go of.
 */
const AT_THE_END =
  /The browser is shutting down|Force close delete origin|The transaction was aborted|AbortError: AbortError|Error: No SW/;

/** What a page said before this has been heard after it. */
async function roundTrip(context: BrowserContext): Promise<void> {
  await Promise.all(context.pages().map((page) => page.evaluate('0').catch(() => undefined)));
}
