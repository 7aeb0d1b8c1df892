import type { JSX } from 'preact';
import { hitsByChat } from '../../lib/state/history/search.ts';
import { visible } from '../../lib/state/shown-text.ts';
import type { SearchHit } from '../../lib/protocol/chats.ts';
import { usePanel } from '../panel-context.ts';
import { whenOf } from './groups.ts';
import { MoreRows } from './more-rows.tsx';
import { t } from '../../locales/texts/panel.ts';

/** What was found, newest first, under its chats. */
export function Hits({ open }: { open: (hit: SearchHit) => void }): JSX.Element {
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
