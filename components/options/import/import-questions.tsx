import type { JSX } from 'preact';
import type { ConfigQuestion } from '../../../lib/config-file/server-config.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { answerTo, type ImportDraft } from './import-input.ts';
import { t } from '../../../locales/texts/settings.ts';

/** What the file leaves open, as fields. */
export function ImportQuestions(props: {
  questions: ConfigQuestion[];
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
  question: ConfigQuestion;
  value: string;
  set: (value: string) => void;
  invalid: string | undefined;
}): JSX.Element {
  const { label, secret, options } = props.question;
  const field = { label: visible(label), value: props.value, set: props.set, invalid: props.invalid };
  if (options) {
    const choices = options.map((option): [string, string] => [option, visible(option)]);
    return (
      <SelectField {...field} options={Object.fromEntries([['', t(($) => $.import.choice)], ...choices])} />
    );
  }
  return <TextField {...field} {...(secret && { type: 'password' as const })} />;
}
