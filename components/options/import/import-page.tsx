import type { JSX } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { askSettingsText } from '../../settings-text.ts';
import { ImportForm } from './import-form.tsx';
import { emptyImport } from './import-input.ts';
import { ImportOutcome, type Added } from './import-outcome.tsx';
import { ImportSource } from './import-source.tsx';
import { useDraft } from '../form/use-draft.ts';
import { useServerConfig } from './use-server-config.ts';
import './import.css';
import { Crumb, PageHead } from '../page-head.tsx';
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
