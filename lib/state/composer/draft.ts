import { signal, type ReadonlySignal } from '@preact/signals';
import { withoutInvisible } from '../../invisible.ts';
import { createLater } from '../later.ts';

/** Texts that both belong into the composer, one under the other. */
export const joined = (...texts: string[]): string => texts.filter((text) => text !== '').join('\n');

export const quotation = (text: string): string =>
  withoutInvisible(text)
    .text.trim()
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');

/** What is left of `typed` once `sent`, a trimmed text, is taken off its front; all of it when it begins otherwise. */
export function restAfter(sent: string, typed: string): string {
  const text = typed.trimStart();
  return text.startsWith(sent) ? text.slice(sent.length).trimStart() : typed;
}

/**
 * The composer's text, saved shortly after each change so that nothing typed is lost.
 * @param save false when it failed: it is tried again for as long as the text is the same
 */
export function createDraft(save: (text: string) => Promise<boolean>) {
  const text = signal('');
  let saved = '';
  const later = createLater(async (typed: string) => {
    saved = typed;
    if (!(await save(typed)) && typed === text.value) later.put(typed);
  });
  return {
    text: text as ReadonlySignal<string>,
    /** The user typed: saved soon. */
    type(next: string): void {
      text.value = next;
      later.put(next);
    },
    /** Saves at once what is not saved yet. */
    flush: later.flush,
    /** What was last saved, or shown as such. */
    saved: (): string => saved,
    /** Shows a text that is already saved, or that no chat owns. */
    show(next: string): void {
      later.drop();
      saved = next;
      text.value = next;
    },
  };
}

export type Draft = ReturnType<typeof createDraft>;
