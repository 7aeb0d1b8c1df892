import { Wllama } from '@wllama/wllama';
import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';
import type { FrameTold, FrameWork } from '../../lib/models/gguf/frame-work.ts';

/**
 * Runs a model's weights, which are the bytes of others: in a frame of an opaque origin with nothing of the browser's API,
 * no storage and no network. The runtime starts its worker from a blob, which extension pages may not.
 */
export default defineUnlistedScript(() => {
  // A module's worker is refused to an opaque origin, and the runtime's need be none.
  globalThis.Worker = new Proxy(Worker, { construct: (of, [url]: [string]) => new of(url) });
  let model: Wllama | undefined;

  async function load({ runtime, weights, context }: Extract<FrameWork, { type: 'load' }>): Promise<void> {
    model = new Wllama(
      { default: URL.createObjectURL(runtime) },
      { suppressNativeLog: true, logger: { ...console, debug: () => {}, log: () => {}, warn: () => {} } },
    );
    // What it has for browsers that lack something comes from a CDN.
    model.setCompat(null);
    await model.loadModel(weights, { n_ctx: context, n_parallel: 1, jinja: true });
  }

  async function chat(body: Record<string, unknown>, port: MessagePort): Promise<void> {
    if (!model) throw new Error('No model is loaded.');
    const stop = new AbortController();
    port.addEventListener('message', () => stop.abort());
    port.start();
    await model.createChatCompletion({
      ...(body as { messages: [] }),
      stream: true,
      abortSignal: stop.signal,
      onData: (chunk) => port.postMessage({ type: 'chunk', chunk } satisfies FrameTold),
    });
  }

  addEventListener('message', ({ data, ports: [port], source }: MessageEvent<FrameWork>) => {
    if (source !== parent || !port) return;
    (data.type === 'load' ? load(data) : chat(data.body, port)).then(
      () => port.postMessage({ type: 'done' } satisfies FrameTold),
      (error: unknown) =>
        port.postMessage({
          type: 'failed',
          message: error instanceof Error ? error.message : String(error),
        } satisfies FrameTold),
    );
  });
});
