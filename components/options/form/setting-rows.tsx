import type { ComponentChildren, JSX } from 'preact';
import { useId, useEffect, useState } from 'preact/hooks';
import type { Settings } from '../../../lib/types/settings.ts';
import { Segments } from '../../ui/fields.tsx';
import { Lockable } from './managed.tsx';
import { t } from '../../../locales/texts/settings.ts';

/** A group of settings, one in each row: words left, control right. */
export function SettingRows(props: { title: string; children: ComponentChildren }): JSX.Element {
  return (
    <section class="block" aria-label={props.title}>
      <h2>{props.title}</h2>
      <div class="rows">{props.children}</div>
    </section>
  );
}

type RowProps = {
  /** Of what the organisation may have set. */
  name?: keyof Settings;
  label: string;
  help?: string | undefined;
};

export type SettingProps<Value> = RowProps & { value: Value; set: (value: Value) => void };

/** A row's words, and beside or under them `children`. `id`: of the control that they are of. */
export function Row(props: RowProps & { id?: string; children: ComponentChildren }): JSX.Element {
  const { name, label, help, id } = props;
  const row = (
    <div class="set">
      {id === undefined ? <span class="label">{label}</span> : <label for={id}>{label}</label>}
      {help !== undefined && (
        <p class="help" id={id && helpId(id)}>
          {help}
        </p>
      )}
      {props.children}
    </div>
  );
  return name === undefined ? row : <Lockable name={name}>{row}</Lockable>;
}

/** The id of a row's help, which describes the control `id`. */
export const helpId = (id: string): string => `${id}-help`;

/** One choice out of few. */
export function ChoiceSetting<Value extends string>(
  props: SettingProps<Value> & { options: Record<Value, string> },
): JSX.Element {
  return (
    <Row {...props}>
      <div class="ctl">
        <Segments label={props.label} value={props.value} options={props.options} set={props.set} />
      </div>
    </Row>
  );
}

export function SelectSetting<Value extends string>(
  props: SettingProps<Value> & { options: Record<Value, string> },
): JSX.Element {
  const id = useId();
  const options = Object.entries(props.options) as [Value, string][];
  return (
    <Row {...props} id={id}>
      <select
        class="select ctl"
        id={id}
        aria-describedby={props.help === undefined ? undefined : helpId(id)}
        value={props.value}
        onChange={({ currentTarget }) => props.set(currentTarget.value as Value)}
      >
        {options.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </Row>
  );
}

export function SwitchSetting(props: SettingProps<boolean>): JSX.Element {
  const id = useId();
  return (
    <Row {...props} id={id}>
      <span class="ctl switch">
        <input
          type="checkbox"
          role="switch"
          id={id}
          aria-describedby={props.help === undefined ? undefined : helpId(id)}
          checked={props.value}
          onChange={({ currentTarget }) => props.set(currentTarget.checked)}
        />
      </span>
    </Row>
  );
}

/** Something that is done from a row: its buttons right, and under it what comes of it. */
export function ActionRow(props: {
  label: string;
  help: string;
  buttons: ComponentChildren;
  children?: ComponentChildren;
}): JSX.Element {
  return (
    <Row label={props.label} help={props.help}>
      <span class="ctl actions">{props.buttons}</span>
      {props.children && <div class="below">{props.children}</div>}
    </Row>
  );
}

/** The nearest allowed whole number; null when what was typed is none. */
export function clampNumber(typed: string, min: number, max: number): number | null {
  const value = Math.round(Number(typed));
  return typed.trim() === '' || Number.isNaN(value) ? null : Math.min(max, Math.max(min, value));
}

/** A setting that is a whole number, saved as it is changed; a slider beside it is a shortcut for the pointer. */
export function NumberSetting(props: SettingProps<number> & { min: number; max: number }): JSX.Element {
  const { value, min, max } = props;
  const id = useId();
  const [typed, setTyped] = useState(String(value));
  useEffect(() => setTyped(String(value)), [value]);
  const commit = (text: string): void => {
    const next = clampNumber(text, min, max) ?? value;
    setTyped(String(next));
    if (next !== value) props.set(next);
  };
  const at = clampNumber(typed, min, max) ?? value;
  const input = {
    min,
    max,
    onInput: (event: { currentTarget: { value: string } }) => setTyped(event.currentTarget.value),
    onChange: (event: { currentTarget: { value: string } }) => commit(event.currentTarget.value),
  };
  return (
    <Row {...props} id={id}>
      <div class="ctl range">
        <input
          {...input}
          type="range"
          value={at}
          style={{ '--at': `${(100 * (at - min)) / (max - min)}%` }}
          aria-hidden="true"
          tabIndex={-1}
        />
        <input {...input} class="input" id={id} type="number" aria-describedby={helpId(id)} value={typed} />
      </div>
    </Row>
  );
}

/**
 * A setting that is a longer text, saved when the field is left, unless it has more than `most` characters. `initial`: what it is
 * until it is changed; `faults`: what of it does not hold, though it is kept.
 */
export function TextSetting(
  props: SettingProps<string> & { initial: string; most: number; faults?: string[] },
): JSX.Element {
  const { value, initial, most, faults: found = [] } = props;
  const id = useId();
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const { length } = typed;
  const faults = length > most ? [t(($) => $.general.tooLong, { length, most })] : found;
  return (
    <Row {...props} id={id}>
      <div class="below">
        <textarea
          class="area prose"
          id={id}
          rows={5}
          aria-describedby={[helpId(id), `${id}-faults`].join(' ')}
          aria-invalid={faults.length > 0 ? 'true' : undefined}
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          onChange={({ currentTarget }) => {
            if (currentTarget.value.length <= most) props.set(currentTarget.value);
          }}
        />
        <div id={`${id}-faults`} role="status">
          {faults.map((fault) => (
            <p class="help bad" key={fault}>
              {fault}
            </p>
          ))}
        </div>
        {typed !== initial && (
          <button type="button" class="btn quiet s" onClick={() => props.set(initial)}>
            {t(($) => $.general.restore)}
          </button>
        )}
      </div>
    </Row>
  );
}
