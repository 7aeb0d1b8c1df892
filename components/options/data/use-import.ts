import { useRef, useState } from 'preact/hooks';
import { AppError, sentencesOf, toWire } from '../../../lib/errors.ts';
import type { Left } from '../../../lib/import/importer.ts';
import type { Found } from '../../../lib/import/read-chats.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import type { AddedSettings, FileText, ImportOutcome, ProjectOutcome } from '../../../lib/protocol/data.ts';
import type { WireError } from '../../../lib/types/error.ts';
import { useSetupState } from '../options-context.ts';
import { useAction } from '../form/use-action.ts';
import { readExport, type Settings } from './read-export.ts';
import { t } from '../../../locales/texts/settings.ts';

type Outcomes = (ImportOutcome | ProjectOutcome | { error: WireError })[];

/** How many chats came to which end. */
export type Done = Record<ImportOutcome['outcome'], number>;

type Chat = Extract<Found, { type: 'chat' }> & { title: string };

/** Chats that go to the worker together, and bytes, after which no more come to them: a message may take 64 MiB. */
const MOST_CHATS = 50;
const MOST_BYTES = 1_000_000;

const isFull = (batch: Chat[]): boolean =>
  batch.length >= MOST_CHATS || batch.reduce((sum, { size }) => sum + size, 0) >= MOST_BYTES;

/** What came of the chats of a file. `left`: what of them did not come along; `more`: failures that are not named; `projects`: those that came. */
export type Added = {
  done: Done;
  left: Required<Left>;
  failures: { title: string; why: string }[];
  more: number;
  projects: { id: number; name: string }[];
};

export type ImportState =
  /** `at`: chats so far. `share`: of the file, from 0 to 1. */
  | { type: 'going'; at: number; share: number }
  | ({ type: 'stopped' } & Added)
  | ({ type: 'chats' } & Added)
  /** Nothing is added before the user has seen these texts. */
  | { type: 'to_show'; texts: FileText[]; file: Settings }
  | { type: 'settings'; added: AddedSettings; shown: boolean };

/** Adds what a file holds: chats one after the other, settings at once unless texts of theirs have to be shown first. */
export function useImport(added: () => void) {
  const { command } = useSetupState();
  const action = useAction();
  /** null as long as nothing is known of a file. */
  const [state, setState] = useState<ImportState | null>(null);
  const cancelling = useRef(new AbortController());

  /** @returns what the file says, if there are no chats in it; undefined otherwise */
  async function addChats(file: File, isWanted: () => boolean): Promise<string | undefined> {
    const sum: Added = {
      done: { new: 0, updated: 0, known: 0 },
      left: { image: 0, file: 0, audio: 0, other: 0 },
      failures: [],
      more: 0,
      projects: [],
    };
    const { readChats } = await import('../../../lib/import/read-chats.ts');
    const { signal } = cancelling.current;
    let at = 0;
    const progress = (share: number): void => {
      if (isWanted()) setState({ type: 'going', at, share });
    };
    const chats = readChats(file, new Date().toISOString(), { signal, progress });
    const next = () =>
      chats.next().catch((error: unknown) => {
        if (signal.aborted) return null;
        if (at === 0) setState(null);
        throw error;
      });
    let batch: Chat[] = [];
    try {
      for (;;) {
        const read = await next();
        if (!read || read.done || isFull(batch) || signal.aborted) {
          await addBatch(batch, sum);
          batch = [];
        }
        if (!isWanted()) return undefined;
        if (read?.done && read.value.type === 'none') {
          setState(null);
          return read.value.text;
        }
        if (read?.done) return void setState({ type: 'chats', ...sum });
        if (!read || signal.aborted) return void setState({ type: 'stopped', ...sum });
        const found = read.value;
        if (found.type === 'more_unread') {
          sum.more += found.number;
          continue;
        }
        at++;
        progress(found.share);
        const title = found.title ?? t(($) => $.data.untitled, { place: at });
        if (found.type === 'chat') batch.push({ ...found, title });
        else sum.failures.push({ title, why: t(($) => $.data.unread[found.why]) });
      }
    } finally {
      await chats.return({ type: 'chats' });
    }
  }

  async function addBatch(batch: Chat[], sum: Added): Promise<void> {
    if (batch.length === 0) return;
    const outcomes = await outcomesOf(batch);
    for (const [index, { title, left }] of batch.entries()) {
      const came = outcomes[index]!;
      if ('error' in came) {
        sum.failures.push({ title, why: sentencesOf(came.error) });
      } else if ('projectId' in came) {
        if (came.outcome === 'new') sum.projects.push({ id: came.projectId, name: title });
      } else {
        sum.done[came.outcome]++;
        for (const kind of Object.keys(sum.left) as (keyof Left)[]) sum.left[kind] += left[kind] ?? 0;
      }
    }
  }

  /** Chats that can't be added together are added one by one: one keeps no other from it. */
  async function outcomesOf(batch: Chat[]): Promise<Outcomes> {
    try {
      const { outcomes } = await command('importChats', {
        chats: batch.map(({ chat }) => chat),
        from: batch.map(({ from }) => from),
      });
      return outcomes;
    } catch (error) {
      if (batch.length === 1) return [{ error: toWire(error) }];
      const outcomes: Outcomes = [];
      for (const each of batch) outcomes.push(...(await outcomesOf([each])));
      // It is not for one of them.
      if (outcomes.every((each) => 'error' in each)) throw error;
      return outcomes;
    }
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
      cancelling.current = new AbortController();
      setState(null);
      const name = visible(file.name);
      const text = await addChats(file, isWanted)
        .finally(added)
        .catch((error: unknown) => {
          throw error instanceof AppError ? error : unreadable(t(($) => $.data.unreadable, { name }));
        });
      if (text === undefined) return;
      const read = readExport(text);
      if (read.type === 'not_json') throw unreadable(t(($) => $.data.notJson, { name }));
      if (read.type === 'unknown') throw unreadable(t(($) => $.data.notOurs, { name }));
      if (read.type === 'settings') await addSettings(read);
    });
  }

  /** Adds the file whose texts are shown. */
  function confirm(): void {
    if (state?.type === 'to_show') action.run(() => addSettings(state.file, state.texts));
  }

  /** Ends it; what was read is added. */
  const cancel = (): void => cancelling.current.abort();
  /** Adds nothing of it. */
  const dismiss = (): void => setState(null);
  return { state, error: action.error, busy: action.busy, take, cancel, confirm, dismiss };
}

export type Imports = ReturnType<typeof useImport>;

const unreadable = (message: string): AppError =>
  new AppError({ code: 'bad_import', message, fix: t(($) => $.data.exportFirst) });
