import type { JSX } from 'preact';
import { en } from '../../locales/en.ts';
import { Check, TextArea } from './fields.tsx';
import type { HeadersDraft } from './headers-input.ts';

/** The field Headers. Once saved, the values are not shown again: `saved` names them. */
export function HeadersField(props: {
  draft: HeadersDraft;
  set: (change: Partial<HeadersDraft>) => void;
  saved: string[];
  help: string;
  invalid: string | undefined;
}): JSX.Element {
  const { draft, set, saved } = props;
  const words = en.options.headers;
  return (
    <div class="field">
      <TextArea
        label={words.label}
        value={draft.headers}
        set={(headers) => set({ headers })}
        placeholder="Authorization: Bearer …"
        invalid={props.invalid}
        help={saved.length > 0 ? words.kept(saved.join(', ')) : props.help}
        code
      />
      {saved.length > 0 && draft.headers === '' && (
        <Check
          label={words.forget}
          checked={draft.forgetHeaders}
          set={(forgetHeaders) => set({ forgetHeaders })}
        />
      )}
    </div>
  );
}
