import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { visible } from '../../../lib/state/shown-text.ts';
import type { Server, ServerStatus } from '../../../lib/types/server.ts';
import { t } from '../../../locales/texts/settings.ts';

type Kind = 'tools' | 'prompts' | 'resources';

/** Why a tab has nothing to show. */
export function Empty(props: { server: Server; status: ServerStatus; of: Kind }): JSX.Element {
  return <p class="blank muted">{reason(props)}</p>;
}

function reason({ server, status, of }: Parameters<typeof Empty>[0]): string {
  const what = t(($) => $.serverPage.tabs[of]);
  if (!server.enabled) return t(($) => $.serverPage.switchedOff, { what });
  if (status.state !== 'connected') return t(($) => $.serverPage.notConnected, { what });
  const name = { server: visible(server.name) };
  if (of === 'tools') return t(($) => $.toolList.noneOffered, name);
  return of === 'prompts' ? t(($) => $.promptList.none, name) : t(($) => $.resourceList.none, name);
}

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
