import type { JSX } from 'preact';
import { visible } from '../../../lib/state/shown-text.ts';
import { Check, TextArea } from '../../ui/fields.tsx';
import { t } from '../../../locales/texts/settings.ts';

/**
 * `Name: value` lines whose values are never shown again once they are saved: `saved` names those. What is typed
 * replaces them all; nothing typed keeps them, unless they are to be forgotten.
 */
export function StoredLines(props: {
  label: string;
  value: string;
  set: (value: string) => void;
  saved: string[];
  forgetLabel: string;
  forget: boolean;
  setForget: (forget: boolean) => void;
  placeholder: string;
  help: string;
  invalid: string | undefined;
}): JSX.Element {
  const { label, value, set, saved, forget } = props;
  const isKept = saved.length > 0 && value.trim() === '';
  return (
    <div class="field">
      <TextArea
        label={label}
        value={value}
        set={set}
        placeholder={props.placeholder}
        invalid={props.invalid}
        help={saved.length > 0 ? t(($) => $.servers.stored.replace) : props.help}
        code
      />
      {isKept && (
        <>
          <ul class={forget ? 'stored forgotten' : 'stored'}>
            {saved.map((name) => (
              <li key={name}>
                <code>{visible(name)}</code>
                <span class="badge">{t(($) => $.servers.stored.value)}</span>
              </li>
            ))}
          </ul>
          <Check label={props.forgetLabel} checked={forget} set={props.setForget} />
        </>
      )}
    </div>
  );
}
