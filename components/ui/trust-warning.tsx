import { TriangleAlert } from 'lucide';
import type { JSX } from 'preact';
import { Icon } from './icon.tsx';
import './definition-diff.css';

/** What may deceive about a tool or a server, in a sentence. */
export function TrustWarning({ text }: { text: string }): JSX.Element {
  return (
    <p class="trust-warning small">
      <Icon of={TriangleAlert} small />
      <span>{text}</span>
    </p>
  );
}
