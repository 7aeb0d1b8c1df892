import { useRef, useState } from 'preact/hooks';
import { AppError, toWire } from '../../../lib/errors.ts';
import type { Commands } from '../../../lib/protocol/commands.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import type { AddedSettings, FileText } from '../../../lib/protocol/data.ts';
import type { WireError } from '../../../lib/types/error.ts';
import { useSetupState } from '../options-context.ts';
import { useAction } from '../form/use-action.ts';
import { readExport, type Settings, titleIn } from './read-export.ts';
import { t } from '../../../locales/texts/settings.ts';

/** How many chats came to which end. */
export type Done = Record<ReturnType<Commands['importChat']>['outcome'], number>;

export type ImportState =
  /** `at`: of the chat that is being added, from 1. */
  | { type: 'going'; at: number; of: number }
  | { type: 'stopped'; at: number; of: number; done: Done }
  | { type: 'chats'; done: Done; failures: { title: string; why: string }[] }
  /** Nothing is added before the user has seen these texts. */
  | { type: 'to_show'; texts: FileText[]; file: Settings }
  | { type: 'settings'; added: AddedSettings; shown: boolean };

/** Adds what a file holds: chats one after the other, settings at once unless texts of theirs have to be shown first. */
export function useImport(added: () => void): {
  /** null as long as nothing is known of a file. */
  state: ImportState | null;
  error: WireError | null;
  busy: boolean;
  take: (file: File) => void;
  /** Ends it after the chat that is being added. */
  cancel: () => void;
  /** Adds the file whose texts are shown. */
  confirm: () => void;
  /** Adds nothing of it. */
  dismiss: () => void;
} {
  const { command } = useSetupState();
  const action = useAction();
  const [state, setState] = useState<ImportState | null>(null);
  const isCancelled = useRef(false);

  async function addChats(chats: unknown[], isWanted: () => boolean): Promise<void> {
    const failures: { title: string; why: string }[] = [];
    const done: Done = { new: 0, updated: 0, known: 0 };
    for (const [place, chat] of chats.entries()) {
      if (!isWanted()) return;
      if (isCancelled.current) return setState({ type: 'stopped', at: place, of: chats.length, done });
      setState({ type: 'going', at: place + 1, of: chats.length });
      try {
        const { outcome } = await command('importChat', { chat });
        done[outcome]++;
      } catch (error) {
        const why = [toWire(error).message, toWire(error).fix].filter(Boolean).join(' ');
        failures.push({ title: titleIn(chat) ?? t(($) => $.data.untitled, { place: place + 1 }), why });
      }
    }
    setState({ type: 'chats', done, failures });
  }

  async function addSettings({ text, servers }: Settings, shown: FileText[] = []): Promise<void> {
    const outcome = await command('importSettings', { text, servers, shown });
    if (outcome.type === 'to_show')
      return setState({ type: 'to_show', texts: outcome.texts, file: { text, servers } });
    setState({ type: 'settings', added: outcome, shown: shown.length > 0 });
    added();
  }

  function take(file: File): void {
    action.run(async (isWanted) => {
      isCancelled.current = false;
      setState(null);
      const name = visible(file.name);
      const text = await file.text().catch(() => fail(t(($) => $.data.unreadable, { name })));
      const read = readExport(text);
      if (read.type === 'not_json') fail(t(($) => $.data.notJson, { name }));
      if (read.type === 'unknown') fail(t(($) => $.data.notOurs, { name }));
      if (read.type === 'chats') await addChats(read.chats, isWanted).finally(added);
      if (read.type === 'settings') await addSettings(read);
    });
  }

  function confirm(): void {
    if (state?.type === 'to_show') action.run(() => addSettings(state.file, state.texts));
  }

  const cancel = (): void => void (isCancelled.current = true);
  const dismiss = (): void => setState(null);
  return { state, error: action.error, busy: action.busy, take, cancel, confirm, dismiss };
}

function fail(message: string): never {
  throw new AppError({ code: 'bad_import', message, fix: t(($) => $.data.exportFirst) });
}
