import { Archive, X } from 'lucide';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { openSettings, usePanel } from '../panel-context.ts';
import { Damaged } from '../ui/boundary.tsx';
import { Icon } from '../ui/icon.tsx';
import { useLayer } from '../ui/overlay/layers.ts';
import { focusMessage } from '../composer/message-field.tsx';
import { UndoLines } from '../ui/undo-lines.tsx';
import { ChatList, MoreRows } from './chat-list.tsx';
import { CHORDS } from '../ui/keys/chords.ts';
import { IconButton } from '../ui/icon-button.tsx';
import './drawer.css';
import { SearchField } from '../ui/search-field.tsx';
import { t } from '../../locales/texts/panel.ts';
import { hitsByChat } from '../../lib/state/history/search.ts';
import { visible } from '../../lib/state/shown-text.ts';
import type { SearchHit } from '../../lib/protocol/chats.ts';
import { whenOf } from './groups.ts';

/** Earlier chats, over the panel; the focus comes in with it. */
export function HistoryDrawer({ close }: { close: () => void }): JSX.Element {
  const panel = usePanel();
  const { history, search } = panel;
  const field = useRef<HTMLInputElement>(null);
  useLayer(true, close);
  useLayoutEffect(() => {
    field.current?.focus();
    void history.load();
    return () => search.type('');
  }, [panel]);

  const { value: query } = search.text;
  const { value: error } = panel.error;
  const looks = query.trim() !== '';
  const { value: hits } = search.hits;
  const found =
    looks &&
    hits &&
    !search.busy.value &&
    t(($) => $.history.found, { count: hits.length, more: search.hasMore.value });
  return (
    <>
      <div class="scrim" onClick={close} />
      <section
        class="drawer"
        role="region"
        aria-label={t(($) => $.history.title)}
        onKeyDown={moveBetweenRows}
      >
        <div class="drawer-head">
          <div class="top">
            <h2>{t(($) => $.history.title)}</h2>
            <IconButton icon={X} label={t(($) => $.history.close)} keys={CHORDS.escape} onClick={close} />
          </div>
          <SearchField
            label={t(($) => $.history.search)}
            hint={t(($) => $.history.searchHint)}
            value={query}
            set={search.type}
            field={field}
          />
          <p class="sr" role="status">
            {found}
          </p>
        </div>
        <div class="drawer-list" aria-busy={history.loading.value || search.busy.value}>
          {history.damaged.value && <Damaged send={panel.ask} />}
          {looks ? (
            <Hits
              open={(hit) => {
                close();
                void panel.showHit(hit);
              }}
            />
          ) : (
            <ChatList
              open={(chat) => {
                if (chat.id !== panel.conversationId.value) panel.show(chat);
                close();
              }}
              begin={(project) => {
                panel.show(null);
                void panel.setChat({ project });
                close();
                focusMessage();
              }}
            />
          )}
        </div>
        <div>
          {error && (
            <p class="drawer-fault small" role="alert">
              <strong>{error.message}</strong> {error.fix}
            </p>
          )}
          <UndoLines />
          <Foot looks={looks} found={found || ''} />
        </div>
      </section>
    </>
  );
}

/** @param found what a search came to */
function Foot({ looks, found }: { looks: boolean; found: string }): JSX.Element {
  const { history } = usePanel();
  const archived = history.archived.value;
  const count = history.count.value;
  return (
    <div class="drawer-foot">
      <span class="grow">
        {looks
          ? found
          : archived
            ? t(($) => $.history.archivedCount, { count })
            : t(($) => $.history.count, { count })}
      </span>
      <button class="btn quiet s" aria-pressed={archived} onClick={() => void history.load(!archived)}>
        <Icon of={Archive} small />
        {t(($) => $.history.archived)}
      </button>
      <button class="btn quiet s" onClick={() => openSettings('data')}>
        {t(($) => $.history.export)}
      </button>
    </div>
  );
}

/** Arrows move through the rows, from the search field down into them and back. */
function moveBetweenRows(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const { key, target, currentTarget } = event;
  if (event.defaultPrevented || !(target instanceof HTMLElement)) return;
  const search = currentTarget.querySelector<HTMLElement>('input[type="search"]');
  const rows = [...currentTarget.querySelectorAll<HTMLElement>('.drawer-list .chat a')];
  const at = rows.findIndex((row) => row === target || row.closest('.chat')?.contains(target));
  const inSearch = target === search;
  if (at === -1 && !inSearch) return;
  let to: HTMLElement | null | undefined;
  if (key === 'ArrowDown') to = rows[at + 1];
  else if (key === 'ArrowUp') to = at > 0 ? rows[at - 1] : search;
  else if (inSearch) return;
  else if (key === 'Home') [to] = rows;
  else if (key === 'End') to = rows.at(-1);
  else return;
  event.preventDefault();
  to?.focus();
}

/** What was found, newest first, under its chats. */
function Hits({ open }: { open: (hit: SearchHit) => void }): JSX.Element {
  const { search } = usePanel();
  const { value: hits } = search.hits;
  const now = new Date();
  if (hits === null) return <p class="none small subtle">{t(($) => $.history.searching)}</p>;
  if (hits.length === 0 && !search.busy.value) {
    return <p class="none small subtle">{t(($) => $.history.noMatch)}</p>;
  }
  return (
    <>
      {hitsByChat(hits).map((chat) => (
        <section key={chat.id}>
          <h3 class="cut" dir="auto">
            {chat.title}
          </h3>
          <ul aria-label={t(($) => $.history.hitsIn, { title: chat.title })}>
            {chat.hits.map((hit) => (
              <li class="chat hit" key={hit.id}>
                <Hit hit={hit} now={now} open={() => open(hit)} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {search.hasMore.value && <MoreRows busy={search.busy.value} load={() => void search.loadMore()} />}
    </>
  );
}

function Hit({ hit, now, open }: { hit: SearchHit; now: Date; open: () => void }): JSX.Element {
  const { role } = hit;
  return (
    <a
      href={`#${hit.conversationId}`}
      onClick={(event) => {
        event.preventDefault();
        open();
      }}
    >
      <span class="by">
        <span>{role ? t(($) => $.history.by[role]) : t(($) => $.history.byTitle)}</span>
        <time dateTime={hit.at}>{whenOf(hit.at, now)}</time>
      </span>
      <span class="excerpt" dir="auto">
        {hit.excerpt.map((part, at) =>
          part.hit ? <mark key={at}>{visible(part.text)}</mark> : <span key={at}>{visible(part.text)}</span>,
        )}
      </span>
    </a>
  );
}
