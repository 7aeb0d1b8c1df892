import { Play } from 'lucide';
import type { JSX } from 'preact';
import { readCron } from '../../../lib/cron.ts';
import type { Schedule } from '../../../lib/types/schedule.ts';
import { dates } from '../../../locales/dates.ts';
import { t } from '../../../locales/texts/settings.ts';
import { units } from '../../../locales/units.ts';
import { Icon } from '../../ui/icon.tsx';
import { modelWords } from '../assistants/assistants.tsx';
import { Switch } from '../../ui/fields.tsx';
import { Problem } from '../form/problem.tsx';
import { Items, ItemsHead, SavedRow } from '../form/items.tsx';
import { SettingRows, SwitchSetting } from '../form/setting-rows.tsx';
import { useAction } from '../form/use-action.ts';
import { useSettings } from '../form/use-changes.ts';
import { Notifications } from '../general.tsx';
import { useSetup, useSetupState } from '../options-context.ts';
import { cronWords } from './rhythm-words.ts';

/** The prompts that are asked at certain times. */
export function SchedulesPage(): JSX.Element {
  const { schedules } = useSetup();
  const { setting, error } = useSettings();
  return (
    <>
      <ItemsHead page="schedules" />
      {error && <Problem error={error} />}
      <Items page="schedules">
        {schedules.map((schedule) => (
          <ScheduleRow key={schedule.id} schedule={schedule} />
        ))}
      </Items>
      {schedules.length > 0 && (
        <SettingRows title={t(($) => $.schedules.all)}>
          <SwitchSetting
            label={t(($) => $.schedules.pauseAll)}
            help={t(($) => $.schedules.pauseHelp)}
            {...setting('schedulesPaused')}
          />
        </SettingRows>
      )}
      <Notifications />
    </>
  );
}

function ScheduleRow({ schedule }: { schedule: Schedule }): JSX.Element {
  const { command } = useSetupState();
  const setup = useSetup();
  const action = useAction();
  const { id, name, isOff = false, last } = schedule;
  const actions = (
    <>
      <Switch
        label={t(($) => $.schedules.on, { name })}
        checked={!isOff}
        set={(isOn) => action.run(() => command('switchSchedule', { id, isOff: !isOn }))}
      />
      <button
        class="icon-btn"
        aria-label={t(($) => $.schedules.run, { name })}
        title={t(($) => $.schedules.runNow)}
        disabled={last?.live === true}
        onClick={() => action.run(() => command('runSchedule', { id }))}
      >
        <Icon of={Play} />
      </button>
    </>
  );
  return (
    <SavedRow
      page="schedules"
      id={id}
      name={name}
      actions={actions}
      remove={() => command('removeSchedule', { id })}
    >
      <p>{rhythmWords(schedule)}</p>
      <p class="cut muted">{modelWords(setup, schedule)}</p>
      {stateWords(schedule, setup.settings.schedulesPaused).map((line) => (
        <p key={line} class="muted">
          {line}
        </p>
      ))}
      {action.error && <Problem error={action.error} />}
    </SavedRow>
  );
}

function rhythmWords({ rhythm }: Schedule): string {
  if ('once' in rhythm) return dates.moment(rhythm.once);
  const read = readCron(rhythm.cron);
  return 'cron' in read ? cronWords(read.cron) : rhythm.cron;
}

/** When it runs next, how it went, and what it used. */
function stateWords({ next, isOff, last, passedOver, spent }: Schedule, isPaused: boolean): string[] {
  const comes = isOff
    ? t(($) => $.schedules.off)
    : isPaused
      ? t(($) => $.schedules.paused)
      : next === undefined
        ? t(($) => $.schedules.noNext)
        : t(($) => $.schedules.next, { times: dates.moment(new Date(next).toISOString()) });
  const { month = '', tokens = 0, cost = 0 } = spent ?? {};
  const money = cost > 0 && units.money(cost);
  const used = money
    ? t(($) => $.schedules.spentMoney, { month, tokens: units.amount(tokens), money })
    : t(($) => $.schedules.spent, { month, tokens: units.amount(tokens) });
  return [
    comes,
    ...(last?.live ? [t(($) => $.schedules.running)] : []),
    ...(last && !last.live ? [t(($) => $.schedules.last, { time: dates.moment(last.at) })] : []),
    ...(passedOver
      ? [t(($) => $.schedules.passedOver[passedOver.why], { time: dates.moment(passedOver.at) })]
      : []),
    ...(tokens > 0 ? [used] : []),
  ];
}
