import type { JSX } from 'preact';
import { AppError } from '../../lib/errors.ts';
import { requestNotifications } from '../../lib/gestures.ts';
import { DEFAULT_SYSTEM } from '../../lib/types/default-system.ts';
import { LANGUAGES } from '../../lib/types/languages.ts';
import {
  LONGEST_SYSTEM,
  SETTING_LIMITS,
  type Settings,
  type SettingsChange,
} from '../../lib/types/settings.ts';
import { Lockable } from './form/managed.tsx';
import { NumberSetting } from './form/number-setting.tsx';
import { useSetup, useSetupState } from './options-context.ts';
import { Problem } from './form/problem.tsx';
import { Passphrase } from './passphrase.tsx';
import { PromptsLink } from './prompts/prompts-link.tsx';
import { ChoiceSetting, SelectSetting, SettingRows, SwitchSetting } from './form/setting-rows.tsx';
import { TextSetting } from './form/text-setting.tsx';
import { useAction } from './form/use-action.ts';
import { useChanges } from './form/use-changes.ts';
import { News } from './news.tsx';
import { PageHead } from './page-head.tsx';
import { t } from '../../locales/texts/settings.ts';

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
      <PageHead title={t(($) => $.options.general)} />
      {error && <Problem error={error} />}
      <SettingRows title={t(($) => $.general.look)}>
        <Lockable name="language">
          <SelectSetting
            label={t(($) => $.general.language)}
            value={settings.language}
            options={{ browser: t(($) => $.general.browserLanguage), ...LANGUAGES }}
            set={(language) => save({ language })}
          />
        </Lockable>
        <Lockable name="theme">
          <ChoiceSetting
            label={t(($) => $.general.theme)}
            value={settings.theme}
            options={t(($) => $.general.themes)}
            set={(theme) => save({ theme })}
          />
        </Lockable>
        <Lockable name="textSize">
          <ChoiceSetting
            label={t(($) => $.general.textSize)}
            help={t(($) => $.general.help.textSize)}
            value={settings.textSize}
            options={t(($) => $.general.textSizes)}
            set={(textSize) => save({ textSize })}
          />
        </Lockable>
      </SettingRows>
      <SettingRows title={t(($) => $.general.panel)}>
        <Lockable name="panelScope">
          <ChoiceSetting
            label={t(($) => $.general.panelScope)}
            help={t(($) => $.general.help.panelScope)}
            value={settings.panelScope}
            options={t(($) => $.general.panelScopes)}
            set={(panelScope) => save({ panelScope })}
          />
        </Lockable>
        <Lockable name="atEntry">
          <SelectSetting
            label={t(($) => $.general.atEntry)}
            help={t(($) => $.general.help.atEntry)}
            value={settings.atEntry}
            options={t(($) => $.general.atEntries)}
            set={(atEntry) => save({ atEntry })}
          />
        </Lockable>
        <Lockable name="askBox">
          <SwitchSetting
            label={t(($) => $.general.askBox)}
            help={t(($) => $.general.help.askBox)}
            checked={settings.askBox}
            set={(askBox) => save({ askBox })}
          />
        </Lockable>
        <Lockable name="enterSends">
          <SwitchSetting
            label={t(($) => $.general.enterSends)}
            help={t(($) => $.general.help.enterSends)}
            checked={settings.enterSends}
            set={(enterSends) => save({ enterSends })}
          />
        </Lockable>
      </SettingRows>
      <Notifications checked={settings.notify} />
      <Agent settings={settings} save={save} />
      <Passphrase lockAfter={settings.lockAfter} setLockAfter={(lockAfter) => save({ lockAfter })} />
      <PromptsLink />
      <News />
    </>
  );
}

function Agent({ settings, save }: { settings: Settings; save: Save }): JSX.Element {
  return (
    <SettingRows title={t(($) => $.general.agent)}>
      <Lockable name="system">
        <TextSetting
          label={t(($) => $.general.system)}
          help={t(($) => $.general.help.system)}
          value={settings.system}
          initial={DEFAULT_SYSTEM}
          most={LONGEST_SYSTEM}
          set={(system) => save({ system })}
        />
      </Lockable>
      {numbers.map((name) => (
        <Lockable key={name} name={name}>
          <NumberSetting
            label={t(($) => $.general[name])}
            help={t(($) => $.general.help[name])}
            value={settings[name]}
            min={SETTING_LIMITS[name][0]}
            max={SETTING_LIMITS[name][1]}
            set={(value) => save({ [name]: value })}
          />
        </Lockable>
      ))}
      <Lockable name="whileLive">
        <SelectSetting
          label={t(($) => $.general.whileLive)}
          help={t(($) => $.general.help.whileLive)}
          value={settings.whileLive}
          options={t(($) => $.general.whileLives)}
          set={(whileLive) => save({ whileLive })}
        />
      </Lockable>
      <Lockable name="makeTitles">
        <SwitchSetting
          label={t(($) => $.general.makeTitles)}
          help={t(($) => $.general.help.makeTitles)}
          checked={settings.makeTitles}
          set={(makeTitles) => save({ makeTitles })}
        />
      </Lockable>
      <Lockable name="actionPictures">
        <SwitchSetting
          label={t(($) => $.general.actionPictures)}
          help={t(($) => $.general.help.actionPictures)}
          checked={settings.actionPictures}
          set={(actionPictures) => save({ actionPictures })}
        />
      </Lockable>
    </SettingRows>
  );
}

/** Whether the browser tells of chats that no panel shows. */
export function Notifications({ checked }: { checked: boolean }): JSX.Element {
  const { command } = useSetupState();
  const action = useAction();
  const set = (notify: boolean): void => {
    // First of all, while the click still counts.
    const allowing = notify && requestNotifications();
    action.run(async () => {
      if (notify && !(await allowing)) {
        throw new AppError({
          code: 'not_granted',
          message: t(($) => $.general.notAllowed),
          fix: t(($) => $.general.allowAgain),
        });
      }
      await command('saveSettings', { notify });
    });
  };
  return (
    <>
      {action.error && <Problem error={action.error} />}
      <SettingRows title={t(($) => $.general.notifications)}>
        <SwitchSetting
          label={t(($) => $.general.notify)}
          help={t(($) => $.general.help.notify)}
          checked={checked}
          set={set}
        />
      </SettingRows>
    </>
  );
}
