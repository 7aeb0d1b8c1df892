import { Folder, SquarePen } from 'lucide';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ListedConversation } from '../../lib/protocol/chats.ts';
import { visible } from '../../lib/state/shown-text.ts';
import { usePanel } from '../panel-context.ts';
import { ChatRow } from './chat-row.tsx';
import { groupsOf } from './groups.ts';
import { Icon } from '../ui/icon.tsx';
import { t } from '../../locales/texts/panel.ts';

/** The chats by when they were used, as far as they are loaded; the rest comes while the user scrolls. */
export function ChatList(props: {
  open: (chat: ListedConversation) => void;
  /** Begins a chat in a project. */
  begin: (project: string) => void;
}): JSX.Element {
  const { open, begin } = props;
  const { history, conversationId, setup } = usePanel();
  const rows = history.rows.value;
  const now = new Date();
  const projects = history.archived.value ? [] : (setup.value?.projects ?? []);
  if (rows.length === 0 && projects.length === 0) {
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
      {groupsOf(rows, now, projects).map(({ title: given, conversations, schedule, project }) => {
        const title = visible(given);
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
        return schedule === undefined && project === undefined ? (
          <section key={title}>
            <h3>{title}</h3>
            {list}
          </section>
        ) : (
          // It may run every hour: what the user asked themselves stays in sight.
          <details key={project ?? schedule}>
            <summary>
              {project !== undefined && <Icon of={Folder} small />}
              <h3 dir="auto">{title}</h3>
            </summary>
            {project !== undefined && (
              <button class="btn quiet s" onClick={() => begin(project)}>
                <Icon of={SquarePen} small />
                {t(($) => $.projects.newChat)}
              </button>
            )}
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

/** Loads the next page when the user comes near the end of the list, or presses it. */
export function MoreRows({ busy, load }: { busy: boolean; load: () => void }): JSX.Element {
  const button = useRef<HTMLButtonElement>(null);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    if (busy || !button.current) return undefined;
    const near = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && latest.current(),
      { root: button.current.closest('.drawer-list'), rootMargin: '320px' },
    );
    near.observe(button.current);
    return () => near.disconnect();
  }, [busy]);
  return (
    <button class="btn quiet s more-rows" aria-disabled={busy} ref={button} onClick={load}>
      {busy ? t(($) => $.history.loading) : t(($) => $.history.more)}
    </button>
  );
}
