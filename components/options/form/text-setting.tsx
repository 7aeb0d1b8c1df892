import type { JSX } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';

import { t } from '../../../locales/texts/settings.ts';

/** A setting that is a longer text, saved when the field is left. `initial`: what it is until it is changed. */
export function TextSetting(props: {
  label: string;
  help: string;
  value: string;
  initial: string;
  most: number;
  set: (value: string) => void;
}): JSX.Element {
  const { value, initial } = props;
  const id = useId();
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  return (
    <div class="set">
      <label for={id}>{props.label}</label>
      <p class="help" id={`${id}-help`}>
        {props.help}
      </p>
      <div class="below">
        <textarea
          class="area prose"
          id={id}
          rows={5}
          maxLength={props.most}
          aria-describedby={`${id}-help`}
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          onChange={({ currentTarget }) => props.set(currentTarget.value)}
        />
        {typed !== initial && (
          <button type="button" class="btn quiet s" onClick={() => props.set(initial)}>
            {t(($) => $.general.restore)}
          </button>
        )}
      </div>
    </div>
  );
}
