import { ClipboardPaste, Search } from 'lucide';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { serverPresets, type ServerPreset } from '../../../lib/server-presets.ts';
import { Icon } from '../../ui/icon.tsx';
import { ProgramCheck } from '../native-host/program-check.tsx';
import { go } from '../route.ts';
import { useDraft } from '../form/use-draft.ts';
import { ServerFormFrame } from './form.tsx';
import { draftOf, type ServerDraft } from './input.ts';
import { savedServer } from './use-server.ts';
import { useSave } from './use-save.ts';
import { Crumb, PageHead } from '../page-head.tsx';
import { t } from '../../../locales/texts/settings.ts';

export function AddServerPage(): JSX.Element {
  const { draft, set, forget } = useDraft('servers/add', () => draftOf(null));
  return (
    <>
      <Crumb href="#servers">{t(($) => $.options.servers)}</Crumb>
      <PageHead title={t(($) => $.servers.add)} />
      <div class="cols">
        <AddServer draft={draft} set={set} forget={forget} />
        {draft.transport === 'stdio' ? (
          <ProgramCheck draft={draft} server={null} />
        ) : (
          <aside class="side" aria-label={t(($) => $.servers.otherWays)}>
            <KnownServers choose={({ name, url }) => set({ name, url, transport: 'streamable-http' })} />
            <ImportInstead />
          </aside>
        )}
      </div>
    </>
  );
}

/** Those that many people use: one fills in the form. */
function KnownServers({ choose }: { choose: (preset: ServerPreset) => void }): JSX.Element {
  return (
    <>
      <h2>{t(($) => $.servers.known.title)}</h2>
      <p class="small muted">{t(($) => $.servers.known.text)}</p>
      <ul class="known" aria-label={t(($) => $.servers.known.title)}>
        {serverPresets.map((preset) => (
          <li key={preset.url}>
            <button type="button" class="btn s" onClick={() => choose(preset)}>
              {preset.name}
            </button>
            <span class="small muted">{t(($) => $.servers.known.access[preset.access])}</span>
          </li>
        ))}
      </ul>
      <a class="btn" href="#servers/registry">
        <Icon of={Search} />
        {t(($) => $.registry.title)}
      </a>
    </>
  );
}

function ImportInstead(): JSX.Element {
  return (
    <>
      <h2>{t(($) => $.servers.mcpJson.title)}</h2>
      <p class="small muted">{t(($) => $.servers.mcpJson.text)}</p>
      <a class="btn" href="#servers/import">
        <Icon of={ClipboardPaste} />
        {t(($) => $.servers.import)}
      </a>
    </>
  );
}

function AddServer(props: {
  draft: ServerDraft;
  set: (change: Partial<ServerDraft>) => void;
  forget: () => void;
}): JSX.Element {
  const { draft, set, forget } = props;
  // Once it is saved it is in the list: who comes back adds another.
  const isSaved = useRef(false);
  useEffect(() => () => void (isSaved.current && forget()), []);
  const saving = useSave(null, async ({ id, isMoved }, isWanted) => {
    isSaved.current = true;
    if (isMoved && isWanted()) return;
    forget();
    savedServer.value = id;
    if (isWanted()) await go('servers');
  });
  return (
    <ServerFormFrame
      draft={draft}
      set={set}
      saving={saving}
      words={t(($) => $.options.save)}
      note={draft.transport === 'stdio' ? '' : t(($) => $.options.asksFirst)}
      cancel={forget}
      server={null}
    />
  );
}
