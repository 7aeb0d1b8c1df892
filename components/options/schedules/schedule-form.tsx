import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { type Cron, nextTime, readCron } from '../../../lib/cron.ts';
import type { Schedule } from '../../../lib/types/schedule.ts';
import { dates } from '../../../locales/dates.ts';
import { t } from '../../../locales/texts/settings.ts';
import { choices } from '../assistants/assistant-form.tsx';
import { SelectField, TextArea, TextField, useFormFocus } from '../form/fields.tsx';
import { Problem } from '../form/problem.tsx';
import { SaveFoot } from '../form/save-foot.tsx';
import { ToolChecks } from '../form/tool-checks.tsx';
import { useAction } from '../form/use-action.ts';
import { useDraft } from '../form/use-draft.ts';
import { useSetup, useSetupState } from '../options-context.ts';
import { Crumb, PageHead } from '../page-head.tsx';
import { go } from '../route.ts';
import { cronWords, faultWords, weekdayName } from './rhythm-words.ts';
import {
  checkSchedule,
  draftOf,
  type RhythmKind,
  rhythmOf,
  type ScheduleDraft,
  type ScheduleFaults,
} from './schedule-input.ts';

/** The times that a form shows ahead. */
const SHOWN_TIMES = 3;

type FieldsProps = {
  draft: ScheduleDraft;
  set: (change: Partial<ScheduleDraft>) => void;
  faults: ScheduleFaults;
};

/** One schedule, or a new one. */
export function SchedulePage({ item }: { item: 'add' | number }): JSX.Element {
  const { schedules } = useSetup();
  const schedule = schedules.find((other) => other.id === item) ?? null;
  return (
    <>
      <Crumb href="#schedules">{t(($) => $.schedules.title)}</Crumb>
      {item !== 'add' && !schedule ? (
        <p class="muted">{t(($) => $.schedules.gone)}</p>
      ) : (
        <>
          <PageHead
            title={schedule ? schedule.name : t(($) => $.schedules.add)}
            lead={t(($) => $.schedules.lead)}
          />
          <ScheduleForm schedule={schedule} />
        </>
      )}
    </>
  );
}

function ScheduleForm({ schedule }: { schedule: Schedule | null }): JSX.Element {
  const { command } = useSetupState();
  const { draft, set, forget } = useDraft(`schedules/${schedule?.id ?? 'add'}`, () => draftOf(schedule));
  const [faults, setFaults] = useState<ScheduleFaults>({});
  const form = useFormFocus(faults);
  const save = useAction();
  const submit = (event: Event): void => {
    event.preventDefault();
    save.clear();
    const checked = checkSchedule(draft, schedule ?? {}, Date.now());
    if ('faults' in checked) return setFaults(checked.faults);
    setFaults({});
    save.run(async (isWanted) => {
      await command('saveSchedule', checked.input);
      forget();
      if (isWanted()) await go('schedules');
    });
  };
  const props = { draft, set, faults };
  return (
    <form class="form short" ref={form} onSubmit={submit} noValidate>
      <PromptFields {...props} />
      <RhythmFields {...props} />
      <AskFields {...props} />
      <LimitFields {...props} />
      {save.error && <Problem error={save.error} />}
      <SaveFoot busy={save.busy} back="#schedules" forget={forget} />
    </form>
  );
}

function PromptFields({ draft, set, faults }: FieldsProps): JSX.Element {
  const prompts = useSetup().prompts.filter(({ skill }) => !skill);
  const take = (id: string): void => {
    const prompt = prompts.find((other) => String(other.id) === id);
    if (prompt) set({ text: prompt.text, ...(draft.name.trim() === '' && { name: prompt.name }) });
  };
  const taken = prompts.find(({ text }) => text === draft.text);
  return (
    <>
      <TextField
        label={t(($) => $.prompts.fields.name)}
        value={draft.name}
        set={(name) => set({ name })}
        invalid={faults.name}
      />
      {prompts.length > 0 && (
        <SelectField
          label={t(($) => $.schedules.fields.prompt)}
          value={taken ? String(taken.id) : ''}
          options={{ '': t(($) => $.schedules.ownText) }}
          groups={[
            {
              label: t(($) => $.prompts.title),
              options: prompts.map(({ id, name }): [string, string] => [String(id), name]),
            },
          ]}
          set={take}
        />
      )}
      <TextArea
        label={t(($) => $.prompts.fields.text)}
        value={draft.text}
        set={(text) => set({ text })}
        invalid={faults.text}
        rows={6}
      />
    </>
  );
}

