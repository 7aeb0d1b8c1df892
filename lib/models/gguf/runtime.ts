import type { Wllama } from '@wllama/wllama';
import { RUNTIME, WORKER } from './files.ts';

const quiet = { debug: () => {}, log: () => {}, warn: () => {}, error: () => {} };

/**
 * Loads weights into a worker of their own; on the graphics card as far as the browser has WebGPU.
 * @throws Error when they can't be loaded
 */
export async function loadWeights(weights: Blob[], context: number): Promise<Wllama> {
  const { Wllama: Runtime } = await import('@wllama/wllama');
  // It would start its worker from a blob. Nothing else in this document starts one.
  globalThis.Worker = new Proxy(OwnWorker, { construct: () => new OwnWorker(`/${WORKER}`) });
  const model = new Runtime({ default: RUNTIME }, { suppressNativeLog: true, logger: quiet });
  // What it has for browsers that lack something comes from a CDN.
  model.setCompat(null);
  try {
    await model.loadModel(weights, { n_ctx: context, n_threads: 1, n_parallel: 2, jinja: true });
    // It does not look at that itself (3.13.0): what is asked next would fail without a reason.
    const info: object = model.getLoadedContextInfo();
    if ('success' in info && info.success === false) throw new Error('llama.cpp could not load the file.');
    return model;
  } catch (error) {
    await model.exit();
    throw error;
  }
}

const { Worker: OwnWorker } = globalThis;
