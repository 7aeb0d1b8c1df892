import { FolderSearch } from 'lucide';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { visible } from '../../../lib/state/shown-text.ts';
import type { FoundConfig } from '../../../lib/types/native-host.ts';
import { Icon } from '../../ui/icon.tsx';
import { useSetupState } from '../options-context.ts';
import { useAction } from '../form/use-action.ts';
import { useGranted } from '../form/use-granted.ts';
import { WorkButton } from '../form/work-button.tsx';
import { useNativeHost } from './context.ts';
import { InstallCommand } from './install-command.tsx';
import './native-host.css';
import { t } from '../../../locales/texts/settings.ts';

/** Configuration files of other applications on this computer, looked for only when the user asks. */
export function FoundConfigs({ take }: { take: (text: string) => void }): JSX.Element {
  const { command } = useSetupState();
  const [asking, again] = [useGranted(null), useAction()];
  const [found, setFound] = useState<FoundConfig[] | null>(null);
  const error = again.error ?? asking.error;
  const isMissing = error !== null;
  const status = useNativeHost(isMissing);
  const look = async (): Promise<void> => {
    setFound(await command('findConfigs'));
    for (const action of [asking, again]) action.clear();
  };
  // A search from before it was there is repeated by itself.
  useEffect(() => {
    if (isMissing && status?.state === 'ready') again.run(look);
  }, [status?.state]);
  return (
    <div class="found-configs">
      <WorkButton
        busy={asking.busy || again.busy}
        press={() => asking.run(look)}
        help={t(($) => $.foundConfigs.help)}
      >
        <Icon of={FolderSearch} />
        {t(($) => $.foundConfigs.find)}
      </WorkButton>
      {!found && !isMissing && <p class="help">{t(($) => $.foundConfigs.help)}</p>}
      {found?.length === 0 && (
        <p class="help" role="status">
          {t(($) => $.foundConfigs.none)}
        </p>
      )}
      {found && found.length > 0 && (
        <ul class="rows" aria-label={t(($) => $.foundConfigs.list)}>
          {found.map(({ application, path, text }) => (
            <li key={path} class="prov">
              <div class="grow">
                {application}
                <p class="cut" title={visible(path)}>
                  {visible(path)}
                </p>
              </div>
              <button
                type="button"
                class="btn s"
                aria-label={t(($) => $.foundConfigs.use, { application })}
                onClick={() => take(text)}
              >
                {t(($) => $.foundConfigs.useWord)}
              </button>
            </li>
          ))}
        </ul>
      )}
      {isMissing && status && status.state !== 'ready' && <InstallCommand status={status} brief />}
      {isMissing && (!status || status.state === 'ready') && (
        <p class="help warned" role="alert">
          {error.message} {error.fix}
        </p>
      )}
    </div>
  );
}
