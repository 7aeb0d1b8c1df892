import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { en } from '../../locales/en.ts';
import './tool-details.css';

const MANY_LINES = 200;
const FIRST_LINES = 40;

/** Text as it came; of a very long one the beginning, until all is asked for. */
export function Raw({ text }: { text: string }): JSX.Element {
  const [whole, setWhole] = useState(false);
  const lines = text.split('\n');
  if (whole || lines.length <= MANY_LINES) return <pre class="raw">{text}</pre>;
  return (
    <>
      <pre class="raw">{lines.slice(0, FIRST_LINES).join('\n')}</pre>
      <p class="shot">
        <button type="button" class="link small" onClick={() => setWhole(true)}>
          {en.tool.showAll(lines.length)}
        </button>
      </p>
    </>
  );
}
