import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { toWire } from '../../../lib/errors.ts';
import type { Outcome } from '../../../lib/protocol/servers.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import type { WireError } from '../../../lib/types/error.ts';
import { LaunchNotice } from '../native-host/launch-notice.tsx';
import { useSetup, useSetupState } from '../options-context.ts';
import { statusOf } from '../server-status.ts';
import { t } from '../../../locales/texts/settings.ts';

/** Servers that were added. `refused`: they were to be connected, but the browser was not allowed to. */
export type Added = { servers: { id: number; name: string }[]; connects: boolean; refused: boolean };

/** How each server that was added is doing; connects them first, if they are to be. */
export function ImportOutcome({ added, again }: { added: Added; again: () => void }): JSX.Element {
  return (
    <>
      {added.refused && (
        <p class="notice warn block" role="alert">
          <span>{t(($) => $.import.notGranted)}</span>
        </p>
      )}
      <section class="block" aria-label={t(($) => $.import.addedList)}>
        <h2>
          <span role="status">{t(($) => $.import.added, { count: added.servers.length })}</span>
        </h2>
        <ul class="rows" aria-label={t(($) => $.import.addedList)}>
          {added.servers.map((server) => (
            <AddedServer key={server.id} {...server} connects={added.connects} />
          ))}
        </ul>
      </section>
      <div class="actions">
        <a class="btn primary" href="#servers">
          {t(($) => $.import.done)}
        </a>
        <button class="btn quiet" onClick={again}>
          {t(($) => $.import.again)}
        </button>
      </div>
    </>
  );
}

function AddedServer({ id, name, connects }: { id: number; name: string; connects: boolean }): JSX.Element {
  const { command } = useSetupState();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  useEffect(() => {
    if (!connects) return;
    command('connect', { id })
      .catch((error: unknown): Outcome => ({ ok: false, error: toWire(error) }))
      .then(setOutcome);
  }, []);
  const setup = useSetup();
  const server = setup.servers.find((each) => each.id === id);
  // A program waits until the user has seen what it starts; what comes of that is its status.
  const program = server?.transport === 'stdio' && outcome ? server : undefined;
  const status = program && statusOf(setup, program);
  const ended = outcome?.ok ? 'connected' : 'error';
  const state = !connects ? 'disconnected' : outcome ? (status?.state ?? ended) : 'connecting';
  const error = status ? status.error : outcome?.error;
  return (
    <li class="set found" aria-label={visible(name)}>
      <span class="lamp" data-state={state} />
      <a class="wrap" href={`#servers/${id}`}>
        {visible(name)}
      </a>
      <span class="small muted" role="status" data-state={state}>
        {status?.reason === 'launch' ? t(($) => $.import.waits) : wordsFor(state, error)}
      </span>
      {error?.fix && <p class="small muted fix">{visible(error.fix)}</p>}
      {program && status?.reason === 'launch' && (
        <div class="fix">
          <LaunchNotice server={program} />
        </div>
      )}
    </li>
  );
}

function wordsFor(state: string, error: WireError | undefined): string {
  if (state === 'connected') return t(($) => $.import.connected);
  if (state === 'error') return visible(t(($) => $.import.failed, { why: error?.message ?? '' }));
  if (state === 'disconnected' && error) return visible(error.message);
  return state === 'connecting' ? t(($) => $.import.connecting) : t(($) => $.import.off);
}
