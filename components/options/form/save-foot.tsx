import type { ComponentChildren, JSX } from 'preact';
import { WorkButton } from './work-button.tsx';
import { t } from '../../../locales/texts/settings.ts';

/** The foot of a form: Save, what else it can do, and the way back without saving. */
export function SaveFoot(props: {
  busy: boolean;
  /** Of the button that saves. */
  label?: string | undefined;
  back: string;
  forget: () => void;
  children?: ComponentChildren;
}): JSX.Element {
  return (
    <div class="form-foot">
      <WorkButton class="primary" submit busy={props.busy}>
        {props.label ?? t(($) => $.options.save)}
      </WorkButton>
      {props.children}
      <a class="btn quiet" href={props.back} onClick={props.forget}>
        {t(($) => $.options.cancel)}
      </a>
    </div>
  );
}
