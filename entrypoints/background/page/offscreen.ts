import { browser } from 'wxt/browser';
import { wait } from '../../../lib/async.ts';

/** Chromium's alone. */
type Api = {
  createDocument(options: { url: string; reasons: string[]; justification: string }): Promise<void>;
  closeDocument(): Promise<void>;
};

/** Less than an idle worker lives. */
const IDLE_MS = 20_000;

export type Offscreen = ReturnType<typeof createOffscreen>;

/**
 * The one document without a window that Chromium allows an extension (entrypoints/offscreen), for what a worker lacks.
 * It is open while something uses it, and a while longer: what is read next often comes soon.
 */
export function createOffscreen() {
  let users = 0;
  let opened: Promise<void> | undefined;
  let closed: Promise<void> = Promise.resolve();
  let acquired = 0;

  function release(): void {
    users -= 1;
    if (users === 0) void closeUnlessUsed(acquired);
  }

  async function closeUnlessUsed(before: number): Promise<void> {
    await wait(IDLE_MS);
    if (users > 0 || acquired > before) return;
    opened = undefined;
    closed = closeDocument().catch(() => undefined);
  }

  return {
    /** Resolves once the document is there, with what gives it back: to be called once. */
    async acquire(): Promise<() => void> {
      users += 1;
      acquired += 1;
      opened ??= closed.then(() =>
        api().createDocument({
          url: '/offscreen.html',
          reasons: ['DOM_PARSER'],
          justification: 'Turns pages into text, and asks models in the browser.',
        }),
      );
      // One that an earlier worker left open will do.
      await opened.catch(() => undefined);
      return release;
    },
  };
}

/** One with a model in it stays, and closes itself: to load that again takes long. */
async function closeDocument(): Promise<void> {
  if (await browser.runtime.sendMessage({ mayClose: true })) await api().closeDocument();
}

const api = (): Api => (browser as unknown as { offscreen: Api }).offscreen;
