import { useEffect, useRef, useState } from 'preact/hooks';
import { AppError } from '../../../lib/errors.ts';
import { bring, WeightsError } from '../../../lib/gguf/fetch-weights.ts';
import { removeModel, type Stored, storedModels, type StoredModel } from '../../../lib/gguf/store.ts';
import { t } from '../../../locales/texts/settings.ts';
import { useAction } from '../form/use-action.ts';

/** The models in this browser, and the one that is being brought: a page brings one at a time, as long as it is open. */
export function useWeights() {
  const [stored, setStored] = useState<Stored[] | null>(null);
  const [coming, setComing] = useState<{ id: string; there: number } | null>(null);
  const action = useAction();
  const stop = useRef<AbortController | null>(null);
  const look = (): Promise<void> => storedModels().then(setStored);
  useEffect(() => {
    void look();
    return () => stop.current?.abort();
  }, []);

  /** Call it in the click that wants it. */
  const start = (model: StoredModel, file?: File): void =>
    action.run(async () => {
      const { signal } = (stop.current = new AbortController());
      let shown = -1;
      const progress = (there: number): void => {
        const percent = Math.floor((there / model.size) * 100);
        if (percent === shown) return;
        // From now on it is listed.
        if (shown === -1) void look();
        shown = percent;
        setComing({ id: model.id, there });
      };
      setComing({ id: model.id, there: 0 });
      // Not asked for by every browser: what is not persistent goes first when a disk is full.
      void navigator.storage.persist();
      try {
        await bring(model, { ...(file && { file }), progress, signal });
      } catch (error) {
        if (!signal.aborted) throw inWords(error);
      } finally {
        setComing(null);
        await look();
      }
    });

  const remove = (id: string): void =>
    action.run(async () => {
      await removeModel(id);
      await look();
    });
  return { stored, coming, action, start, remove, pause: () => stop.current?.abort() };
}

export type Weights = ReturnType<typeof useWeights>;

/** Why it failed, for the user. */
export function inWords(error: unknown): unknown {
  if (!(error instanceof WeightsError)) return error;
  return new AppError({
    code: `gguf_${error.why}`,
    message: t(($) => $.gguf.faults[error.why]),
    ...(error.message !== '' && { cause: error.message }),
  });
}
