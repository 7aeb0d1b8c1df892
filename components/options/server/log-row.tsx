import { ArrowDown, ArrowUp, ScrollText, Unplug, type IconNode } from 'lucide';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { isFault } from '../../../lib/state/settings/wire-log.ts';
import { pretty, visible } from '../../../lib/state/shown-text.ts';
import type { WireEntry } from '../../../lib/types/wire-log.ts';
import { Icon } from '../../ui/icon.tsx';
import { memo } from '../../ui/memo.tsx';
import { t } from '../../../locales/texts/settings.ts';
import { units } from '../../../locales/units.ts';
import { dates } from '../../../locales/dates.ts';

const icons: Record<WireEntry['kind'], IconNode> = {
  sent: ArrowUp,
  received: ArrowDown,
  log: ScrollText,
  note: Unplug,
};

/** One line of the log, and under it, when it is open, its JSON. */
export const LogRow = memo(({ entry }: { entry: WireEntry }): JSX.Element => {
  const [open, setOpen] = useState(false);
  const { at, kind, summary, id, tookMs, size, level, body } = entry;
  const classes = [open && 'open', isFault(entry) && 'fault', kind === 'note' && 'noted'];
  return (
    <>
      <tr class={classes.filter(Boolean).join(' ')}>
        <td class="num subtle time">
          <time dateTime={at}>{dates.millisecond(at)}</time>
        </td>
        <td class={`kind ${kind}`}>
          <Icon of={icons[kind]} small />
          <span class="sr">{t(($) => $.wireLog.kinds[kind])}</span>
        </td>
        <td class="message">
          <button
            type="button"
            class="line cut"
            aria-expanded={open}
            title={open ? undefined : t(($) => $.wireLog.details, { message: visible(summary) })}
            onClick={() => setOpen(!open)}
          >
            {level !== undefined && <span class="badge">{t(($) => $.wireLog.levels[level])}</span>}{' '}
            {visible(summary)}
          </button>
        </td>
        <td class="num subtle id cut">{id !== undefined && visible(id)}</td>
        <td class="r num subtle took">{tookMs !== undefined && units.took(tookMs)}</td>
        <td class="r num subtle size">{kind !== 'note' && units.bytes(size)}</td>
      </tr>
      {open && (
        <tr class="detail">
          <td colSpan={6}>
            {body === undefined ? (
              <p class="small subtle">{t(($) => $.wireLog.noBody)}</p>
            ) : (
              <pre class="json" tabIndex={0}>
                {pretty(body)}
              </pre>
            )}
          </td>
        </tr>
      )}
    </>
  );
});
