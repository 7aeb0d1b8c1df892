import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** A text field as high as its text, between the bounds that its style sets. */
export function GrowingArea(props: JSX.IntrinsicElements['textarea'] & { value: string }): JSX.Element {
  const { class: classes = '', ...rest } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const area = field.current;
    // Firefox has no field-sizing yet.
    if (!area || CSS.supports('field-sizing', 'content')) return;
    area.style.height = 'auto';
    area.style.height = `${area.scrollHeight + area.offsetHeight - area.clientHeight}px`;
  }, [props.value]);
  return <textarea {...rest} class={`growing ${String(classes)}`} ref={field} />;
}
