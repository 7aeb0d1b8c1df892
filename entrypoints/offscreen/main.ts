import { browser } from 'wxt/browser';
import { toWire } from '../../lib/errors.ts';
import { languageModel } from '../../lib/language-model.ts';
import { answerAsked } from '../../lib/models/browser/answer.ts';
import type { Asked, Inner, Told } from '../../lib/models/browser/messages.ts';
import { serveModel } from '../../lib/models/browser/port.ts';
import { answerAsDemo } from '../../lib/models/demo/answer-asked.ts';
import { createGgufModels } from '../../lib/models/gguf/answer.ts';
import { prepareReader } from '../../lib/reader/frame.ts';
import { readPage } from '../../lib/reader/read-page.ts';
import type { PageReading } from '../../lib/types/page.ts';

// A reader may be at work in its frame.
const ggufModels = createGgufModels(() => document.querySelector('iframe') ?? window.close());

const answers: Record<Inner, (asked: Asked, signal: AbortSignal) => AsyncGenerator<Told>> = {
  browser: (asked, signal) => answerAsked(languageModel(), asked, signal),
  gguf: ggufModels.answer,
  demo: answerAsDemo,
};

/**
 * An invisible document, for what the worker lacks. It can hold a frame, in which what was read becomes Markdown (lib/reader),
 * it has the browser's own model and the demo model, and it runs the user's. The worker opens it when it needs it.
 */
browser.runtime.onMessage.addListener((message: unknown, sender) => {
  if (sender.id !== browser.runtime.id || sender.tab || typeof message !== 'object' || message === null)
    return undefined;
  if ('reading' in message) {
    return readPage(message.reading as PageReading).then(
      (reply) => ({ ok: true, reply }),
      (error: unknown) => ({ ok: false, error: toWire(error) }),
    );
  }
  if ('prepare' in message) {
    prepareReader();
    return Promise.resolve(true);
  }
  if ('model' in message && 'asked' in message) {
    const port = browser.runtime.connect({ name: String(message.model) });
    const asked = message.asked as Asked;
    const of = 'of' in message ? (message.of as Inner) : 'browser';
    void serveModel(port, (signal) => answers[of](asked, signal));
    return Promise.resolve(true);
  }
  if ('mayClose' in message) return Promise.resolve(ggufModels.mayClose());
  return undefined;
});
