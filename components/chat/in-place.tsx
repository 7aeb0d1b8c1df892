import type { ComponentChildren, JSX } from 'preact';
import { usePanel } from '../panel-context.ts';
import { Boundary, Damaged } from '../ui/boundary.tsx';

/** A part of a chat: where it can't be shown it says so in its own place, and the rest of the panel stays. */
export function InPlace({ children }: { children: ComponentChildren }): JSX.Element {
  const { ask } = usePanel();
  return <Boundary instead={(cause) => <Damaged send={ask} cause={cause} />}>{children}</Boundary>;
}
