import { ChevronLeft, ChevronRight, type IconNode } from 'lucide';
import { createElement, type JSX } from 'preact';

/** The mark of Portside: an open ring with a light on the port side. */
export const Mark: IconNode = [
  ['path', { d: 'M6.6 7.2a8 8 0 1 1 0 9.6' }],
  ['circle', { cx: '4.5', cy: '12', r: '2.25', fill: 'currentColor', stroke: 'none' }],
];

/** Those that point to where reading goes on, or came from. */
const SIDEWAYS: ReadonlySet<IconNode> = new Set([ChevronLeft, ChevronRight]);

/** A lucide icon, 16 px, or 14 px when `small`; the name of what it means stands beside it. */
export function Icon(props: { of: IconNode; small?: boolean; class?: string; spins?: boolean }): JSX.Element {
  const classes = ['i', props.small && 's', SIDEWAYS.has(props.of) && 'sideways', props.class]
    .filter(Boolean)
    .join(' ');
  const drawn = (
    <svg class={classes} viewBox="0 0 24 24" aria-hidden="true">
      {props.of.map(([tag, attributes]) => createElement(tag, attributes))}
    </svg>
  );
  // Browsers turn a box beside the page's own work, but an SVG only within it: sixty times a second.
  return props.spins ? <span class={`${classes} spin`}>{drawn}</span> : drawn;
}
