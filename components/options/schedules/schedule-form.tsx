import type { JSX } from 'preact';
import { type Cron, nextTime, readCron } from '../../../lib/cron.ts';
import type { Schedule } from '../../../lib/types/schedule.ts';
import { dates } from '../../../locales/dates.ts';
import { t } from '../../../locales/texts/settings.ts';
import { choices } from '../assistants/assistant-form.tsx';
import { SelectField, TextArea, TextField } from '../../ui/fields.tsx';
import { type Fields, ItemForm, ItemPage } from '../form/item-form.tsx';
import { ToolChecks } from '../form/tool-checks.tsx';
import { useSetup, useSetupState } from '../options-context.ts';
import { cronWords, faultWords, weekdayName } from './rhythm-words.ts';
import { checkSchedule, draftOf, type RhythmKind, rhythmOf, type ScheduleDraft } from './schedule-input.ts';

/** The times that a form shows ahead. */
const SHOWN_TIMES = 3;

type FieldsProps = Fields<ScheduleDraft>;

export const SchedulePage = ({ item }: { item: 'add' | number }): JSX.Element => (
  <ItemPage
    page="schedules"
    items={useSetup().schedules}
    item={item}
    title={({ name }) => name}
    lead={t(($) => $.schedules.lead)}
  >
    {(schedule) => <ScheduleForm schedule={schedule} />}
  </ItemPage>
);

function ScheduleForm({ schedule }: { schedule: Schedule | null }): JSX.Element {
  const { command } = useSetupState();
  return (
    <ItemForm
      page="schedules"
      id={schedule?.id}
      start={() => draftOf(schedule)}
      check={(draft) => checkSchedule(draft, schedule ?? {}, Date.now())}
      send={(input) => command('saveSchedule', input)}
    >
      {(fields) => (
        <>
          <PromptFields {...fields} />
          <RhythmFields {...fields} />
          <AskFields {...fields} />
          <LimitFields {...fields} />
        </>
      )}
    </ItemForm>
  );
}

function PromptFields({ draft, set, field }: FieldsProps): JSX.Element {
  const prompts = useSetup().prompts.filter(({ skill }) => !skill);
  const take = (id: string): void => {
    const prompt = prompts.find((other) => String(other.id) === id);
    if (prompt) set({ text: prompt.text, ...(draft.name.trim() === '' && { name: prompt.name }) });
  };
  const taken = prompts.find(({ text }) => text === draft.text);
  return (
    <>
      <TextField label={t(($) => $.prompts.fields.name)} {...field('name')} />
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
      <TextArea label={t(($) => $.prompts.fields.text)} {...field('text')} rows={6} />
    </>
  );
}

function RhythmFields({ draft, set, faults, field }: FieldsProps): JSX.Element {
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
        <TextField label={t(($) => $.schedules.fields.at)} type="datetime-local" {...field('at')} />
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
          {...field('cron')}
          invalid={faults.cron && cronFault(draft.cron)}
          help={t(($) => $.schedules.cronHelp)}
        />
      )}
      {kind !== 'once' && kind !== 'cron' && (
        <TextField label={t(($) => $.schedules.fields.time)} type="time" {...field('time')} />
      )}
      <ReadBack draft={draft} />
      <SelectField
        label={t(($) => $.schedules.fields.missed)}
        {...field('missed')}
        options={t(($) => $.schedules.missed)}
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

function AskFields({ draft, set, field }: FieldsProps): JSX.Element {
  const setup = useSetup();
  return (
    <>
      <SelectField
        label={t(($) => $.assistants.fields.model)}
        {...field('choice')}
        {...choices(setup, draft.choice)}
      />
      <ToolChecks off={draft.tools} set={(tools) => set({ tools })} />
      <SelectField
        label={t(($) => $.schedules.fields.allows)}
        {...field('allows')}
        options={t(($) => $.schedules.allows)}
        help={t(($) => $.schedules.allowsHelp)}
      />
    </>
  );
}

function LimitFields({ field }: FieldsProps): JSX.Element {
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
              {...field(`${span}${what}`)}
              help={what === 'Tokens' ? t(($) => $.schedules.limitHelp) : t(($) => $.schedules.costHelp)}
            />
          ))}
        </div>
      ))}
    </>
  );
}
