import { useState } from 'preact/hooks';
import { requestAccess } from '../../../lib/gestures.ts';
import type { Added, Outcome, ServerInput } from '../../../lib/protocol/servers.ts';
import type { WireError } from '../../../lib/types/error.ts';
import type { Server } from '../../../lib/types/server.ts';
import { useSetupState } from '../options-context.ts';
import { checkServer, faultsOf, type ServerDraft, type ServerFaults } from './input.ts';
import { useAction } from '../form/use-action.ts';
import { t } from '../../../locales/texts/settings.ts';

/** The draft as it was sent. `isMoved`: the user has to agree to the server's new address before it can connect. */
export type Saved = { id: number; draft: ServerDraft; isMoved: boolean };

/** Saves a server and connects it. `done` gets what was saved. */
export function useSave(
  server: Server | null,
  done: (saved: Saved, isWanted: () => boolean) => Promise<void> | void,
) {
  const { command } = useSetupState();
  const [faults, setFaults] = useState<ServerFaults>({});
  /** How the attempt to connect ended, of what was saved. */
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  /** Why it was not saved, where no field is at fault. */
  const [error, setError] = useState<WireError | null>(null);
  /** What was looked for in vain, so that nothing was saved. */
  const [missed, setMissed] = useState<Added | null>(null);
  /** What was added, and is changed by the next Save. */
  const [added, setAdded] = useState<number>();
  const action = useAction();

  async function store(
    draft: ServerDraft,
    input: ServerInput & { find: boolean },
    isWanted: () => boolean,
  ): Promise<void> {
    const { id, ...ended } = await command('addServer', input);
    if (id === undefined) {
      const found = ended.error && faultsOf(ended.error, input);
      if (found) setFaults(found);
      else if (ended.tried) setMissed(ended);
      else setError(ended.error ?? null);
      return;
    }
    setAdded(id);
    setOutcome(ended);
    await done({ id, draft, isMoved: ended.error?.redirectedTo !== undefined }, isWanted);
  }

  /**
   * Checks, asks the browser for the server's host, or to start programs, and saves: call it in a click. A new server
   * that does not answer is saved only if it `isAnyway`.
   */
  const save = (draft: ServerDraft, isAnyway = false): void => {
    if (action.busy) return;
    action.clear();
    setError(null);
    setOutcome(null);
    setMissed(null);
    const checked = checkServer(draft, server);
    if ('faults' in checked) return setFaults(checked.faults);
    const input = added === undefined ? checked.input : { ...checked.input, id: added };
    setFaults({});
    // First of all, while the click still counts.
    const granting =
      'url' in input ? requestAccess([input.url], false) : input.enabled && requestAccess([], true);
    action.run(async (isWanted) => {
      // A program is saved all the same: its server’s status says what is missing.
      if (!(await granting) && 'url' in input) {
        return setFaults({
          url: t(($) => $.options.refused, { host: URL.parse(input.url)?.host ?? input.url }),
        });
      }
      await store(draft, { ...input, find: server === null && !isAnyway }, isWanted);
    });
  };
  return { busy: action.busy, faults, error: error ?? action.error, outcome, missed, save };
}

export type Saving = ReturnType<typeof useSave>;
