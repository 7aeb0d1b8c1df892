import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../../../locales/texts/settings.ts';

const FIRST = 100;

/** The first rows of a table, and a button that has all drawn, where there are more. */
export function useFirstRows<Row>(rows: Row[]): { shown: Row[]; showAll: JSX.Element | null } {
  const [all, setAll] = useState(false);
  if (all || rows.length <= FIRST) return { shown: rows, showAll: null };
  const showAll = (
    <button type="button" class="btn load-more" onClick={() => setAll(true)}>
      {t(($) => $.toolList.showAll, { count: rows.length })}
    </button>
  );
  return { shown: rows.slice(0, FIRST), showAll };
}
