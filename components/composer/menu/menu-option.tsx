import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import './menu.css';

/** One line of a menu over the composer. The focus stays where it is; `active` is the position that its keys reached. */
export function MenuOption(props: {
  /** Of the menu; its options' ids begin so. */
  id: string;
  position: number;
  active: number;
  class?: string;
  point: (position: number) => void;
  choose: () => void;
  children: ComponentChildren;
}): JSX.Element {
  const { id, position, active, point, choose, children } = props;
  const line = useRef<HTMLDivElement>(null);
  const reached = position === active;
  useLayoutEffect(() => {
    if (reached) line.current?.scrollIntoView({ block: 'nearest' });
  }, [reached]);
  return (
    <div
      class={`option ${props.class ?? ''}`}
      role="option"
      id={`${id}-${position}`}
      aria-selected={reached}
      ref={line}
      onClick={choose}
      onMouseMove={() => reached || point(position)}
    >
      {children}
    </div>
  );
}
