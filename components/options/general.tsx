import type { JSX } from 'preact';
import { en } from '../../locales/en.ts';
import { SETTING_LIMITS } from '../../lib/types/setup.ts';
import { Segments } from './fields.tsx';
import { NumberSetting } from './number-setting.tsx';
import { useSetup, useSetupState } from './options-context.ts';
import { Problem } from './problem.tsx';
import { useAction } from './use-action.ts';

const numbers = ['maxIterations', 'maxTools', 'maxToolShare', 'maxLoggedCalls'] as const;

/** The page General. Every setting is saved as it is changed. */
export function GeneralPage(): JSX.Element {
  const { settings } = useSetup();
  const { command } = useSetupState();
  const action = useAction();
  return (
    <>
      <header class="head">
        <div>
          <h1>{en.options.general}</h1>
        </div>
      </header>
      {action.error && <Problem error={action.error} />}
      <section class="block" aria-label={en.general.agent}>
        <h2>{en.general.agent}</h2>
        <div class="rows">
          {numbers.map((name) => (
            <NumberSetting
              key={name}
              label={en.general[name]}
              help={en.general.help[name]}
              value={settings[name]}
              min={SETTING_LIMITS[name][0]}
              max={SETTING_LIMITS[name][1]}
              set={(value) => action.run(() => command('saveSettings', { [name]: value }))}
            />
          ))}
        </div>
      </section>
      <section class="block" aria-label={en.general.look}>
        <h2>{en.general.look}</h2>
        <div class="rows">
          <div class="set">
            <span class="label">{en.general.theme}</span>
            <Segments
              label={en.general.theme}
              value={settings.theme}
              options={en.general.themes}
              set={(theme) => action.run(() => command('saveSettings', { theme }))}
            />
          </div>
        </div>
      </section>
    </>
  );
}
