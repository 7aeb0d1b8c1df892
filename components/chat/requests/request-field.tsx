import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { ChoicesField, FormDraft, FormField } from '../../../lib/state/chat/request-form.ts';
import { GrowingArea } from '../../ui/growing-area.tsx';
import { LongText } from '../../ui/long-text.tsx';
import { t } from '../../../locales/texts/panel.ts';

type Value = FormDraft[string];
type Props = {
  field: FormField;
  value: Value | undefined;
  fault: string | undefined;
  change: (value: Value) => void;
  /** The user went on to another field. */
  leave: () => void;
};

/** One question of a server's form. */
export function RequestField(props: Props): JSX.Element {
  const { field, value, fault, change, leave } = props;
  const id = useId();
  const notes = <Notes id={id} help={field.help} fault={fault} />;
  const described = [field.help && `${id}-help`, fault && `${id}-fault`].filter(Boolean).join(' ');
  const about = { 'aria-invalid': fault !== undefined, ...(described && { 'aria-describedby': described }) };
  switch (field.type) {
    case 'boolean':
      return (
        <div class="field">
          <label class="check">
            <input
              type="checkbox"
              checked={value === true}
              onChange={(event) => change(event.currentTarget.checked)}
              {...about}
            />
            <LongText text={field.label} />
          </label>
          {notes}
        </div>
      );
    case 'choices':
      return (
        <Choices field={field} chosen={Array.isArray(value) ? value : []} change={change} notes={notes} />
      );
    default:
      return (
        <div class={short(field) ? 'field short' : 'field'}>
          <label for={id}>
            <LongText text={field.label} />{' '}
            {!field.required && <span class="subtle">{t(($) => $.request.optional)}</span>}
          </label>
          <Control
            field={field}
            text={typeof value === 'string' ? value : ''}
            change={change}
            common={{ ...about, id, required: field.required, onBlur: (event) => goesOn(event) && leave() }}
          />
          {notes}
        </div>
      );
  }
}

function Notes(props: { id: string; help: string; fault: string | undefined }): JSX.Element {
  const { id, help, fault } = props;
  return (
    <>
      {help !== '' && (
        <p class="help" id={`${id}-help`}>
          <LongText text={help} />
        </p>
      )}
      {fault !== undefined && (
        <p class="help bad" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </>
  );
}

function Choices(props: {
  field: ChoicesField;
  chosen: string[];
  change: (chosen: string[]) => void;
  notes: JSX.Element;
}): JSX.Element {
  const { field, chosen, change, notes } = props;
  const turn = (value: string, on: boolean): void =>
    change(
      field.options.map((each) => each.value).filter((each) => (each === value ? on : chosen.includes(each))),
    );
  return (
    <fieldset>
      <legend>
        <LongText text={field.label} />{' '}
        {!field.required && <span class="subtle">{t(($) => $.request.optional)}</span>}
      </legend>
      <div class="checks">
        {field.options.map(({ value, label }) => (
          <label class="check" key={value}>
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              onChange={(event) => turn(value, event.currentTarget.checked)}
            />
            {label}
          </label>
        ))}
      </div>
      {notes}
    </fieldset>
  );
}

type Common = { id: string; required: boolean; onBlur: (event: FocusEvent) => void };

/** To another field. A fault that appeared now would move a button from under the pointer that presses it. */
const goesOn = ({ relatedTarget }: FocusEvent): boolean =>
  relatedTarget instanceof Element && relatedTarget.matches('input, select, textarea');

function Control(props: {
  field: FormField;
  text: string;
  change: (text: string) => void;
  common: Common;
}): JSX.Element {
  const { field, text, change, common } = props;
  if (field.type === 'choice') {
    return (
      <select class="select" value={text} onChange={(event) => change(event.currentTarget.value)} {...common}>
        <option value="">{field.required ? t(($) => $.request.pick) : t(($) => $.request.noAnswer)}</option>
        {field.options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    );
  }
  // Long answers get the room they need; a field of type number forgets what is no number.
  if (field.type === 'text' && field.format === undefined && (field.maxLength ?? 0) > LONG) {
    return (
      <GrowingArea
        class="input"
        rows={2}
        value={text}
        onInput={(event) => change(event.currentTarget.value)}
        {...common}
      />
    );
  }
  const line = {
    class: 'input',
    disabled: field.type === 'unfit',
    value: text,
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) => change(currentTarget.value),
    ...common,
  };
  const format = field.type === 'text' ? field.format : undefined;
  if (format === 'date') return <input type="date" {...line} />;
  if (format === 'date-time') return <input type="datetime-local" {...line} />;
  return <input type="text" autocomplete="off" inputMode={modeOf(field)} {...line} />;
}

/** Answers that are a word or a number. */
const short = (field: FormField): boolean =>
  field.type === 'choice' || field.type === 'number' || (field.type === 'text' && field.format === 'date');

/** More characters than this make an answer of several lines. */
const LONG = 200;

/** The keys that a touch screen offers. */
function modeOf(field: FormField): 'numeric' | 'decimal' | 'email' | 'url' | 'text' {
  if (field.type === 'number') return field.whole ? 'numeric' : 'decimal';
  if (field.type !== 'text') return 'text';
  return field.format === 'email' ? 'email' : field.format === 'uri' ? 'url' : 'text';
}
