import type { JSX } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { helpId, Row, type SettingProps } from './setting-rows.tsx';

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
