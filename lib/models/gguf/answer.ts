import { untilAborted } from '../../async.ts';
import { type StoredModel, storedModels, weightsOf } from '../../gguf/store.ts';
import type { Asked, Told } from '../browser/messages.ts';
import { type Runtime, startRuntime } from './runtime.ts';

/** An unused model stays loaded for so long. */
const SPARE_MS = 5 * 60_000;

/** So long it may go on when it was stopped: a template of its file's may loop without end. */
const STOPS_MS = 10_000;

/** `key`: of the file, since another one may get its name. `gone`: aborted when it is unloaded. */
type Loaded = { key: string; runtime: Runtime; gone: AbortController };

/**
 * The models whose weights the user brought, one of them loaded at a time.
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
    const wanted = whole.find(({ id }) => id === asked.body.model);
    if (!wanted)
      return yield refused(404, 'gguf_missing', `No weights of “${String(asked.body.model)}” are here.`);
    clearTimeout(spare);
    asking += 1;
    try {
      yield* chat(load(wanted), asked.body, signal);
    } finally {
      asking -= 1;
      if (asking === 0) spare = setTimeout(unloadSpare, SPARE_MS);
    }
  }

  function load({ id, sha256, context }: StoredModel): Loaded {
    const key = `${id}/${sha256}`;
    if (loaded?.key === key) return loaded;
    if (loaded) unload(loaded);
    const weights = weightsOf(id).then((parts) => new Blob(parts));
    return (loaded = { key, runtime: startRuntime(weights, context), gone: new AbortController() });
  }

  function unloadSpare(): void {
    if (asking > 0) return;
    if (loaded) unload(loaded);
    close();
  }

  /** What it answers just then fails. */
  function unload(gone: Loaded): void {
    if (loaded === gone) loaded = undefined;
    gone.runtime.end();
    gone.gone.abort(new Error('It was unloaded.'));
  }

  async function* chat(
    from: Loaded,
    body: Record<string, unknown>,
    signal: AbortSignal,
  ): AsyncGenerator<Told> {
    const answered = <T>(promise: Promise<T>): Promise<T> => untilAborted(promise, from.gone.signal);
    let stopping: ReturnType<typeof setTimeout> | undefined;
    const stop = () => (stopping = setTimeout(unload, STOPS_MS, from));
    signal.addEventListener('abort', stop);
    let isLoaded = false;
    try {
      const model = await answered(from.runtime.model);
      isLoaded = true;
      const asked = { ...(body as { messages: [] }), stream: true, abortSignal: signal } as const;
      const chunks = (await answered(model.createChatCompletion(asked)))[Symbol.asyncIterator]();
      for (;;) {
        const { done, value: chunk } = await answered(chunks.next());
        if (done) return;
        yield { type: 'chunk', chunk };
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!isLoaded) {
        unload(from);
        return yield refused(422, 'gguf_unusable', wordsOf(error));
      }
      const words = wordsOf(error);
      // What is too long it says itself; after all else it is loaded anew.
      if (/context/i.test(words)) return yield refused(400, 'context_length_exceeded', words);
      unload(from);
      yield refused(500, null, words);
    } finally {
      clearTimeout(stopping);
      signal.removeEventListener('abort', stop);
    }
  }

  return {
    answer,
    /** Whether none is loaded. */
    mayClose: (): boolean => !loaded,
  };
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

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
