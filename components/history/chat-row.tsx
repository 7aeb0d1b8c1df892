import { CircleAlert, Ellipsis, Hand, type IconNode, LoaderCircle, Pin, PinOff } from 'lucide';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ListedConversation } from '../../lib/protocol/chats.ts';
import type { ConversationState } from '../../lib/types/conversation.ts';
import { usePanel } from '../panel-context.ts';
import { Icon } from '../ui/icon.tsx';
import { RenameField } from '../ui/rename-field.tsx';
import { ChatMenu } from './chat-menu.tsx';
import { whenOf } from './groups.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { t } from '../../locales/texts/panel.ts';

/** A chat in the list: its title, what goes on in it, and what can be done with it. */
export function ChatRow(props: {
  chat: ListedConversation;
  isCurrent: boolean;
  now: Date;
  open: () => void;
}): JSX.Element {
  const { chat, isCurrent, now, open } = props;
  const { id, title, pinnedAt, archivedAt, state, updatedAt } = chat;
  const { history } = usePanel();
  const [renaming, setRenaming] = useState(false);
  const pinned = pinnedAt !== undefined;
  const endRename = (): void => {
    setRenaming(false);
    requestAnimationFrame(() => document.getElementById(`chat-${id}`)?.focus());
  };
  if (renaming) {
    return (
      <li class="chat">
        <RenameField
          name={t(($) => $.history.renameOf, { title })}
          title={title}
          save={(next) => void history.rename(id, next)}
          close={endRename}
        />
      </li>
    );
  }
  return (
    <li class="chat">
      {pinned && <Icon of={Pin} small class="subtle" />}
      <a
        class="cut"
        id={`chat-${id}`}
        href={`#${id}`}
        dir="auto"
        aria-current={isCurrent ? 'true' : undefined}
        onClick={(event) => {
          event.preventDefault();
          open();
        }}
      >
        {title}
      </a>
      {state ? <State of={state} /> : <time dateTime={updatedAt}>{whenOf(updatedAt, now)}</time>}
      <span class="row-actions">
        {archivedAt === undefined && (
          <IconButton
            icon={pinned ? PinOff : Pin}
            small
            label={pinned ? t(($) => $.history.unpin) : t(($) => $.history.pin)}
            onClick={() => void history.set({ id, pinned: !pinned })}
          />
        )}
        <ChatMenu chat={chat} icon={Ellipsis} rename={() => setRenaming(true)} />
      </span>
    </li>
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
      <Icon of={icon} spins={of === 'running'} />
      <span class="word">{t(($) => $.history.states[of])}</span>
    </span>
  );
}
