import { browser } from 'wxt/browser';

/** Chromium's alone. */
type Api = {
  createDocument(options: { url: string; reasons: string[]; justification: string }): Promise<void>;
  closeDocument(): Promise<void>;
};

export type Offscreen = ReturnType<typeof createOffscreen>;

/**
 * The one document without a window that Chromium allows an extension (entrypoints/offscreen), for what a worker lacks.
 * It is open while something uses it.
 */
export function createOffscreen() {
  let users = 0;
  let opened: Promise<void> | undefined;
  let closed: Promise<void> = Promise.resolve();

  async function release(): Promise<void> {
    users -= 1;
    if (users > 0) return;
    opened = undefined;
    closed = api()
      .closeDocument()
      .catch(() => undefined);
    await closed;
  }

  return {
    /** Resolves once the document is there, with what gives it back: to be called once. */
    async acquire(): Promise<() => Promise<void>> {
      users += 1;
      opened ??= closed.then(() =>
        api().createDocument({
          url: '/offscreen.html',
          reasons: ['DOM_PARSER'],
          justification: 'Turns pages into text, and asks the browser’s own model.',
        }),
      );
      // One that an earlier worker left open will do.
      await opened.catch(() => undefined);
      return release;
    },
  };
}

const api = (): Api => (browser as unknown as { offscreen: Api }).offscreen;
