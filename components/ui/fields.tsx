import type { ComponentChildren, JSX, RefObject } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { GrowingArea } from './growing-area.tsx';

/** For a form: its first field has the focus when it `opens`, and the first one at fault whenever `faults` are found. */
export function useFormFocus(faults: object, opens = true): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  const focus = (field: string): void => form.current?.querySelector<HTMLElement>(field)?.focus();
  useLayoutEffect(() => {
    if (opens) focus('input, select, textarea');
  }, []);
  useLayoutEffect(() => focus('[aria-invalid]'), [faults]);
  return form;
}

type FieldProps = {
  label: string;
  value: string;
  set: (value: string) => void;
  /** Why the value cannot be saved. */
  invalid?: string | undefined;
  help?: string | undefined;
};

/** What a field of a form needs, by its name in the draft. */
export const fieldsOf =
  <Draft extends object>(form: {
    draft: Draft;
    set: (change: Partial<Draft>) => void;
    faults: Partial<Record<keyof Draft, string>>;
  }) =>
  <Name extends keyof Draft>(name: Name) => ({
    value: form.draft[name],
    set: (value: Draft[Name]) => form.set({ [name]: value } as object),
    invalid: form.faults[name],
  });

type Control = {
  id: string;
  value: string;
  onInput: (event: { currentTarget: { value: string } }) => void;
  'aria-invalid'?: 'true';
  'aria-describedby'?: string;
};

/** A label, its control, and under it what is wrong or else what helps. */
export function Field(props: FieldProps & { control: (control: Control) => ComponentChildren }): JSX.Element {
  const id = useId();
  const words = props.invalid ?? props.help;
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      {props.control({
        id,
        value: props.value,
        onInput: (event) => props.set(event.currentTarget.value),
        ...(props.invalid !== undefined && { 'aria-invalid': 'true' as const }),
        ...(words !== undefined && { 'aria-describedby': `${id}-words` }),
      })}
      {words !== undefined && (
        <p class={props.invalid === undefined ? 'help' : 'help bad'} id={`${id}-words`}>
          {words}
        </p>
      )}
    </div>
  );
}

// Preact's types take no union of types.
const INPUTS = {
  text: { type: 'text' },
  password: { type: 'password' },
  time: { type: 'time' },
  'datetime-local': { type: 'datetime-local' },
  number: { type: 'number' },
} as const;

export function TextField(
  props: FieldProps & {
    type?: keyof typeof INPUTS;
    mono?: boolean;
    suggestions?: string[];
    placeholder?: string;
    /** Of a number: how far one step goes. */
    step?: number;
  },
): JSX.Element {
  const list = useId();
  const { suggestions, placeholder, type = 'text', step = 1 } = props;
  return (
    <>
      <Field
        {...props}
        control={(control) => (
          <input
            {...control}
            {...(suggestions && { list })}
            {...(placeholder !== undefined && { placeholder })}
            {...(type === 'number' && { step })}
            {...INPUTS[type]}
            class={props.mono ? 'input mono' : 'input'}
            autocomplete="off"
            spellcheck={false}
          />
        )}
      />
      {suggestions && (
        <datalist id={list}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
    </>
  );
}

export function TextArea(
  props: FieldProps & {
    placeholder?: string;
    rows?: number;
    code?: boolean;
    /** As high as its text, however long. */
    isWhole?: boolean | undefined;
  },
): JSX.Element {
  const Area = props.isWhole ? GrowingArea : 'textarea';
  return (
    <Field
      {...props}
      control={(control) => (
        <Area
          {...control}
          class={props.code ? 'area' : 'area prose'}
          rows={props.rows ?? 2}
          // A browser writes what stands in others into its files, to show it again after a crash.
          autocomplete="off"
          spellcheck={!props.code}
          placeholder={props.placeholder}
        />
      )}
    />
  );
}

/** Choices under a heading. */
export type OptionGroup<Value extends string> = { label: string; options: [Value, string][] };

export function SelectField<Value extends string>(
  props: Omit<FieldProps, 'set' | 'value'> & {
    value: Value;
    options: Partial<Record<Value, string>>;
    groups?: OptionGroup<Value>[];
    set: (value: Value) => void;
  },
): JSX.Element {
  return (
    <Field
      {...props}
      set={(value) => props.set(value as Value)}
      control={({ onInput, ...control }) => (
        <select {...control} class="select" onChange={onInput}>
          <Options of={Object.entries(props.options) as [Value, string][]} />
          {props.groups?.map(({ label, options }) => (
            <optgroup key={label} label={label}>
              <Options of={options} />
            </optgroup>
          ))}
        </select>
      )}
    />
  );
}

function Options({ of }: { of: [string, string][] }): JSX.Element {
  return (
    <>
      {of.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </>
  );
}

/** A checkbox with its words, and under them what it does. */
export function Check(props: {
  label: string;
  checked: boolean;
  set: (checked: boolean) => void;
  help?: string;
}): JSX.Element {
  const id = useId();
  return (
    <div class="field">
      <label class="check">
        <input
          type="checkbox"
          checked={props.checked}
          onChange={(event) => props.set(event.currentTarget.checked)}
          aria-describedby={props.help ? id : undefined}
        />
        {props.label}
      </label>
      {props.help && (
        <p class="help under" id={id}>
          {props.help}
        </p>
      )}
    </div>
  );
}

/** A switch; its label is a target too. */
export function Switch(props: {
  label: string;
  labelShown?: boolean;
  checked: boolean;
  set: (checked: boolean) => void;
}): JSX.Element {
  return (
    <label class="switch">
      {props.labelShown && props.label}
      <input
        type="checkbox"
        role="switch"
        aria-label={props.labelShown ? undefined : props.label}
        checked={props.checked}
        onChange={(event) => props.set(event.currentTarget.checked)}
      />
    </label>
  );
}

/** One choice out of few, all in sight. */
export function Segments<Value extends string>(props: {
  label: string;
  value: Value;
  options: Partial<Record<Value, string>>;
  set: (value: Value) => void;
  quiet?: boolean;
}): JSX.Element {
  const name = useId();
  const entries = Object.entries(props.options) as [Value, string][];
  return (
    <div class={props.quiet ? 'seg perm' : 'seg'} role="radiogroup" aria-label={props.label}>
      {entries.map(([value, label]) => (
        <label key={value}>
          <input type="radio" name={name} checked={value === props.value} onChange={() => props.set(value)} />
          {label}
        </label>
      ))}
    </div>
  );
}
