import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { requestOrigins } from '../../../lib/gestures.ts';
import type { ServerConfig } from '../../../lib/config-file/server-config.ts';
import { Check, useFormFocus, SelectField, TextField } from '../../ui/fields.tsx';
import { ImportFound } from './import-found.tsx';
import { checkImport, type ImportDraft, isTicked, questionsOf, answerTo } from './import-input.ts';
import type { Added } from './import-outcome.tsx';
import { useSetupState } from '../options-context.ts';
import { Problem } from '../form/problem.tsx';
import { useAction } from '../form/use-action.ts';
import { WorkButton } from '../form/work-button.tsx';
import { t } from '../../../locales/texts/settings.ts';
import { visible } from '../../../lib/state/shown-text.ts';

const noFaults: ReadonlyMap<string, string> = new Map();

/** What was found, what is still open, and the button that adds it. */
export function ImportForm(props: {
  config: ServerConfig | null;
  draft: ImportDraft;
  set: (change: Partial<ImportDraft>) => void;
  added: (added: Added) => void;
  cancel: () => void;
}): JSX.Element {
  const { config, draft, set } = props;
  const { command } = useSetupState();
  const action = useAction();
  const [faults, setFaults] = useState(noFaults);
  const [wrongAddress, setWrongAddress] = useState<string>();
  const form = useFormFocus(faults, false);
  /** Those that are still so. */
  const open = (): typeof faults => {
    const now = config && faults.size > 0 ? checkImport(config, draft) : undefined;
    if (!now || !('faults' in now)) return noFaults;
    return new Map([...faults].filter(([id, why]) => now.faults.get(id) === why));
  };
  const selected = config?.servers.filter((server) => isTicked(server, draft)).length ?? 0;

  const submit = (): void => {
    if (!config || selected === 0 || action.busy) return;
    const checked = checkImport(config, draft);
    setFaults('faults' in checked ? checked.faults : noFaults);
    setWrongAddress('faults' in checked ? checked.wrongAddress : undefined);
    if ('faults' in checked) return;
    const { inputs } = checked;
    const urls = inputs.flatMap((input) => ('url' in input ? [input.url] : []));
    // First of all, while the click still counts.
    const granting = draft.connect && urls.length > 0 ? requestOrigins(urls) : Promise.resolve(draft.connect);
    action.run(async () => {
      const connects = await granting;
      const { ids } = await command('importServers', { servers: inputs });
      const servers = ids.map((id, position) => ({ id, name: inputs[position]?.name ?? '' }));
      props.added({ servers, connects, refused: draft.connect && !connects });
    });
  };

  return (
    <form
      class="form"
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <ImportFound config={config} draft={draft} set={set} />
      {config && (
        <ImportQuestions questions={questionsOf(config, draft)} {...{ draft, set }} faults={open()} />
      )}
      <Check
        label={t(($) => $.import.connect)}
        help={t(($) => $.import.connectHelp)}
        checked={draft.connect}
        set={(connect) => set({ connect })}
      />
      {wrongAddress && (
        <p class="help bad" role="alert">
          {wrongAddress}
        </p>
      )}
      {action.error && <Problem error={action.error} />}
      <div class="form-foot">
        <WorkButton class="primary" submit busy={action.busy} disabled={selected === 0}>
          {t(($) => $.import.submit)}
        </WorkButton>
        <a class="btn quiet" href="#servers" onClick={props.cancel}>
          {t(($) => $.options.cancel)}
        </a>
        <span class="grow" />
        <span class="help">{t(($) => $.import.selected, { count: selected })}</span>
      </div>
    </form>
  );
}

/** What the file leaves open, as fields. */
function ImportQuestions(props: {
  questions: ReturnType<typeof questionsOf>;
  draft: ImportDraft;
  set: (change: Partial<ImportDraft>) => void;
  faults: ReadonlyMap<string, string>;
}): JSX.Element | null {
  const { questions, draft, set, faults } = props;
  if (questions.length === 0) return null;
  return (
    <fieldset class="form">
      <legend>{t(($) => $.import.questions)}</legend>
      <p class="help">{t(($) => $.import.questionsHelp)}</p>
      {questions.map((question) => (
        <Question
          key={question.id}
          question={question}
          value={answerTo(question, draft)}
          set={(value) => set({ answers: new Map(draft.answers).set(question.id, value) })}
          invalid={faults.get(question.id)}
        />
      ))}
    </fieldset>
  );
}

function Question(props: {
  question: ReturnType<typeof questionsOf>[number];
  value: string;
  set: (value: string) => void;
  invalid: string | undefined;
}): JSX.Element {
  const { label, secret, options, places } = props.question;
  const help = t(($) => $.import.goesTo, { places: places.join(', ') });
  const field = { label: visible(label), value: props.value, set: props.set, invalid: props.invalid, help };
  if (options) {
    const choices = options.map((option): [string, string] => [option, visible(option)]);
    return (
      <SelectField {...field} options={Object.fromEntries([['', t(($) => $.import.choice)], ...choices])} />
    );
  }
  return <TextField {...field} {...(secret && { type: 'password' as const })} />;
}
