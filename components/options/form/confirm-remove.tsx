import { Trash } from 'lucide';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../../ui/icon.tsx';
import { useLayer } from '../../ui/overlay/layers.ts';
import { t } from '../../../locales/texts/settings.ts';

/** Remove, and the question that stands between it and the removal. */
export function ConfirmRemove(props: {
  question: string;
  /** Where it is no removal, what it is. */
  verb?: string;
  label?: string;
  /** Only the icon, where there are many in a list. */
  small?: boolean;
  remove: () => void;
}): JSX.Element {
  const verb = props.verb ?? t(($) => $.options.remove);
  const [asking, setAsking] = useState(false);
  const keep = useRef<HTMLButtonElement>(null);
  useLayer(asking, () => setAsking(false));
  useLayoutEffect(() => keep.current?.focus(), [asking]);
  if (!asking) {
    return (
      <button
        type="button"
        class={props.small ? 'icon-btn' : props.verb ? 'btn quiet s' : 'btn danger'}
        aria-label={props.label ?? verb}
        title={props.small ? verb : undefined}
        onClick={() => setAsking(true)}
      >
        {!props.verb && <Icon of={Trash} />}
        {!props.small && verb}
      </button>
    );
  }
  return (
    <div class="confirm" role="group" aria-label={props.question}>
      <p class="small">{props.question}</p>
      <button type="button" class="btn danger" onClick={props.remove}>
        {verb}
      </button>
      <button type="button" class="btn quiet" ref={keep} onClick={() => setAsking(false)}>
        {t(($) => $.options.keep)}
      </button>
    </div>
  );
}