function RhythmFields({ draft, set, faults }: FieldsProps): JSX.Element {
  const { kind } = draft;
  const days = Object.fromEntries([1, 2, 3, 4, 5, 6, 0].map((day) => [`day-${day}`, weekdayName(day)]));
  return (
    <>
      <SelectField<RhythmKind>
        label={t(($) => $.schedules.fields.rhythm)}
        value={kind}
        options={t(($) => $.schedules.rhythms)}
        set={(next) => set({ kind: next })}
      />
      {kind === 'once' && (
        <TextField
          label={t(($) => $.schedules.fields.at)}
          type="datetime-local"
          value={draft.at}
          set={(at) => set({ at })}
          invalid={faults.at}
        />
      )}
      {kind === 'weekly' && (
        <SelectField
          label={t(($) => $.schedules.fields.weekday)}
          value={`day-${draft.weekday}`}
          options={days}
          set={(day) => set({ weekday: day.slice('day-'.length) })}
        />
      )}
      {kind === 'cron' && (
        <TextField
          label={t(($) => $.schedules.fields.cron)}
          mono
          value={draft.cron}
          set={(cron) => set({ cron })}
          invalid={faults.cron && cronFault(draft.cron)}
          help={t(($) => $.schedules.cronHelp)}
        />
      )}
      {kind !== 'once' && kind !== 'cron' && (
        <TextField
          label={t(($) => $.schedules.fields.time)}
          type="time"
          value={draft.time}
          set={(time) => set({ time })}
          invalid={faults.time}
        />
      )}
      <ReadBack draft={draft} />
      <SelectField
        label={t(($) => $.schedules.fields.missed)}
        value={draft.missed}
        options={t(($) => $.schedules.missed)}
        set={(missed) => set({ missed })}
      />
    </>
  );
}

function cronFault(line: string): string | undefined {
  const read = readCron(line);
  return 'fault' in read ? faultWords(read.fault) : undefined;
}

function timesAhead(cron: Cron): string[] {
  const times: string[] = [];
  let at = nextTime(cron, Date.now());
  while (at !== undefined && times.length < SHOWN_TIMES) {
    times.push(dates.moment(new Date(at).toISOString()));
    at = nextTime(cron, at);
  }
  return times;
}

/** What is typed, in words, with the next times; nothing of a line that can't be read. */
function ReadBack({ draft }: { draft: ScheduleDraft }): JSX.Element {
  const timed = rhythmOf(draft, Date.now());
  const read = 'rhythm' in timed && 'cron' in timed.rhythm ? readCron(timed.rhythm.cron) : undefined;
  const cron = read && 'cron' in read ? read.cron : undefined;
  return (
    <p class="help" role="status">
      {cron && (
        <>
          {cronWords(cron)}
          <br />
          {t(($) => $.schedules.next, { times: timesAhead(cron).join(' · ') })}
        </>
      )}
    </p>
  );
}

function AskFields({ draft, set }: FieldsProps): JSX.Element {
  const setup = useSetup();
  return (
    <>
      <SelectField
        label={t(($) => $.assistants.fields.model)}
        value={draft.choice}
        {...choices(setup, draft.choice)}
        set={(choice) => set({ choice })}
      />
      <ToolChecks off={draft.tools} set={(tools) => set({ tools })} />
      <SelectField
        label={t(($) => $.schedules.fields.allows)}
        value={draft.allows}
        options={t(($) => $.schedules.allows)}
        set={(allows) => set({ allows })}
        help={t(($) => $.schedules.allowsHelp)}
      />
    </>
  );
}

function LimitFields({ draft, set, faults }: FieldsProps): JSX.Element {
  return (
    <>
      {(['run', 'month'] as const).map((span) => (
        <div class="pair" key={span}>
          {(['Tokens', 'Cost'] as const).map((what) => (
            <TextField
              key={what}
              label={t(($) => $.schedules.fields[`${span}${what}`])}
              type="number"
              {...(what === 'Cost' && { step: 0.01 })}
              value={draft[`${span}${what}`]}
              set={(value) => set({ [`${span}${what}`]: value })}
              invalid={faults[`${span}${what}`]}
              help={what === 'Tokens' ? t(($) => $.schedules.limitHelp) : t(($) => $.schedules.costHelp)}
            />
          ))}
        </div>
      ))}
    </>
  );
}
