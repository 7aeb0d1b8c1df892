import { Download } from 'lucide';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { chatFile } from '../../../lib/state/history/chat-file.ts';
import { exportParts } from '../../../lib/state/history/export-chats.ts';
import { download } from '../../ui/download.ts';
import { Icon } from '../../ui/icon.tsx';
import { useSetupState } from '../options-context.ts';
import { Problem } from '../form/problem.tsx';
import { ActionRow } from '../form/setting-rows.tsx';
import { useAction } from '../form/use-action.ts';
import { WorkButton } from '../form/work-button.tsx';
import { t } from '../../../locales/texts/settings.ts';
import { units } from '../../../locales/units.ts';

/** `portside-chats-2026-11-22`. */
export const named = (what: string): string => `portside-${what}-${new Date().toISOString().slice(0, 10)}`;

/** All chats as one file, whose parts the worker gives one after the other. */
export function ExportChats({ count }: { count: number }): JSX.Element {
  const { command } = useSetupState();
  const action = useAction();
  const [status, setStatus] = useState('');
  const save = (format: 'markdown' | 'json'): void =>
    action.run(async (isWanted) => {
      const parts = await exportParts(
        format,
        (request) => command('exportChats', request),
        (size) => {
          if (isWanted()) setStatus(t(($) => $.data.collecting, { size: units.bytes(size) }));
          return isWanted();
        },
      );
      if (!parts) return;
      const { name, mimeType } = chatFile(named('chats'), format);
      download(name, parts, mimeType);
      setStatus(
        t(($) => $.data.saved, { size: units.bytes(parts.reduce((size, part) => size + part.length, 0)) }),
      );
    });
  const cancel = (): void => {
    action.stop();
    setStatus('');
  };
  const button = (format: 'markdown' | 'json'): JSX.Element => (
    <WorkButton busy={action.busy} disabled={count === 0} press={() => count > 0 && save(format)}>
      {t(($) => $.data[format])}
    </WorkButton>
  );
  return (
    <ActionRow
      label={t(($) => $.data.exportChats)}
      help={t(($) => $.data.exportChatsHelp, { number: count })}
      buttons={
        <>
          {button('markdown')}
          {button('json')}
        </>
      }
    >
      <p class="small muted progress">
        <span role="status">{action.error ? '' : status}</span>
        {action.busy && (
          <button type="button" class="btn quiet s" onClick={cancel}>
            {t(($) => $.options.cancel)}
          </button>
        )}
      </p>
      {action.error && <Problem error={action.error} />}
    </ActionRow>
  );
}

export function ExportSettings(): JSX.Element {
  const { command } = useSetupState();
  return (
    <ExportRow
      label={t(($) => $.data.exportSettings)}
      help={t(($) => $.data.exportSettingsHelp)}
      save={async () => download(`${named('settings')}.json`, (await command('exportSettings')).text)}
    />
  );
}

/** A row whose button saves a file. */
export function ExportRow(props: { label: string; help: string; save: () => Promise<void> }): JSX.Element {
  const action = useAction();
  return (
    <ActionRow
      label={props.label}
      help={props.help}
      buttons={
        <WorkButton busy={action.busy} press={() => action.run(props.save)}>
          <Icon of={Download} />
          {t(($) => $.data.export)}
        </WorkButton>
      }
    >
      {action.error && <Problem error={action.error} />}
    </ActionRow>
  );
}
