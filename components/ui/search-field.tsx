import { Search } from 'lucide';
import type { JSX, RefObject } from 'preact';
import { Icon } from './icon.tsx';

/** A field that searches or filters what stands below it. `hint`: what stands in it while it is empty; its name if left out. */
export function SearchField(props: {
  label: string;
  hint?: string;
  value: string;
  set: (typed: string) => void;
  field?: RefObject<HTMLInputElement | null>;
  'aria-controls'?: string;
  'aria-activedescendant'?: string;
}): JSX.Element {
  const { label, hint = label, set, field, ...input } = props;
  return (
    <label class="search">
      <Icon of={Search} />
      <input
        {...input}
        class="input"
        type="search"
        aria-label={label}
        placeholder={hint}
        {...(field && { ref: field })}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    </label>
  );
}
