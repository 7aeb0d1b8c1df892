import { browser } from 'wxt/browser';
import { type AskModel, createInnerFetch } from '../../../lib/models/browser/fetch.ts';
import type { Inner, Told } from '../../../lib/models/browser/messages.ts';
import { answerAsDemo } from '../../../lib/models/demo/answer-asked.ts';
import { MODEL_PORT, receiveTold } from '../../../lib/models/browser/port.ts';
import type { Offscreen } from '../page/offscreen.ts';

type Telling = AsyncGenerator<Told>;

/**
 * Answers requests with a model in the offscreen document: the browser's own is sure to be in windows only, one of the user's
 * runs in a frame, and the demo model is no weight that every start of the worker should carry. Firefox has only the last.
 */
export function createInnerModels(offscreen: Offscreen): (of: Inner) => typeof fetch {
  const asker = import.meta.env.FIREFOX
    ? (of: Inner): AskModel => (of === 'demo' ? answerAsDemo : noModel)
    : askOffscreen(offscreen);
  return (of) => createInnerFetch(asker(of));
}

function askOffscreen(offscreen: Offscreen): (of: Inner) => AskModel {
  /** By the name of the port that the document is to open. */
  const awaited = new Map<string, { signal: AbortSignal; take: (telling: Telling) => void }>();
  browser.runtime.onConnect.addListener((port) => {
    if (!port.name.startsWith(MODEL_PORT) || port.sender?.id !== browser.runtime.id) return;
    const asking = awaited.get(port.name);
    if (asking) asking.take(receiveTold(port, asking.signal));
    // What an earlier worker asked, or what was aborted meanwhile.
    else port.disconnect();
  });

  return (of) =>
    async function* (asked, signal) {
      const release = await offscreen.acquire();
      const name = MODEL_PORT + crypto.randomUUID();
      try {
        signal.throwIfAborted();
        const telling = new Promise<Telling>((take, abort) => {
          awaited.set(name, { signal, take });
          signal.addEventListener('abort', () => abort(signal.reason), { once: true });
          browser.runtime.sendMessage({ model: name, of, asked }).catch(abort);
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
