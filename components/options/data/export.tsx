import { Download } from 'lucide';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { en } from '../../../locales/en-options.ts';
import { download } from '../../ui/download.ts';
import { Icon } from '../../ui/icon.tsx';
import { useSetupState } from '../options-context.ts';
import { Problem } from '../problem.tsx';
import { ActionRow } from '../setting-rows.tsx';
import { useAction } from '../use-action.ts';
import { WorkButton } from '../work-button.tsx';

const words = en.data;
const formats = {
  markdown: { ending: 'md', mimeType: 'text/markdown' },
  json: { ending: 'json', mimeType: 'application/json' },
};

/** `portside-chats-2026-11-22`. */
const named = (what: string): string => `portside-${what}-${new Date().toISOString().slice(0, 10)}`;

/** All chats as one file, whose parts the worker gives one after the other. */
export function ExportChats({ count }: { count: number }): JSX.Element {
  const { command } = useSetupState();
  const action = useAction();
  const [status, setStatus] = useState('');
  const save = (format: keyof typeof formats): void =>
    action.run(async (isWanted) => {
      const parts: string[] = [];
      let size = 0;
      let after: string | undefined;
      do {
        setStatus(words.collecting(size));
        const part = await command('exportChats', { format, ...(after !== undefined && { after }) });
        if (!isWanted()) return;
        parts.push(part.text);
        size += part.text.length;
        after = part.next;
      } while (after !== undefined);
      const { ending, mimeType } = formats[format];
      download(`${named('chats')}.${ending}`, parts, mimeType);
      setStatus(words.saved(size));
    });
  const cancel = (): void => {
    action.stop();
    setStatus('');
  };
  const button = (format: keyof typeof formats): JSX.Element => (
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
