import { Download } from 'lucide';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from '../../ui/icon.tsx';
import { download } from '../../ui/download.ts';
import { Check } from '../../ui/fields.tsx';
import { useSetupState } from '../options-context.ts';
import { Problem } from '../form/problem.tsx';
import { SettingRows } from '../form/setting-rows.tsx';
import { useAction } from '../form/use-action.ts';
import { WorkButton } from '../form/work-button.tsx';
import { t } from '../../../locales/texts/settings.ts';

/** All servers as an mcp.json to keep or to give to another program. */
export function ExportServers(): JSX.Element {
  const { command } = useSetupState();
  const action = useAction();
  const [withSecrets, setWithSecrets] = useState(false);
  const [done, setDone] = useState(false);
  const save = (): void =>
    action.run(async () => {
      setDone(false);
      const { text } = await command('exportServers', { withSecrets });
      download('mcp.json', text);
      setDone(true);
    });
  return (
    <SettingRows title={t(($) => $.export.title)}>
      <div class="set">
        <p class="muted">{t(($) => $.export.lead)}</p>
        <Check
          label={t(($) => $.export.secrets)}
          help={t(($) => $.export.secretsHelp)}
          checked={withSecrets}
          set={setWithSecrets}
        />
        {withSecrets && (
          <p class="notice warn" role="alert">
            <span>{t(($) => $.export.warning)}</span>
          </p>
        )}
        {action.error && <Problem error={action.error} />}
        <div class="ctl">
          <WorkButton busy={action.busy} press={save}>
            <Icon of={Download} />
            {t(($) => $.export.download)}
          </WorkButton>
        </div>
        <p class={done ? 'help' : 'sr'} role="status">
          {done && t(($) => $.export.done)}
        </p>
      </div>
    </SettingRows>
  );
}
