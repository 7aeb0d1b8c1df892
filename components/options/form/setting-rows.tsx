import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { Settings } from '../../../lib/types/settings.ts';
import { Segments } from '../../ui/fields.tsx';
import { Lockable } from './managed.tsx';

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
