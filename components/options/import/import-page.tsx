import { ChevronLeft } from 'lucide';
import type { JSX } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { askSettingsText } from '../../settings-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { ImportForm } from './import-form.tsx';
import { emptyImport } from './import-input.ts';
import { ImportOutcome, type Added } from './import-outcome.tsx';
import { ImportSource } from './import-source.tsx';
import { useDraft } from '../form/use-draft.ts';
import { useServerConfig } from './use-server-config.ts';
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
      <a class="crumb" href="#servers">
        <Icon of={ChevronLeft} small />
        {t(($) => $.options.servers)}
      </a>
      <header class="head">
        <div>
          <h1>{t(($) => $.import.title)}</h1>
          {!added && <p>{t(($) => $.import.lead)}</p>}
        </div>
      </header>
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
