import type { Wllama } from '@wllama/wllama';
import { RUNTIME, WORKER } from './files.ts';

const quiet = { debug: () => {}, log: () => {}, warn: () => {}, error: () => {} };

/** `model` rejects when the weights can't be loaded. */
export type Runtime = {
  model: Promise<Wllama>;
  /** Ends its worker at once, whatever that is at: what it was asked never settles. */
  end: () => void;
};

/** Loads weights into a worker of their own; on the graphics card as far as the browser has WebGPU. */
export function startRuntime(weights: Promise<Blob>, context: number): Runtime {
  let worker: Worker | undefined;
  let isOver = false;
  async function load(): Promise<Wllama> {
    const [{ Wllama: Runtime }, file] = await Promise.all([import('@wllama/wllama'), weights]);
    if (isOver) throw new Error('It was unloaded.');
    // It would start its worker from a blob. Nothing else in this document starts one.
    globalThis.Worker = new Proxy(OwnWorker, { construct: () => (worker = new OwnWorker(`/${WORKER}`)) });
    const model = new Runtime({ default: RUNTIME }, { suppressNativeLog: true, logger: quiet });
    // What it has for browsers that lack something comes from a CDN.
    model.setCompat(null);
    await model.loadModel([file], { n_ctx: context, n_threads: 1, n_parallel: 2, jinja: true });
    // It does not look at that itself (3.13.0): what is asked next would fail without a reason.
    const info: object = model.getLoadedContextInfo();
    if ('success' in info && info.success === false) throw new Error('llama.cpp could not load the file.');
    return model;
  }
  const end = (): void => {
    isOver = true;
    worker?.terminate();
  };
  return { model: load(), end };
}

const { Worker: OwnWorker } = globalThis;
