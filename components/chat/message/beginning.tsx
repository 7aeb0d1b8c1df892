import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../../../locales/texts/panel.ts';

/** Characters of a message that are drawn at once. */
const MANY_CHARACTERS = 100_000;

/**
 * What is drawn of a text, and what has all of a very long one drawn, which takes its time.
 * @param isWhole all of it was drawn as it came: none of it goes
 */
export function useBeginning(text: string, isWhole = false): { shown: string; more: JSX.Element | false } {
  const [whole, setWhole] = useState(isWhole);
  if (whole || text.length <= MANY_CHARACTERS) return { shown: text, more: false };
  const more = (
    <p>
      <button type="button" class="link small" onClick={() => setWhole(true)}>
        {t(($) => $.tool.showAllCharacters, { characters: text.length })}
      </button>
    </p>
  );
  return { shown: text.slice(0, MANY_CHARACTERS), more };
}
