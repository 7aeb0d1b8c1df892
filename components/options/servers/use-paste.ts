import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { readServerConfig } from '../../../lib/config-file/read.ts';
import type { ConfiguredServer, ServerConfig } from '../../../lib/config-file/server-config.ts';
import type { ServerInput } from '../../../lib/protocol/servers.ts';
import type { Server } from '../../../lib/types/setup.ts';
import { emptyImport } from '../import/import-input.ts';
import { useSetup } from '../options-context.ts';
import { go } from '../route.ts';
import { keepDraft } from '../form/use-draft.ts';
import type { ServerDraft } from './input.ts';

type Set = (change: Partial<ServerDraft>) => void;

export type Pasting = {
  /** What of it was left out, in sentences; null while nothing was filled in. */
  notes: string[] | null;
  /** For the form. */
  onPaste: (event: ClipboardEvent) => void;
  /** For the form: the key that undoes. */
  onKeyDown: (event: KeyboardEvent) => void;
  /** For the fields. */
  set: Set;
  /** Reads what was typed as if it was pasted. @returns whether it is a server's configuration */
  read: (text: string) => boolean;
  /** Puts everything back as it was pasted. */
  undo: () => void;
};

/**
 * Servers' configurations and command lines that are pasted into a field of `form`: one server fills the form in, several
 * or what needs answers go to the import.
 */
export function usePaste(
  form: RefObject<HTMLFormElement | null>,
  draft: ServerDraft,
  setDraft: Set,
  server: Server | null,
): Pasting {
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
    const only = config.servers.length === 1 ? config.servers[0] : undefined;
    const change = only && config.questions.length === 0 ? changeOf(only) : null;
    if (only && change) {
      isFresh.current = true;
      setFilled({ before, notes: only.problems });
      setDraft(server ? { ...change, name: draft.name } : change);
    } else {
      keepDraft('servers/import', { ...emptyImport, text });
      void go('servers', 'import');
    }
    return true;
  };
  const undo = (): void => {
    if (!filled) return;
    setDraft(filled.before);
    setFilled(null);
  };
  return {
    notes: filled && filled.notes,
    onPaste(event) {
      pasted.current = event.clipboardData?.getData('text/plain') ?? null;
      // What it changes in a field comes at once, if anything.
      setTimeout(() => (pasted.current = null));
    },
    set(change) {
      const text = pasted.current;
      pasted.current = null;
      if (text !== null && fillIn(text, { ...draft, ...change })) return;
      isFresh.current = false;
      setDraft(change);
    },
    onKeyDown(event) {
      const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey;
      if (!isUndo || !filled || !isFresh.current) return;
      event.preventDefault();
      undo();
    },
    read: (text) => fillIn(text, draft),
    undo,
  };
}

function configIn(text: string, servers: Server[]): ServerConfig | null {
  try {
    return readServerConfig(text, servers);
  } catch {
    return null; // most of what is pasted is plain text
  }
}

/** What a configured server fills in; null when the form can't show all of it. */
function changeOf({ key, input, usable }: ConfiguredServer): Partial<ServerDraft> | null {
  if (!usable) return null;
  const common = { name: key === '' ? '' : input.name, toolTimeout: String(input.toolTimeout) };
  if ('url' in input) return { ...common, ...remoteChange(input) };
  const { command, args, cwd = '', env = {} } = input;
  const isPlain = (text: string): boolean => !/[\r\n]/.test(text);
  if (![...args, ...Object.values(env)].every(isPlain) || args.some((arg) => arg.trim() === '')) return null;
  return { ...common, transport: 'stdio', command, args: args.join('\n'), cwd, env: lines(env, '=') };
}

function remoteChange(input: Extract<ServerInput, { url: string }>): Partial<ServerDraft> {
  const { transport, url, headers = {}, oauthClient } = input;
  const client = { clientId: oauthClient?.id ?? '', clientSecret: oauthClient?.secret ?? '' };
  return { transport, url, headers: lines(headers, ': '), ...client };
}

const lines = (pairs: Record<string, string>, between: string): string =>
  Object.entries(pairs)
    .map(([name, value]) => `${name}${between}${value}`)
    .join('\n');
