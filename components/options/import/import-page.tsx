import type { JSX } from 'preact';
import { useCallback, useEffect, useMemo, useState, useLayoutEffect, useRef } from 'preact/hooks';
import { Upload } from 'lucide';
import { askSettingsText } from '../../settings-text.ts';
import { ImportForm } from './import-form.tsx';
import { emptyImport } from './import-input.ts';
import { type Added, ImportOutcome } from './import-outcome.tsx';
import { useDraft } from '../form/use-draft.ts';
import { Crumb, PageHead } from '../page-head.tsx';
import { readServerConfig } from '../../../lib/config-file/read-config.ts';
import type { ServerConfig } from '../../../lib/config-file/server-config.ts';
import { toWire, sentencesOf } from '../../../lib/errors.ts';
import type { WireError } from '../../../lib/types/error.ts';
import { useSetup } from '../options-context.ts';
import './import.css';
import { t } from '../../../locales/texts/settings.ts';
import { Icon } from '../../ui/icon.tsx';
import { useFileDrop } from '../../ui/use-file-drop.ts';
import { TextArea } from '../../ui/fields.tsx';
import { FoundConfigs } from '../native-host/found-configs.tsx';
import { FilePicker } from '../form/file-picker.tsx';

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

/** Bytes; what is larger is some other file. */
const LARGEST = 4_000_000;

/** Where the configuration is pasted, or a file of it chosen or dropped. */
function ImportSource(props: {
  text: string;
  set: (text: string) => void;
  fault: WireError | null;
}): JSX.Element {
  const { text, set, fault } = props;
  const picker = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string>();
  const take = useCallback(
    (file: File): void => {
      if (file.size > LARGEST) return setProblem(t(($) => $.import.tooLarge, { name: file.name }));
      setProblem(undefined);
      file.text().then(set, () => setProblem(t(($) => $.import.unreadable, { name: file.name })));
    },
    [set],
  );
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => root.current?.querySelector('textarea')?.focus(), []);
  const isOver = useFileDrop(([file]) => file && take(file));
  const invalid = problem ?? (fault ? sentencesOf(fault) : undefined);
  return (
    <div class="import-source" data-over={isOver} ref={root}>
      <TextArea
        label={t(($) => $.import.field)}
        value={text}
        set={(typed) => {
          setProblem(undefined);
          set(typed);
        }}
        placeholder={t(($) => $.import.placeholder)}
        rows={20}
        code
        help={isOver ? t(($) => $.import.drop) : t(($) => $.import.help)}
        invalid={invalid}
      />
      <FilePicker accept=".json,.jsonc,application/json" picker={picker} take={take} />
      <button type="button" class="btn" onClick={() => picker.current?.click()}>
        <Icon of={Upload} />
        {t(($) => $.import.choose)}
      </button>
      <FoundConfigs
        take={(found) => {
          setProblem(undefined);
          set(found);
        }}
      />
    </div>
  );
}
