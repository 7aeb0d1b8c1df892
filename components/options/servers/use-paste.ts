import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Server } from '../../../lib/types/server.ts';
import { useSetup } from '../options-context.ts';
import type { ServerDraft } from './input.ts';
import { configIn, filledBy, openImport } from './open-config.ts';

type Set = (change: Partial<ServerDraft>) => void;

/**
 * Servers' configurations and command lines that are pasted into a field of `form`: one server fills the form in, several
 * or what needs answers go to the import.
 */
export function usePaste(
  form: RefObject<HTMLFormElement | null>,
  draft: ServerDraft,
  setDraft: Set,
  server: Server | null,
) {
  const { servers } = useSetup();
  const pasted = useRef<string | null>(null);
  const [filled, setFilled] = useState<{ before: ServerDraft; notes: string[] } | null>(null);
  /** Nothing was changed since. */
  const isFresh = useRef(false);

  // The field that it was pasted into may be gone.
  useLayoutEffect(() => {
    if (filled && !form.current?.contains(document.activeElement))
      form.current?.querySelector<HTMLElement>('input')?.focus();
  }, [filled]);

  const fillIn = (text: string, before: ServerDraft): boolean => {
    const config = configIn(text, servers);
    if (!config) return false;
    const filledIn = filledBy(config);
    if (!filledIn) openImport(text, true);
    else {
      const { change, problems } = filledIn;
      isFresh.current = true;
      setFilled({ before, notes: problems });
      setDraft(server ? { ...change, name: draft.name } : change);
    }
    return true;
  };
  const undo = (): void => {
    if (!filled) return;
    setDraft(filled.before);
    setFilled(null);
  };
  return {
    /** What of it was left out, in sentences; null while nothing was filled in. */
    notes: filled && filled.notes,
    onPaste(event: ClipboardEvent): void {
      pasted.current = event.clipboardData?.getData('text/plain') ?? null;
      // What it changes in a field comes at once, if anything.
      setTimeout(() => (pasted.current = null));
    },
    /** For the fields. */
    set(change: Partial<ServerDraft>): void {
      const text = pasted.current;
      pasted.current = null;
      if (text !== null && fillIn(text, { ...draft, ...change })) return;
      isFresh.current = false;
      setDraft(change);
    },
    /** For the form: the key that undoes. */
    onKeyDown(event: KeyboardEvent): void {
      const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey;
      if (!isUndo || !filled || !isFresh.current) return;
      event.preventDefault();
      undo();
    },
    /** Reads what was typed as if it was pasted. @returns whether it is a server's configuration */
    read: (text: string): boolean => fillIn(text, draft),
    /** Puts everything back as it was pasted. */
    undo,
  };
}
