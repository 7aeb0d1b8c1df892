import { Trash } from 'lucide';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { en } from '../../locales/en.ts';
import { Icon } from '../ui/icon.tsx';
import { useLayer } from '../ui/layers.ts';

/** Remove, and the question that stands between it and the removal. */
export function ConfirmRemove(props: {
  question: string;
  label?: string;
  /** Only the icon, where there are many in a list. */
  small?: boolean;
  remove: () => void;
}): JSX.Element {
  const [asking, setAsking] = useState(false);
  const keep = useRef<HTMLButtonElement>(null);
  useLayer(asking, () => setAsking(false));
  useEffect(() => keep.current?.focus(), [asking]);
  if (!asking) {
    return (
      <button
        type="button"
        class={props.small ? 'icon-btn' : 'btn danger'}
        aria-label={props.label ?? en.options.remove}
        title={props.small ? en.options.remove : undefined}
        onClick={() => setAsking(true)}
      >
        <Icon of={Trash} />
        {!props.small && en.options.remove}
      </button>
    );
  }
  return (
    <div class="confirm" role="group" aria-label={props.question}>
      <p class="small">{props.question}</p>
      <button type="button" class="btn danger" onClick={props.remove}>
        {en.options.remove}
      </button>
      <button type="button" class="btn quiet" ref={keep} onClick={() => setAsking(false)}>
        {en.options.keep}
      </button>
    </div>
  );
}
