import { LoaderCircle } from 'lucide';
import type { ComponentChildren, JSX } from 'preact';
import { lackOf, type MenuEntry, type MenuGroup } from '../../../lib/state/composer/menu-entries.ts';
import { serverSummary } from '../../../lib/state/server-summary.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import type { MenuKind } from '../../../lib/state/composer/trigger.ts';
import { usePanel } from '../../panel-context.ts';
import { Fault } from '../../ui/fault.tsx';
import { Icon } from '../../ui/icon.tsx';
import { OfferOption } from './offer-option.tsx';
import './menu.css';
import './offers.css';
import { t } from '../../../locales/texts/panel.ts';

type ListProps = {
  id: string;
  kind: MenuKind;
  active: number;
  point: (position: number) => void;
  choose: (entry: MenuEntry) => void;
};

/** What can be put into the message, over the composer; the focus stays in the message. */
export function OfferList(props: ListProps): JSX.Element {
  const { id, kind } = props;
  const { found, error } = usePanel().menu;
  const { groups, left } = found.value;
  let position = 0;
  return (
    <div class="menu offers" onMouseDown={(event) => event.preventDefault()}>
      <div class="offers-scroll" role="listbox" id={id} aria-label={t(($) => $.offers[kind])}>
        {groups.map((group) => {
          const first = position;
          position += group.entries.length;
          return <Group key={group.id} group={group} first={first} {...props} />;
        })}
      </div>
      {left > 0 && <p class="menu-group">{t(($) => $.offers.left, { count: left })}</p>}
      <Lacking kind={kind} />
      {error.value && <Failed />}
      <Foot kind={kind} />
    </div>
  );
}

function Group(props: ListProps & { group: MenuGroup; first: number }): JSX.Element {
  const { id, group, first } = props;
  const title = `${id}-${group.id}`;
  return (
    <div role="group" aria-labelledby={title}>
      <p class="menu-group" id={title}>
        {visible(group.title)}
      </p>
      {group.entries.map((entry, at) => (
        <OfferOption key={entry.id} entry={entry} position={first + at} {...props} />
      ))}
    </div>
  );
}

/** Why there is nothing to choose, in a line. */
function Lacking({ kind }: { kind: MenuKind }): JSX.Element | null {
  const { menu, setup } = usePanel();
  const lack = lackOf({
    offered: menu.offered.value,
    found: menu.found.value.groups,
    query: menu.query.value,
    connected: serverSummary(setup.value).connected,
  });
  if (lack === null || menu.error.value) return null;
  const words = {
    loading: t(($) => $.offers.loading[kind]),
    no_servers: t(($) => $.offers.noServers),
    nothing_offered: t(($) => $.offers.nothingOffered[kind]),
    no_match: t(($) => $.offers.noMatch[kind], { query: menu.query.value }),
  };
  return (
    <p class="menu-note" role="status">
      {lack === 'loading' && <Icon of={LoaderCircle} small spins />}
      {words[lack]}
    </p>
  );
}

function Failed(): JSX.Element | null {
  const { menu } = usePanel();
  const error = menu.error.value;
  if (!error) return null;
  return (
    <div class="menu-note" role="alert">
      <p class="grow bad">
        <Fault error={error} />
      </p>
      <button type="button" class="btn s" onClick={() => void menu.retry()}>
        {t(($) => $.actions.retry)}
      </button>
    </div>
  );
}

function Foot({ kind }: { kind: MenuKind }): JSX.Element {
  const key = (name: string, does: ComponentChildren): JSX.Element => (
    <span>
      <kbd>{name}</kbd> {does}
    </span>
  );
  return (
    <div class="menu-foot" aria-hidden="true">
      <span>
        <kbd>↑</kbd> <kbd>↓</kbd> {t(($) => $.offers.choose)}
      </span>
      {key('⏎', kind === 'prompts' ? t(($) => $.offers.insert) : t(($) => $.offers.add))}
      {kind === 'context' &&
        key(
          'Space',
          t(($) => $.compose.preview),
        )}
      {key(
        'Esc',
        t(($) => $.offers.close),
      )}
    </div>
  );
}
