import { signal, type ReadonlySignal } from '@preact/signals';

export type Draft = {
  text: ReadonlySignal<string>;
  /** The person typed: saved soon. */
  type: (text: string) => void;
  /** Saves at once what is not saved yet. */
  flush: () => void;
  /** Shows a text that is already saved, or that belongs to nobody. */
  show: (text: string) => void;
};

const DELAY_MS = 300;

/** What is left of `typed` once `sent`, a trimmed text, is taken off its front; all of it when it begins otherwise. */
export function restAfter(sent: string, typed: string): string {
  const text = typed.trimStart();
  return text.startsWith(sent) ? text.slice(sent.length).trimStart() : typed;
}

/** The composer's text, saved shortly after each change so that nothing typed is lost. */
export function createDraft(save: (text: string) => void): Draft {
  const text = signal('');
  let timer: ReturnType<typeof setTimeout> | null = null;

  function stop(): boolean {
    if (timer === null) return false;
    clearTimeout(timer);
    timer = null;
    return true;
  }
  function flush(): void {
    if (stop()) save(text.value);
  }
  return {
    text,
    type(next) {
      text.value = next;
      stop();
      timer = setTimeout(flush, DELAY_MS);
    },
    flush,
    show(next) {
      stop();
      text.value = next;
    },
  };
}
