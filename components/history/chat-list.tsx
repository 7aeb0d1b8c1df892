import type { JSX } from 'preact';
import type { ListedConversation } from '../../lib/protocol/chats.ts';
import { usePanel } from '../panel-context.ts';
import { ChatRow } from './chat-row.tsx';
import { groupsOf } from './groups.ts';
import { MoreRows } from './more-rows.tsx';
import { t } from '../../locales/texts/panel.ts';

/** The chats by when they were used, as far as they are loaded; the rest comes while the user scrolls. */
export function ChatList({ open }: { open: (chat: ListedConversation) => void }): JSX.Element {
  const { history, conversationId } = usePanel();
  const rows = history.rows.value;
  const now = new Date();
  if (rows.length === 0) {
    if (!history.loaded.value) {
      return history.loading.value ? <p class="none small subtle">{t(($) => $.history.loading)}</p> : <></>;
    }
    return (
      <p class="none small subtle">
        {history.archived.value ? t(($) => $.history.noArchived) : t(($) => $.history.empty)}
      </p>
    );
  }
  return (
    <>
      {groupsOf(rows, now).map(({ title, conversations, schedule }) => {
        const list = (
          <ul aria-label={title}>
            {conversations.map((chat) => (
              <ChatRow
                key={chat.id}
                chat={chat}
                isCurrent={chat.id === conversationId.value}
                now={now}
                open={() => open(chat)}
              />
            ))}
          </ul>
        );
        return schedule === undefined ? (
          <section key={title}>
            <h3>{title}</h3>
            {list}
          </section>
        ) : (
          // It may run every hour: what the user asked themselves stays in sight.
          <details key={schedule}>
            <summary>
              <h3 dir="auto">{title}</h3>
            </summary>
            {list}
          </details>
        );
      })}
      {history.hasMore.value && (
        <MoreRows busy={history.loading.value} load={() => void history.loadMore()} />
      )}
    </>
  );
}
