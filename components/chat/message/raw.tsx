import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import '../calls/tool-details.css';
import { LongText } from '../../ui/long-text.tsx';
import { t } from '../../../locales/texts/panel.ts';

const MANY_LINES = 200;
const FIRST_LINES = 40;
const MANY_CHARACTERS = 20_000;

/** Text as it came; of a very long one the beginning, until all is asked for. */
export function Raw({ text }: { text: string }): JSX.Element {
  const [whole, setWhole] = useState(false);
  const lines = useMemo(() => text.split('\n'), [text]);
  const begun = lines.length > MANY_LINES ? lines.slice(0, FIRST_LINES).join('\n') : text;
  const shown = whole ? text : begun.slice(0, MANY_CHARACTERS);
  if (shown.length === text.length)
    return (
      <pre class="raw" tabIndex={0}>
        <LongText text={text} />
      </pre>
    );
  return (
    <>
      <pre class="raw" tabIndex={0}>
        <LongText text={shown} />
      </pre>
      <p class="shot">
        <button type="button" class="link small" onClick={() => setWhole(true)}>
          {begun === text || begun.length > MANY_CHARACTERS
            ? t(($) => $.tool.showAllCharacters, { characters: text.length })
            : t(($) => $.tool.showAll, { lines: lines.length })}
        </button>
      </p>
    </>
  );
}
