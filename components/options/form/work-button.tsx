import { LoaderCircle } from 'lucide';
import type { ComponentChildren, JSX } from 'preact';
import { Icon } from '../../ui/icon.tsx';

/** A button that shows that it is working without changing its name or width. */
export function WorkButton(props: {
  busy: boolean;
  /** There is nothing to do yet; it still can be focused. */
  disabled?: boolean;
  class?: string;
  submit?: boolean;
  /** Its name, where its words alone do not say of what. */
  label?: string;
  /** The id of what says what of, where its name alone does not. */
  describedBy?: string;
  /** What it does, for the pointer, where its name alone is too short. */
  help?: string;
  /** Only an icon. */
  icon?: boolean;
  press?: () => void;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <button
      type={props.submit ? 'submit' : 'button'}
      class={`${props.icon ? 'icon-btn' : 'btn'} work ${props.class ?? ''}`}
      aria-disabled={props.busy || props.disabled === true}
      aria-label={props.label}
      aria-describedby={props.describedBy}
      title={props.help ?? (props.icon ? props.label : undefined)}
      onClick={props.press}
    >
      <span class="words">{props.children}</span>
      {props.busy && <Icon of={LoaderCircle} spins />}
    </button>
  );
}
