import type { JSX } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { helpId, Row, type SettingProps } from './setting-rows.tsx';
import { t } from '../../../locales/texts/settings.ts';

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
