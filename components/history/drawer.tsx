import { CircleAlert, Hand, type IconNode, LoaderCircle, Search, X } from 'lucide';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { en } from '../../locales/en.ts';
import type { Conversation, ConversationState } from '../../lib/types/setup.ts';
import { usePanel } from '../panel-context.ts';
import { Icon } from '../ui/icon.tsx';
import { useLayer } from '../ui/layers.ts';
import { groupsOf, whenOf, type HistoryGroup } from './groups.ts';
import './drawer.css';

/** Earlier chats, over the panel; the focus comes in with it. */
export function HistoryDrawer({ close }: { close: () => void }): JSX.Element {
  const panel = usePanel();
  const [query, setQuery] = useState('');
  const [loaded, setLoaded] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  useLayer(true, close);
  useEffect(() => {
    search.current?.focus();
    void panel.loadConversations().then(() => setLoaded(true));
  }, [panel]);

  const all = panel.conversations.value;
  const found = all.filter((other) => other.title.toLowerCase().includes(query.trim().toLowerCase()));
  const open = (conversation: Conversation): void => {
    if (conversation.id !== panel.conversationId.value) panel.show(conversation);
    close();
  };
  return (
    <>
      <div class="scrim" onClick={close} />
      <section class="drawer" role="region" aria-label={en.history.title}>
        <div class="drawer-head">
          <div class="top">
            <h2>{en.history.title}</h2>
            <button class="icon-btn" aria-label={en.history.close} onClick={close}>
              <Icon of={X} />
            </button>
          </div>
          <label class="search">
            <Icon of={Search} />
            <input
              class="input"
              type="search"
              aria-label={en.history.search}
              placeholder={en.history.searchHint}
              value={query}
              ref={search}
              onInput={(event) => setQuery(event.currentTarget.value)}
            />
          </label>
        </div>
        <div class="drawer-list">
          {loaded && found.length === 0 && (
            <p class="none small subtle">{all.length === 0 ? en.history.empty : en.history.noMatch(query)}</p>
          )}
          {groupsOf(found, new Date()).map((group) => (
            <Group key={group.title} group={group} open={open} current={panel.conversationId.value} />
          ))}
        </div>
        {all.length > 0 && (
          <div class="drawer-foot">
            <span>{en.history.count(all.length)}</span>
          </div>
        )}
      </section>
    </>
  );
}

function Group(props: {
  group: HistoryGroup;
  current: string | null;
  open: (conversation: Conversation) => void;
}): JSX.Element {
  const { title, conversations } = props.group;
  return (
    <>
      <h3>{title}</h3>
      <ul aria-label={title}>
        {conversations.map((conversation) => (
          <li class="chat" key={conversation.id}>
            <a
              class="cut"
              href={`#${conversation.id}`}
              {...(conversation.id === props.current && { 'aria-current': 'true' as const })}
              onClick={(event) => {
                event.preventDefault();
                props.open(conversation);
              }}
            >
              {conversation.title}
            </a>
            {conversation.state ? (
              <State of={conversation.state} />
            ) : (
              <time dateTime={conversation.updatedAt}>{whenOf(conversation.updatedAt, title)}</time>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

const looks: Record<ConversationState, { tone: string; icon: IconNode }> = {
  running: { tone: 'live', icon: LoaderCircle },
  waiting: { tone: 'warn', icon: Hand },
  failed: { tone: 'danger', icon: CircleAlert },
};

/** What goes on in a chat. A narrow panel shows the icon alone; the word stays for who listens. */
function State({ of }: { of: ConversationState }): JSX.Element {
  const { tone, icon } = looks[of];
  return (
    <span class={`badge ${tone}`}>
      <Icon of={icon} {...(of === 'running' && { class: 'spin' })} />
      <span class="word">{en.history.states[of]}</span>
    </span>
  );
}
