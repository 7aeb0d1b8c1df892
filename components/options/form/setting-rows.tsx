import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { Segments } from './fields.tsx';

/** A group of settings, one in each row: words left, control right. */
export function SettingRows(props: { title: string; children: ComponentChildren }): JSX.Element {
  return (
    <section class="block" aria-label={props.title}>
      <h2>{props.title}</h2>
      <div class="rows">{props.children}</div>
    </section>
  );
}

type Setting<Value> = { label: string; help?: string; set: (value: Value) => void };

/** One choice out of few. */
export function ChoiceSetting<Value extends string>(
  props: Setting<Value> & { value: Value; options: Record<Value, string> },
): JSX.Element {
  return (
    <div class="set">
      <span class="label">{props.label}</span>
      {props.help !== undefined && <p class="help">{props.help}</p>}
      <div class="ctl">
        <Segments label={props.label} value={props.value} options={props.options} set={props.set} />
      </div>
    </div>
  );
}

export function SelectSetting<Value extends string>(
  props: Setting<Value> & { value: Value; options: Record<Value, string> },
): JSX.Element {
  const id = useId();
  const options = Object.entries(props.options) as [Value, string][];
  return (
    <div class="set">
      <label for={id}>{props.label}</label>
      <Help id={id} text={props.help} />
      <select
        class="select ctl"
        id={id}
        aria-describedby={props.help === undefined ? undefined : `${id}-help`}
        value={props.value}
        onChange={({ currentTarget }) => props.set(currentTarget.value as Value)}
      >
        {options.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}

export function SwitchSetting(props: Setting<boolean> & { checked: boolean }): JSX.Element {
  const id = useId();
  return (
    <div class="set">
      <label for={id}>{props.label}</label>
      <Help id={id} text={props.help} />
      <span class="ctl switch">
        <input
          type="checkbox"
          role="switch"
          id={id}
          aria-describedby={props.help === undefined ? undefined : `${id}-help`}
          checked={props.checked}
          onChange={({ currentTarget }) => props.set(currentTarget.checked)}
        />
      </span>
    </div>
  );
}

const Help = (props: { id: string; text: string | undefined }): JSX.Element | null =>
  props.text === undefined ? null : (
    <p class="help" id={`${props.id}-help`}>
      {props.text}
    </p>
  );

/** Something that is done from a row: its buttons right, and under it what comes of it. */
export function ActionRow(props: {
  label: string;
  help: string;
  buttons: ComponentChildren;
  children?: ComponentChildren;
}): JSX.Element {
  return (
    <div class="set">
      <span class="label">{props.label}</span>
      <p class="help">{props.help}</p>
      <span class="ctl actions">{props.buttons}</span>
      {props.children && <div class="below">{props.children}</div>}
    </div>
  );
}
