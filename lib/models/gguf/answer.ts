import { storedModels, weightsOf } from '../../gguf/store.ts';
import type { Asked, Told } from '../browser/messages.ts';
import { type FrameTold, type FrameWork, RUNTIME } from './frame-work.ts';

/** So long a model stays loaded that nobody asks. */
const SPARE_MS = 5 * 60_000;

type Loaded = {
  id: string;
  frame: HTMLIFrameElement;
  over: AbortController;
  ready: Promise<Told | undefined>;
};

/**
 * The models whose weights the user brought, one of them loaded, each in a frame of its own (entrypoints/gguf).
 * @param close called when it has long not been asked for any
 */
export function createGgufModels(close: () => void) {
  let loaded: Loaded | undefined;
  let asking = 0;
  let spare: ReturnType<typeof setTimeout> | undefined;

  async function* answer(asked: Asked, signal: AbortSignal): AsyncGenerator<Told> {
    const whole = (await storedModels()).filter(({ sha256 }) => sha256 !== undefined);
    if (asked.type === 'list')
      return yield { type: 'models', list: whole.map(({ id, context }) => listed(id, context)) };
    const model = whole.find(({ id }) => id === asked.body.model);
    if (!model)
      return yield refused(404, 'gguf_missing', `No weights of “${String(asked.body.model)}” are here.`);
    clearTimeout(spare);
    asking += 1;
    try {
      if (loaded?.id !== model.id) {
        if (loaded) drop(loaded);
        loaded = load(model.id, model.context);
      }
      const asks = loaded;
      const failed = await asks.ready;
      if (failed) drop(asks);
      if (failed) return yield failed;
      yield* chat(asks, asked.body, signal);
    } finally {
      asking -= 1;
    }
  }

  /** What went wrong may have left it of no use. */
  function drop(model: Loaded): void {
    model.frame.remove();
    model.over.abort(new Error('The model was unloaded.'));
    if (loaded === model) loaded = undefined;
  }

  async function* chat(
    model: Loaded,
    body: Record<string, unknown>,
    signal: AbortSignal,
  ): AsyncGenerator<Told> {
    let hasBegun = false;
    try {
      for await (const told of ask(model.frame, { type: 'chat', body }, signal, model.over.signal)) {
        hasBegun = true;
        if (told.type === 'chunk') yield told;
        if (told.type !== 'failed') continue;
        // What is too long it says itself; after all else it begins anew.
        const isTooLong = /context/i.test(told.message);
        if (!isTooLong) drop(model);
        yield refused(isTooLong ? 400 : 500, isTooLong ? 'context_length_exceeded' : null, told.message);
      }
    } finally {
      // It still reads, or hangs: neither can be stopped in another way.
      if (signal.aborted && !hasBegun) drop(model);
    }
  }

  return {
    answer,
    /** False while a model is loaded; it is called once nothing is asked of the document any more. */
    mayClose(): boolean {
      if (!loaded) return true;
      clearTimeout(spare);
      spare = setTimeout(() => asking === 0 && close(), SPARE_MS);
      return false;
    },
  };
}

function load(id: string, context: number): Loaded {
  const frame = Object.assign(document.createElement('iframe'), { src: '/gguf.html', hidden: true });
  frame.sandbox.add('allow-scripts');
  const over = new AbortController();
  const there = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  document.documentElement.append(frame);
  const ready = (async () => {
    const weights = [new Blob(await weightsOf(id))];
    const bytes = await (await fetch(`/${RUNTIME}`)).arrayBuffer();
    const runtime = new Blob([bytes], { type: 'application/wasm' });
    await there;
    for await (const told of ask(frame, { type: 'load', runtime, weights, context }, over.signal))
      if (told.type === 'failed') return refused(422, 'gguf_unusable', told.message);
    return undefined;
  })();
  return { id, frame, over, ready };
}

/** What the frame tells, up to its last. An abort makes it stop. */
async function* ask(
  frame: HTMLIFrameElement,
  work: FrameWork,
  ...signals: AbortSignal[]
): AsyncGenerator<FrameTold> {
  const signal = AbortSignal.any(signals);
  const { port1: port, port2 } = new MessageChannel();
  const untaken: FrameTold[] = [];
  let changed = (): void => {};
  port.addEventListener('message', ({ data }: MessageEvent<FrameTold>) => {
    untaken.push(data);
    changed();
  });
  port.start();
  signal.addEventListener('abort', () => changed(), { once: true });
  frame.contentWindow?.postMessage(work, '*', [port2]);
  try {
    for (;;) {
      signal.throwIfAborted();
      const told = untaken.shift();
      if (told?.type === 'done') return;
      if (told) yield told;
      if (told?.type === 'failed') return;
      if (!told) await new Promise<void>((resolve) => (changed = resolve));
    }
  } finally {
    if (signal.aborted) port.postMessage('stop');
    else port.close();
  }
}

const listed = (id: string, context: number): object => ({
  id,
  object: 'model',
  owned_by: 'user',
  capabilities: { function_calling: true, vision: false },
  context_window: context,
});

const refused = (
  status: number,
  code: string | null,
  message: string,
): Extract<Told, { type: 'refused' }> => ({
  type: 'refused',
  status,
  error: { code, message },
});
