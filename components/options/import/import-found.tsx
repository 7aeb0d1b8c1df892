import type { JSX } from 'preact';
import type { ConfiguredServer, ServerConfig } from '../../../lib/config-file/server-config.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import { type ImportDraft, isTicked, reachedBy } from './import-input.ts';
import { useSetup } from '../options-context.ts';
import { t } from '../../../locales/texts/settings.ts';

/** The servers of the file, each with what speaks against it. */
export function ImportFound(props: {
  config: ServerConfig | null;
  draft: ImportDraft;
  set: (change: Partial<ImportDraft>) => void;
}): JSX.Element {
  const { config, draft, set } = props;
  const tick = (name: string, ticked: boolean): void =>
    set({ ticks: new Map(draft.ticks).set(name, ticked) });
  return (
    <div class="field">
      <span class="label" role="status">
        {config && t(($) => $.import.found, { count: config.servers.length })}
      </span>
      {config ? (
        <ul class="rows" aria-label={t(($) => $.import.foundList)}>
          {config.servers.map((server, position) => (
            <Found
              key={position}
              server={server}
              ticked={isTicked(server, draft)}
              tick={(ticked) => tick(server.input.name, ticked)}
            />
          ))}
        </ul>
      ) : (
        <p class="muted">{t(($) => $.import.nothing)}</p>
      )}
    </div>
  );
}

function Found(props: {
  server: ConfiguredServer;
  ticked: boolean;
  tick: (ticked: boolean) => void;
}): JSX.Element {
  const { input, problems, usable, sameNameAs } = props.server;
  const same = useSetup().servers.find(({ id }) => id === sameNameAs);
  const notes = [...(same ? [t(($) => $.import.already, { name: visible(same.name) })] : []), ...problems];
  return (
    <li class="set found" aria-label={visible(input.name)}>
      <label class="check">
        <input
          type="checkbox"
          aria-label={t(($) => $.import.take, { name: visible(input.name) })}
          checked={props.ticked}
          disabled={!usable}
          onChange={({ currentTarget }) => props.tick(currentTarget.checked)}
        />
      </label>
      <span class="wrap">{visible(input.name)}</span>
      <span class={usable ? 'badge' : 'badge danger'}>
        {usable ? t(($) => $.servers.transport[input.transport]) : t(($) => $.import.unusable)}
      </span>
      <div class="rest">
        <p class="addr cut" dir="ltr" title={reachedBy(input)}>
          {reachedBy(input)}
        </p>
        {notes.map((note) => (
          <p key={note} class={usable ? 'small warned' : 'small warned bad'}>
            {visible(note)}
          </p>
        ))}
      </div>
    </li>
  );
}
