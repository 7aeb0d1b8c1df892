import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { chatFile } from '../../../lib/state/history/chat-file.ts';
import { exportParts } from '../../../lib/state/history/export-chats.ts';
import type { WireError } from '../../../lib/types/error.ts';
import { download } from '../../ui/download.ts';
import { Problem } from '../form/problem.tsx';
import { ActionRow, SettingRows } from '../form/setting-rows.tsx';
import { useAction } from '../form/use-action.ts';
import { WorkButton } from '../form/work-button.tsx';
import { useSetupState } from '../options-context.ts';
import { PageHead } from '../page-head.tsx';
import { EraseEverything } from './erase.tsx';
import { named } from './export.tsx';
import { ImportProgress } from './import.tsx';
import { useImport } from './use-import.ts';
import './data.css';
import { t } from '../../../locales/texts/settings.ts';
import { units } from '../../../locales/units.ts';

/** What stands in place of every page when the worker can't open what is stored; until the page is loaded anew. */
export function Rescue({ error }: { error: WireError }): JSX.Element {
  const title = t(($) => $.rescue.title);
  return (
    <>
      <PageHead title={title} />
      <Problem error={error} />
      <SettingRows title={t(($) => $.rescue.ways)}>
        <Save />
        {error.code !== 'database_newer' && <Repair />}
        <EraseEverything erased={() => location.reload()} />
      </SettingRows>
    </>
  );
}

/** Chats and settings as files that can be imported, as far as they can be read; `said`: how far that is. */
function useCopy(said: (status: string) => void): () => Promise<File[]> {
  const { command } = useSetupState();
  return async () => {
    const parts = await exportParts(
      'json',
      (request) => command('exportChats', request),
      (size) => {
        said(t(($) => $.data.collecting, { size: units.bytes(size) }));
        return true;
      },
    );
    const { name, mimeType } = chatFile(named('chats'), 'json');
    const { text } = await command('exportSettings');
    const files = [
      new File(parts ?? [], name, { type: mimeType }),
      new File([text], `${named('settings')}.json`, { type: mimeType }),
    ];
    for (const file of files) download(file.name, [file]);
    said(t(($) => $.data.saved, { size: units.bytes(files.reduce((sum, { size }) => sum + size, 0)) }));
    return files;
  };
}

function Save(): JSX.Element {
  const action = useAction();
  const [status, setStatus] = useState('');
  const copy = useCopy(setStatus);
  return (
    <ActionRow
      label={t(($) => $.rescue.save)}
      help={t(($) => $.rescue.saveHelp)}
      buttons={
        <WorkButton busy={action.busy} press={() => action.run(async () => void (await copy()))}>
          {t(($) => $.data.export)}
        </WorkButton>
      }
    >
      <p class="small muted progress">
        <span role="status">{action.error ? '' : status}</span>
      </p>
      {action.error && <Problem error={action.error} />}
    </ActionRow>
  );
}

/** Saves what can be read, erases the database and puts that into a new one. */
function Repair(): JSX.Element {
  const { command } = useSetupState();
  const action = useAction();
  const [status, setStatus] = useState('');
  const [settings, setSettings] = useState<File>();
  const copy = useCopy(setStatus);
  const chats = useImport(() => {});
  const others = useImport(() => {});
  const repair = (): void =>
    action.run(async () => {
      const [chatsFile, settingsFile] = await copy();
      await command('erase', { what: 'database' });
      setSettings(settingsFile);
      chats.take(chatsFile!);
    });
  // One after the other: what came of the chats is told first.
  const isNext = settings !== undefined && !chats.busy && chats.state !== null;
  useEffect(() => {
    if (isNext) others.take(settings);
  }, [isNext]);
  const isDone = isNext && !others.busy && others.state !== null && others.state.type !== 'to_show';
  return (
    <ActionRow
      label={t(($) => $.faults.damaged.repair)}
      help={t(($) => $.rescue.repairHelp)}
      buttons={
        settings === undefined && (
          <WorkButton class="primary" busy={action.busy} press={repair}>
            {t(($) => $.faults.damaged.repair)}
          </WorkButton>
        )
      }
    >
      {settings === undefined ? (
        <p class="small muted progress">
          <span role="status">{action.error ? '' : status}</span>
        </p>
      ) : (
        <>
          <ImportProgress of={chats} close={chats.dismiss} />
          <ImportProgress of={others} close={others.dismiss} />
        </>
      )}
      {isDone && (
        <p class="actions">
          <button type="button" class="btn primary" onClick={() => location.reload()}>
            {t(($) => $.rescue.done)}
          </button>
        </p>
      )}
      {action.error && <Problem error={action.error} />}
    </ActionRow>
  );
}
