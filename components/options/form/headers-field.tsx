import type { JSX } from 'preact';
import type { HeadersDraft } from './headers-input.ts';
import { StoredLines } from './stored-lines.tsx';
import { t } from '../../../locales/texts/settings.ts';

/** The field Headers. Once saved, the values are not shown again: `saved` names them. */
export function HeadersField(props: {
  draft: HeadersDraft;
  set: (change: Partial<HeadersDraft>) => void;
  saved: string[];
  help: string;
  invalid: string | undefined;
}): JSX.Element {
  const { draft, set, saved, help, invalid } = props;
  return (
    <StoredLines
      label={t(($) => $.options.headers.label)}
      value={draft.headers}
      set={(headers) => set({ headers })}
      saved={saved}
      forgetLabel={t(($) => $.options.headers.forget)}
      forget={draft.forgetHeaders}
      setForget={(forgetHeaders) => set({ forgetHeaders })}
      placeholder="Authorization: Bearer …"
      help={help}
      invalid={invalid}
    />
  );
}
