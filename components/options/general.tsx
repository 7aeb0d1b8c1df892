import type { JSX } from 'preact';
import { ChevronRight } from 'lucide';
import { AppError } from '../../lib/errors.ts';
import { requestNotifications } from '../../lib/gestures.ts';
import { DEFAULT_SYSTEM } from '../../lib/types/default-system.ts';
import { LANGUAGES } from '../../lib/types/languages.ts';
import { LONGEST_SYSTEM, SETTING_LIMITS, type Settings } from '../../lib/types/settings.ts';
import {
  NumberSetting,
  ChoiceSetting,
  SelectSetting,
  SettingRows,
  SwitchSetting,
  TextSetting,
} from './form/setting-rows.tsx';
import { useSetup, useSetupState } from './options-context.ts';
import { Problem } from './form/problem.tsx';
import { Passphrase } from './passphrase.tsx';
import { useAction } from './form/use-action.ts';
import { useSettings } from './form/use-changes.ts';
import { News } from './news.tsx';
import { PageHead } from './page-head.tsx';
import { t } from '../../locales/texts/settings.ts';
import { Icon } from '../ui/icon.tsx';

const numbers = ['maxIterations', 'maxTools', 'maxToolShare', 'maxLoggedCalls'] as const;

/** The page General. Every setting is saved as it is changed. */
export function GeneralPage(): JSX.Element {
  const { setting, error } = useSettings();
  const named = <Name extends keyof Texts.Settings['general']['help'] & keyof Settings>(name: Name) => ({
    ...setting(name),
    label: t(($) => $.general[name]),
    help: t(($) => $.general.help[name]),
  });
  return (
    <>
      <PageHead title={t(($) => $.options.general)} />
      {error && <Problem error={error} />}
      <SettingRows title={t(($) => $.general.look)}>
        <SelectSetting
          {...setting('language')}
          label={t(($) => $.general.language)}
          options={{ browser: t(($) => $.general.browserLanguage), ...LANGUAGES }}
        />
        <ChoiceSetting
          {...setting('theme')}
          label={t(($) => $.general.theme)}
          options={t(($) => $.general.themes)}
        />
        <ChoiceSetting {...named('textSize')} options={t(($) => $.general.textSizes)} />
      </SettingRows>
      <SettingRows title={t(($) => $.general.panel)}>
        <ChoiceSetting {...named('panelScope')} options={t(($) => $.general.panelScopes)} />
        <SelectSetting {...named('atEntry')} options={t(($) => $.general.atEntries)} />
        {!import.meta.env.FIREFOX && <SwitchSetting {...named('askBox')} />}
        <SwitchSetting {...named('enterSends')} />
      </SettingRows>
      <Notifications />
      <SettingRows title={t(($) => $.general.agent)}>
        <TextSetting {...named('system')} initial={DEFAULT_SYSTEM} most={LONGEST_SYSTEM} />
        {numbers.map((name) => (
          <NumberSetting
            key={name}
            {...named(name)}
            min={SETTING_LIMITS[name][0]}
            max={SETTING_LIMITS[name][1]}
          />
        ))}
        <SelectSetting {...named('whileLive')} options={t(($) => $.general.whileLives)} />
        <SwitchSetting {...named('makeTitles')} />
        <SwitchSetting {...named('actionPictures')} />
      </SettingRows>
      <Passphrase lockAfter={setting('lockAfter')} />
      <PromptsLink />
      <News />
    </>
  );
}

/** Whether the browser tells of chats that no panel shows. */
export function Notifications(): JSX.Element {
  const { notify: isOn } = useSetup().settings;
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
          value={isOn}
          set={set}
        />
      </SettingRows>
    </>
  );
}

/** The way from the page General to the saved prompts. */
function PromptsLink(): JSX.Element {
  const { prompts } = useSetup();
  return (
    <section class="block" aria-label={t(($) => $.prompts.title)}>
      <h2>{t(($) => $.prompts.title)}</h2>
      <p class="help">{t(($) => $.prompts.lead)}</p>
      <p>
        <a class="btn" href="#prompts">
          {t(($) => $.prompts.manage, { count: prompts.length })}
          <Icon of={ChevronRight} small />
        </a>
      </p>
    </section>
  );
}
