import { ChevronLeft } from 'lucide';
import type { ComponentChildren, JSX } from 'preact';
import { Icon } from '../ui/icon.tsx';

/** The way back to the page that a page belongs to. */
export function Crumb({ href, children }: { href: string; children: ComponentChildren }): JSX.Element {
  return (
    <a class="crumb" href={href}>
      <Icon of={ChevronLeft} small />
      {children}
    </a>
  );
}

/** A page's title, what it is for, and beside them its buttons. */
export function PageHead(props: {
  title: string;
  lead?: string | undefined | false;
  children?: ComponentChildren;
}): JSX.Element {
  return (
    <header class="head">
      <div>
        <h1>{props.title}</h1>
        {props.lead && <p>{props.lead}</p>}
      </div>
      {props.children}
    </header>
  );
}
