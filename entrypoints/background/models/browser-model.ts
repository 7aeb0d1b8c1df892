import { browser } from 'wxt/browser';
import { type AskModel, createBrowserFetch } from '../../../lib/models/browser/fetch.ts';
import type { Told } from '../../../lib/models/browser/messages.ts';
import { MODEL_PORT, receiveTold } from '../../../lib/models/browser/port.ts';
import type { Offscreen } from '../page/offscreen.ts';

type Telling = AsyncGenerator<Told>;

/** Answers requests with the browser's own model, in the offscreen document: it is sure to be in windows only. Firefox has none. */
export function createBrowserModel(offscreen: Offscreen): typeof fetch {
  return createBrowserFetch(import.meta.env.FIREFOX ? noModel : askOffscreen(offscreen));
}

function askOffscreen(offscreen: Offscreen): AskModel {
  /** By the name of the port that the document is to open. */
  const awaited = new Map<string, { signal: AbortSignal; take: (telling: Telling) => void }>();
  browser.runtime.onConnect.addListener((port) => {
    if (!port.name.startsWith(MODEL_PORT) || port.sender?.id !== browser.runtime.id) return;
    const asking = awaited.get(port.name);
    if (asking) asking.take(receiveTold(port, asking.signal));
    // What an earlier worker asked, or what was aborted meanwhile.
    else port.disconnect();
  });

  return async function* (asked, signal) {
    const release = await offscreen.acquire();
    const name = MODEL_PORT + crypto.randomUUID();
    try {
      signal.throwIfAborted();
      const telling = new Promise<Telling>((take, abort) => {
        awaited.set(name, { signal, take });
        signal.addEventListener('abort', () => abort(signal.reason), { once: true });
        browser.runtime.sendMessage({ model: name, asked }).catch(abort);
      });
      yield* await telling;
    } finally {
      awaited.delete(name);
      release();
    }
  };
}

async function* noModel(): Telling {
  const error = { code: 'browser_model_unavailable', message: 'This browser has no LanguageModel.' };
  yield { type: 'refused', status: 503, error };
}
