import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Commands, Reply } from '../../../lib/protocol/commands.ts';
import { buildExtension } from '../../../scripts/build.ts';
import { findChromium } from '../../../scripts/setup/programs.mjs';
import { connectDevtools, type Target } from './devtools.ts';
import { createLog, type OpenBrowser, opened, whileOpen } from './open-browsers.ts';
import { until } from './until.ts';

type Answer = { ok: boolean; reply: unknown };

/**
 * A Chromium with Portside in it, without a debugger: an attached debugger keeps a worker alive, so what is to be seen
 * of its lifetime is seen from outside. Only the options page is attached to, for the length of one command.
 */
export type BareBrowser = {
  command: <K extends keyof Commands>(name: K, ...request: Parameters<Commands[K]>) => Promise<Reply<K>>;
  /** The running worker's target, or undefined while there is none. */
  worker: () => Promise<string | undefined>;
  /** Ends the worker as Chromium does. False when there was none. */
  endWorker: () => Promise<boolean>;
  /** Evaluates in the worker, which is attached to for this alone. False when there was none. */
  inWorker: (expression: string) => Promise<boolean>;
  /** Opens a page of the extension in the first window or in one of its own, attached to until it is closed. */
  open: (path: string, place?: { newWindow?: boolean }) => Promise<BarePage>;
  close: () => Promise<void>;
};

/** One page, and what is evaluated in it. */
export type BarePage = {
  evaluate: <T>(expression: string) => Promise<T>;
  /** Any other command of the DevTools protocol, to this page. */
  send: (method: string, params: object) => Promise<void>;
  /** What was not caught in it so far. */
  errors: string[];
  close: () => Promise<void>;
};

/** Whether a page of the extension has come this far. */
const IS_OURS = 'Boolean(globalThis.chrome?.runtime?.id)';

/**
 * Makes a profile that knows the extension, as if the user had loaded it some day: what `--load-extension` brings is
 * installed anew at each start, of which `runtime.onInstalled` tells.
 */
function prepareProfile(profile: string, id: string, path: string): void {
  const folder = join(profile, 'Default');
  if (existsSync(folder)) return;
  mkdirSync(folder, { recursive: true });
  const UNPACKED = 4; // extensions::mojom::ManifestLocation
  const extensions = {
    ui: { developer_mode: true },
    settings: { [id]: { location: UNPACKED, path, state: 1, creation_flags: 38 } },
  };
  writeFileSync(join(folder, 'Preferences'), JSON.stringify({ extensions }));
}

