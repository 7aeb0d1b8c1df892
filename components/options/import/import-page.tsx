import type { JSX } from 'preact';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { askSettingsText } from '../../settings-text.ts';
import { ImportForm } from './import-form.tsx';
import { emptyImport } from './import-input.ts';
import { type Added, ImportOutcome } from './import-outcome.tsx';
import { ImportSource } from './import-source.tsx';
import { useDraft } from '../form/use-draft.ts';
import { Crumb, PageHead } from '../page-head.tsx';
import { readServerConfig } from '../../../lib/config-file/read-config.ts';
import type { ServerConfig } from '../../../lib/config-file/server-config.ts';
import { toWire } from '../../../lib/errors.ts';
import type { WireError } from '../../../lib/types/error.ts';
import { useSetup } from '../options-context.ts';
import './import.css';
import { t } from '../../../locales/texts/settings.ts';

/** The page Import servers: what a file holds, what of it to add, and how that went. */
export function ImportPage(): JSX.Element {
  const { draft, set, forget } = useDraft('servers/import', () => emptyImport);
  const [added, setAdded] = useState<Added | null>(null);
  const { config, fault } = useServerConfig(added ? '' : draft.text);
  const setText = useCallback((text: string) => set({ text }), []);
  useEffect(() => askSettingsText((text) => set({ ...emptyImport, text })), []);
  const add = (servers: Added): void => {
    forget();
    setAdded(servers);
  };
  const again = (): void => {
    set(emptyImport);
    setAdded(null);
  };
  return (
    <>
      <Crumb href="#servers">{t(($) => $.options.servers)}</Crumb>
      <PageHead title={t(($) => $.import.title)} lead={!added && t(($) => $.import.lead)} />
      {added ? (
        <ImportOutcome added={added} again={again} />
      ) : (
        <div class="cols halves">
          <ImportSource text={draft.text} set={setText} fault={fault} />
          <ImportForm config={config} draft={draft} set={set} added={add} cancel={forget} />
        </div>
      )}
    </>
  );
}

/** What is found in a text, as it is typed. Both null while there is nothing to read. */
function useServerConfig(text: string): { config: ServerConfig | null; fault: WireError | null } {
  const { servers } = useSetup();
  return useMemo(() => {
    if (text.trim() === '') return { config: null, fault: null };
    try {
      return { config: readServerConfig(text, servers), fault: null };
    } catch (error) {
      return { config: null, fault: toWire(error) };
    }
  }, [text, servers]);
}
