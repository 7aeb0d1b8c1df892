import { useState } from 'preact/hooks';

/** By form; as long as the page lives. */
const drafts = new Map<string, unknown>();

/**
 * What is typed in a form. It outlives the form, so that nothing typed is lost on the way to another page and back,
 * until it is saved or given up.
 * @param form its name: the address it is reached by
 * @param start what the form shows before anything is typed
 * @returns `forget` lets go of what is typed; `settle` too, where the form stays and shows something else from then on
 */
export function useDraft<Draft extends object>(
  form: string,
  start: () => Draft,
): {
  draft: Draft;
  set: (change: Partial<Draft>) => void;
  forget: () => void;
  settle: (shown: Draft) => void;
} {
  const kept = (): Draft => (drafts.get(form) as Draft | undefined) ?? start();
  const [draft, show] = useState(kept);
  const set = (change: Partial<Draft>): void => {
    const next = { ...kept(), ...change };
    drafts.set(form, next);
    show(next);
  };
  const forget = (): void => void drafts.delete(form);
  const settle = (shown: Draft): void => {
    forget();
    show(shown);
  };
  return { draft, set, forget, settle };
}
