import type { JSX } from 'preact';
import { AppError } from '../../lib/errors.ts';
import { requestNotifications } from '../../lib/gestures.ts';
import { DEFAULT_SYSTEM } from '../../lib/types/default-system.ts';
import { LONGEST_SYSTEM, SETTING_LIMITS, type Settings, type SettingsChange } from '../../lib/types/setup.ts';
import { en } from '../../locales/en-options.ts';
import { NumberSetting } from './number-setting.tsx';
import { useSetup, useSetupState } from './options-context.ts';
import { Problem } from './problem.tsx';
import { PromptsLink } from './prompts/prompts-link.tsx';
import { ChoiceSetting, SelectSetting, SettingRows, SwitchSetting } from './setting-rows.tsx';
import { TextSetting } from './text-setting.tsx';
import { useAction } from './use-action.ts';
import { useChanges } from './use-changes.ts';

const words = en.general;
const numbers = ['maxIterations', 'maxTools', 'maxToolShare', 'maxLoggedCalls'] as const;

type Save = (changes: SettingsChange) => void;

/** The page General. Every setting is saved as it is changed. */
export function GeneralPage(): JSX.Element {
  const { settings } = useSetup();
  const { command } = useSetupState();
  const { send, error } = useChanges();
  const save: Save = (changes) => send(() => command('saveSettings', changes));
  return (
    <>
      <header class="head">
        <div>
          <h1>{en.options.general}</h1>
        </div>
      </header>
      {error && <Problem error={error} />}
      <Agent settings={settings} save={save} />
      <SettingRows title={words.panel}>
        <ChoiceSetting
          label={words.panelScope}
          help={words.help.panelScope}
          value={settings.panelScope}
          options={words.panelScopes}
          set={(panelScope) => save({ panelScope })}
        />
        <SelectSetting
          label={words.atEntry}
          help={words.help.atEntry}
          value={settings.atEntry}
          options={words.atEntries}
          set={(atEntry) => save({ atEntry })}
        />
        <SwitchSetting
          label={words.enterSends}
          help={words.help.enterSends}
          checked={settings.enterSends}
          set={(enterSends) => save({ enterSends })}
        />
      </SettingRows>
      <SettingRows title={words.look}>
        <ChoiceSetting
          label={words.theme}
          value={settings.theme}
          options={words.themes}
          set={(theme) => save({ theme })}
        />
        <ChoiceSetting
          label={words.textSize}
          help={words.help.textSize}
          value={settings.textSize}
          options={words.textSizes}
          set={(textSize) => save({ textSize })}
        />
      </SettingRows>
      <Notifications checked={settings.notify} />
      <PromptsLink />
    </>
  );
}

function Agent({ settings, save }: { settings: Settings; save: Save }): JSX.Element {
  return (
    <SettingRows title={words.agent}>
      <TextSetting
        label={words.system}
        help={words.help.system}
        value={settings.system}
        initial={DEFAULT_SYSTEM}
        most={LONGEST_SYSTEM}
        set={(system) => save({ system })}
      />
      {numbers.map((name) => (
        <NumberSetting
          key={name}
          label={words[name]}
          help={words.help[name]}
          value={settings[name]}
          min={SETTING_LIMITS[name][0]}
          max={SETTING_LIMITS[name][1]}
          set={(value) => save({ [name]: value })}
        />
      ))}
      <SelectSetting
        label={words.whileLive}
        help={words.help.whileLive}
        value={settings.whileLive}
        options={words.whileLives}
        set={(whileLive) => save({ whileLive })}
      />
      <SwitchSetting
        label={words.makeTitles}
        help={words.help.makeTitles}
        checked={settings.makeTitles}
        set={(makeTitles) => save({ makeTitles })}
      />
    </SettingRows>
  );
}

function Notifications({ checked }: { checked: boolean }): JSX.Element {
  const { command } = useSetupState();
  const action = useAction();
  const set = (notify: boolean): void => {
    // First of all, while the click still counts.
    const allowing = notify && requestNotifications();
    action.run(async () => {
      if (notify && !(await allowing)) {
        throw new AppError({ code: 'not_granted', message: words.notAllowed, fix: words.allowAgain });
      }
      await command('saveSettings', { notify });
    });
  };
  return (
    <>
      {action.error && <Problem error={action.error} />}
      <SettingRows title={words.notifications}>
        <SwitchSetting label={words.notify} help={words.help.notify} checked={checked} set={set} />
      </SettingRows>
    </>
  );
}
