import { Braces, FileText, LoaderCircle, MessageSquareQuote, type IconNode } from 'lucide';
import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { en } from '../../locales/en.ts';
import { lackOf, type OfferEntry, type OfferGroup } from '../../lib/state/offers.ts';
import { serverSummary } from '../../lib/state/setup.ts';
import { visible } from '../../lib/state/shown-text.ts';
import type { MenuKind } from '../../lib/state/trigger.ts';
import { usePanel } from '../panel-context.ts';
import { Fault } from '../ui/fault.tsx';
import { GivenIcon } from '../ui/given-icon.tsx';
import { Icon } from '../ui/icon.tsx';
import './menu.css';
import './offers.css';

type ListProps = {
  id: string;
  kind: MenuKind;
  active: number;
  point: (position: number) => void;
  choose: (entry: OfferEntry) => void;
};

/** What the connected servers offer, over the composer; the focus stays in the message. */
export function OfferList(props: ListProps): JSX.Element {
  const { id, kind } = props;
  const { found, error } = usePanel().menu;
  const { groups, left } = found.value;
  let position = 0;
  return (
    <div class="menu offers" onMouseDown={(event) => event.preventDefault()}>
      <div class="offers-scroll" role="listbox" id={id} aria-label={en.offers[kind]}>
        {groups.map((group) => {
          const first = position;
          position += group.entries.length;
          return <Group key={group.serverId} group={group} first={first} {...props} />;
        })}
      </div>
      {left > 0 && <p class="menu-group">{en.offers.left(left)}</p>}
      <Lacking kind={kind} />
      {error.value && <Failed />}
      <Foot kind={kind} />
    </div>
  );
}

function Group(props: ListProps & { group: OfferGroup; first: number }): JSX.Element {
  const { id, group, first } = props;
  const title = `${id}-${group.serverId}`;
  return (
    <div role="group" aria-labelledby={title}>
      <p class="menu-group" id={title}>
        {visible(group.serverName)}
      </p>
      {group.entries.map((entry, at) => (
        <Option key={entry.id} entry={entry} position={first + at} {...props} />
      ))}
    </div>
  );
}

const icons: Record<OfferEntry['type'], IconNode> = {
  prompt: MessageSquareQuote,
  resource: FileText,
  template: Braces,
};

function Option(props: ListProps & { entry: OfferEntry; position: number }): JSX.Element {
  const { id, entry, position, active, point, choose } = props;
  const line = useRef<HTMLDivElement>(null);
  const reached = position === active;
  useLayoutEffect(() => {
    if (reached) line.current?.scrollIntoView({ block: 'nearest' });
  }, [reached]);
  return (
    <div
      class="option"
      role="option"
      id={`${id}-${position}`}
      aria-selected={reached}
      ref={line}
      onClick={() => choose(entry)}
      onMouseMove={() => reached || point(position)}
    >
      <GivenIcon icons={entry.offer.icons} otherwise={icons[entry.type]} />
      <OptionText entry={entry} reached={reached} />
    </div>
  );
}

function OptionText({ entry, reached }: { entry: OfferEntry; reached: boolean }): JSX.Element {
  if (entry.type === 'prompt') {
    const { name, title, description, arguments: asked } = entry.offer;
    const sub = [title, description].filter((text) => text && text !== name).join(': ');
    return (
      <>
        <span class="cut">
          <span class="cmd">{visible(name)}</span>{' '}
          <span class="arg">{visible(asked.map((each) => each.name).join(' '))}</span>
        </span>
        {reached && asked.length > 0 ? <kbd aria-hidden="true">Tab</kbd> : <span />}
        {sub !== '' && <span class="sub clamp">{visible(sub)}</span>}
      </>
    );
  }
  const { name, title, description } = entry.offer;
  const address = entry.type === 'resource' ? entry.offer.uri : entry.offer.uriTemplate;
  const size = entry.type === 'resource' ? entry.offer.size : undefined;
  return (
    <>
      <span class="cut" title={visible(description)}>
        {visible(title ?? name)}
        {entry.type === 'template' && '…'}
      </span>
      <span class="small subtle num">{size !== undefined && en.tool.file(undefined, size)}</span>
      <span class="sub cut">{visible(address)}</span>
    </>
  );
}

/** Why there is nothing to choose, in a line. */
function Lacking({ kind }: { kind: MenuKind }): JSX.Element | null {
  const { menu, setup } = usePanel();
  const lack = lackOf({
    entries: menu.entries.value,
    found: menu.found.value.groups,
    connected: serverSummary(setup.value).connected,
  });
  if (lack === null || menu.error.value) return null;
  const words = {
    loading: en.offers.loading[kind],
    no_servers: en.offers.noServers,
    nothing_offered: en.offers.nothingOffered[kind],
    no_match: en.offers.noMatch[kind](menu.query.value),
  };
  return (
    <p class="menu-note" role="status">
      {lack === 'loading' && <Icon of={LoaderCircle} small class="spin" />}
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
        {en.offers.retry}
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
        <kbd>↑</kbd> <kbd>↓</kbd> {en.offers.choose}
      </span>
      {key('⏎', kind === 'prompts' ? en.offers.insert : en.offers.add)}
      {key('Esc', en.offers.close)}
    </div>
  );
}