/** A browser on this profile, with no page of the extension open. */
function spawnBrowser(profile: string) {
  const browser = spawn(
    findChromium() ?? 'chromium',
    [
      '--headless',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      'about:blank', // the page of a new tab is never drawn where there is no network: of it there is no picture
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
    { stdio: 'ignore' },
  );
  const exited = new Promise((resolve) => browser.once('exit', resolve));
  const kill = () => browser.kill('SIGKILL'); // should a test end without closing it
  process.once('exit', kill);
  return { exited: exited.finally(() => process.off('exit', kill)), end: () => browser.kill('SIGTERM') };
}

/** A browser on a profile, seen from outside; what it says of its worker's starts is in `log`. */
async function startBrowser(profile: string) {
  const extension = await buildExtension({ browser: 'chrome', granted: true });
  const extensionId = await idOf(extension);
  prepareProfile(profile, extensionId, extension);
  const { exited, end } = spawnBrowser(profile);
  const devtools = await connectDevtools(profile);
  const { log, say } = createLog();
  devtools.listen('', ({ method, params }) => {
    const { type, url } = params?.targetInfo ?? {};
    if (method === 'Target.targetCreated' && type === 'service_worker') say(`worker started (${url})`);
  });
  await devtools.send('Target.setDiscoverTargets', { discover: true });
  const targets = async () =>
    (await devtools.send<{ targetInfos: Target[] }>('Target.getTargets')).targetInfos;
  /** In a target that is attached to for this alone. */
  const ask = async <T>(target: string, method: string, params: object): Promise<T> => {
    const attached = { targetId: target, flatten: true };
    const { sessionId } = await devtools.send<{ sessionId: string }>('Target.attachToTarget', attached);
    const answer = await devtools.send<T>(method, params, sessionId);
    await devtools.send('Target.detachFromTarget', { sessionId });
    return answer;
  };
  const evaluateIn = async <T>(target: string, expression: string): Promise<T> => {
    const request = { expression, awaitPromise: true, returnByValue: true };
    return (await ask<Evaluated<T>>(target, 'Runtime.evaluate', request)).result.value as T;
  };
  let options = '';
  /** The options page, which is opened by the first use. */
  const evaluate = async <T>(expression: string): Promise<T> => {
    if (options === '') options = await openOptions();
    return evaluateIn<T>(options, expression);
  };
  async function openOptions(): Promise<string> {
    const url = `chrome-extension://${extensionId}/options.html`;
    let targetId = '';
    // The extension may be there before the browser's first window, in which tabs open.
    await until('a tab opens', async () => {
      const made = devtools.send<{ targetId: string }>('Target.createTarget', { url });
      ({ targetId } = await made.catch(() => ({ targetId: '' })));
      return targetId !== '';
    });
    await until('the options page is loaded', () => evaluateIn<boolean>(targetId, IS_OURS));
    return targetId;
  }
  const browser: OpenBrowser = {
    pages: async () =>
      (await targets())
        .filter(({ type }) => type === 'page')
        .map(({ url, targetId }) => ({
          url,
          picture: async () =>
            Buffer.from((await ask<{ data: string }>(targetId, 'Page.captureScreenshot', {})).data, 'base64'),
          read: (expression) => evaluateIn<string>(targetId, expression),
        })),
    reader: async () => ({ evaluate }),
    log,
  };
  return { extensionId, exited, end, devtools, say, targets, evaluateIn, evaluate, browser };
}

/** @param profile is kept; without it there is a temporary one */
export async function openBareBrowser(profile?: string): Promise<BareBrowser> {
  const folder = profile ?? mkdtempSync(join(tmpdir(), 'portside-bare-'));
  const started = await startBrowser(folder);
  const { extensionId, exited, devtools, say, targets, evaluateIn, evaluate } = started;
  const worker = async () =>
    (await targets()).find(({ type, url }) => type === 'service_worker' && url.includes(extensionId))
      ?.targetId;
  /** `Target.createTarget` takes the window that was opened last. */
  const openInFirst = async (url: string): Promise<{ targetId: string }> => {
    const known = new Set((await targets()).map(({ targetId }) => targetId));
    await evaluate(
      `chrome.windows.getCurrent().then(({ id }) => chrome.tabs.create({ windowId: id, url: '${url}' }))`,
    );
    let made: Target | undefined;
    await until('a tab opens', async () => {
      made = (await targets()).find((each) => each.url === url && !known.has(each.targetId));
      return made !== undefined && (await evaluateIn<boolean>(made.targetId, IS_OURS));
    });
    return { targetId: made?.targetId ?? '' };
  };
  await until('the extension is loaded', async () => (await worker()) !== undefined);
  await evaluate('0');
  const closing = opened(started.browser);

  return {
    async command(name, ...[request]) {
      const envelope = JSON.stringify({ command: name, request });
      const answer = await evaluate<Answer>(`chrome.runtime.sendMessage(${envelope})`);
      if (!answer?.ok) throw new Error(`${name} failed: ${JSON.stringify(answer)}`);
      return answer.reply as ReturnType<Commands[typeof name]>;
    },
    worker,
    async inWorker(expression) {
      const running = await worker();
      if (running === undefined) return false;
      // It may just have ended by itself.
      return evaluateIn(running, expression).then(
        () => true,
        () => false,
      );
    },
    async endWorker() {
      const running = await worker();
      if (running === undefined) return false;
      // It may just have ended by itself.
      const ending = devtools.send('Target.closeTarget', { targetId: running });
      return ending.then(
        () => true,
        () => false,
      );
    },
    async open(path, { newWindow = false } = {}) {
      const url = `chrome-extension://${extensionId}/${path}`;
      const made = newWindow
        ? await devtools.send<{ targetId: string }>('Target.createTarget', { url, newWindow })
        : await openInFirst(url);
      const attached = { targetId: made.targetId, flatten: true };
      const { sessionId } = await devtools.send<{ sessionId: string }>('Target.attachToTarget', attached);
      const errors: string[] = [];
      devtools.listen(sessionId, ({ method, params }) => {
        const { exception, text } = params?.exceptionDetails ?? {};
        if (method === 'Runtime.exceptionThrown')
          errors.push((exception?.description ?? text ?? '').slice(0, 300));
        if (method === 'Runtime.consoleAPICalled')
          say(`${method} ${JSON.stringify(params).slice(0, 1000)} (${path})`);
      });
      await devtools.send('Runtime.enable', {}, sessionId);
      return {
        errors,
        async evaluate<T>(expression: string): Promise<T> {
          const request = { expression, awaitPromise: true, returnByValue: true };
          const said = await devtools.send<Evaluated<T>>('Runtime.evaluate', request, sessionId);
          if (said.exceptionDetails) throw new Error(JSON.stringify(said.exceptionDetails).slice(0, 300));
          return said.result.value as T;
        },
        send: async (method, params) => void (await devtools.send(method, params, sessionId)),
        close: async () => void (await devtools.send('Target.closeTarget', { targetId: made.targetId })),
      };
    },
    async close() {
      await closing();
      await devtools.send('Browser.close').catch(() => undefined); // it may be gone before it has answered
      await exited;
      if (profile === undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/**
 * Starts a browser on a profile without opening anything in it, for as long as `work` takes. Nothing of it is attached to,
 * unless that fails.
 */
export async function inUntouchedBrowser(profile: string, work: () => Promise<void>): Promise<void> {
  rmSync(join(profile, 'DevToolsActivePort'), { force: true });
  const { browser, exited, end } = await startBrowser(profile);
  try {
    await whileOpen(browser, work);
  } finally {
    end();
    await exited;
  }
}

type Evaluated<T> = { result: { value?: T }; exceptionDetails?: unknown };

/** The id that Chromium derives from the manifest's key: the first half of its SHA-256, in the letters a to p. */
async function idOf(extension: string): Promise<string> {
  const { key } = JSON.parse(await readFile(join(extension, 'manifest.json'), 'utf8')) as { key: string };
  const hash = createHash('sha256').update(Buffer.from(key, 'base64')).digest('hex').slice(0, 32);
  return hash.replace(/./g, (digit) => 'abcdefghijklmnop'.charAt(Number.parseInt(digit, 16)));
}
