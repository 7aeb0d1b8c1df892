import { useState } from 'preact/hooks';

/** By form; as long as the page lives. */
const drafts = new Map<string, unknown>();

/** Puts something into a form that is not shown yet. */
export const keepDraft = (form: string, draft: object): void => void drafts.set(form, draft);

/**
 * What is typed in a form. It outlives the form, so that nothing typed is lost on the way to another page and back,
 * until it is saved or given up.
 * @param form its name: the address it is reached by
 * @param start what the form shows before anything is typed
 * @returns `forget` lets go of what is typed; `settle` of what was saved, where the form stays: it shows that
 * with `blank` for what is not shown again; what was typed while it was being saved stays a draft
 */
export function useDraft<Draft extends object>(form: string, start: () => Draft) {
  const kept = (): Draft => (drafts.get(form) as Draft | undefined) ?? start();
  const [draft, show] = useState(kept);
  const set = (change: Partial<Draft>): void => {
    const next = { ...kept(), ...change };
    drafts.set(form, next);
    show(next);
  };
  const forget = (): void => void drafts.delete(form);
  const settle = (saved: Draft, blank: Partial<Draft>): void => {
    // This closure is as old as the saving, so `draft` is what was shown then.
    const now = kept();
    const typed = (Object.keys(now) as (keyof Draft)[]).filter(
      (field) => now[field] !== saved[field] && now[field] !== draft[field],
    );
    const shown = { ...saved, ...blank, ...Object.fromEntries(typed.map((field) => [field, now[field]])) };
    if (typed.length > 0) drafts.set(form, shown);
    else forget();
    show(shown);
  };
  return { draft, set, forget, settle };
}
