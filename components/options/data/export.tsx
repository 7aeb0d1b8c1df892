import { Download } from 'lucide';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { chatFile } from '../../../lib/state/chat-file.ts';
import { exportParts } from '../../../lib/state/export-chats.ts';
import { en } from '../../../locales/en-options.ts';
import { download } from '../../ui/download.ts';
import { Icon } from '../../ui/icon.tsx';
import { useSetupState } from '../options-context.ts';
import { Problem } from '../problem.tsx';
import { ActionRow } from '../setting-rows.tsx';
import { useAction } from '../use-action.ts';
import { WorkButton } from '../work-button.tsx';

const words = en.data;
/** `portside-chats-2026-11-22`. */
const named = (what: string): string => `portside-${what}-${new Date().toISOString().slice(0, 10)}`;

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
          if (isWanted()) setStatus(words.collecting(size));
          return isWanted();
        },
      );
      if (!parts) return;
      const { name, mimeType } = chatFile(named('chats'), format);
      download(name, parts, mimeType);
      setStatus(words.saved(parts.reduce((size, part) => size + part.length, 0)));
    });
  const cancel = (): void => {
    action.stop();
    setStatus('');
  };
  const button = (format: 'markdown' | 'json'): JSX.Element => (
    <WorkButton busy={action.busy} disabled={count === 0} press={() => count > 0 && save(format)}>
      {words[format]}
    </WorkButton>
  );
  return (
    <ActionRow
      label={words.exportChats}
      help={words.exportChatsHelp(count)}
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
            {words.cancel}
          </button>
        )}
      </p>
      {action.error && <Problem error={action.error} />}
    </ActionRow>
  );
}

export function ExportSettings(): JSX.Element {
  const { command } = useSetupState();
  const action = useAction();
  const save = (): void =>
    action.run(async () => download(`${named('settings')}.json`, (await command('exportSettings')).text));
  return (
    <ActionRow
      label={words.exportSettings}
      help={words.exportSettingsHelp}
      buttons={
        <WorkButton busy={action.busy} press={save}>
          <Icon of={Download} />
          {words.export}
        </WorkButton>
      }
    >
      {action.error && <Problem error={action.error} />}
    </ActionRow>
  );
}
