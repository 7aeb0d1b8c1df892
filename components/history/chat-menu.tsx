import {
  Archive,
  ArchiveRestore,
  Braces,
  FileJson,
  FileText,
  Folder,
  Pencil,
  Trash2,
  type IconNode,
} from 'lucide';
import type { JSX } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { ListedConversation } from '../../lib/protocol/chats.ts';
import { chatFile } from '../../lib/state/history/chat-file.ts';
import type { ChatFormat } from '../../lib/state/history/export-chats.ts';
import { visible } from '../../lib/state/shown-text.ts';
import { usePanel } from '../panel-context.ts';
import { download } from '../ui/download.ts';
import { Icon } from '../ui/icon.tsx';
import { useMenu } from '../ui/overlay/menu-button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import '../ui/overlay/row-menu.css';
import { t } from '../../locales/texts/panel.ts';

type Way = { icon: IconNode; name: string; act: () => void; danger?: true };

export function ChatMenu(props: {
  chat: ListedConversation;
  icon: IconNode;
  rename: () => void;
}): JSX.Element {
  const { chat, icon, rename } = props;
  const { id, title, archivedAt, project } = chat;
  const panel = usePanel();
  const { open, button, menu, toggle, close, onKeyDown, onFocusOut } = useMenu();
  useLayoutEffect(() => {
    if (open) menu.current?.scrollIntoView({ block: 'nearest' });
  }, [open]);
  const archived = archivedAt !== undefined;
  const save = async (format: ChatFormat): Promise<void> => {
    const text = await panel.exportChats(format, [id]);
    if (text === undefined) return;
    const { name, mimeType } = chatFile(title, format);
    download(name, text, mimeType);
  };
  /** The row is about to go: the focus goes on to its neighbour. */
  const leaving = (act: () => void) => () => {
    focusBeside(button.current);
    act();
  };
  const ways: Way[] = [
    { icon: Pencil, name: t(($) => $.history.rename), act: rename },
    {
      icon: archived ? ArchiveRestore : Archive,
      name: archived ? t(($) => $.history.unarchive) : t(($) => $.history.archive),
      act: leaving(() => void panel.archiveChat(chat, !archived)),
    },
    ...(panel.setup.value?.projects ?? []).map(({ key, name: given }): Way => {
      const [name, isIn] = [visible(given), key === project];
      return {
        icon: Folder,
        name: isIn ? t(($) => $.projects.takeOut, { name }) : t(($) => $.projects.moveTo, { name }),
        act: leaving(() => void panel.setChat({ project: isIn ? null : key }, id)),
      };
    }),
    { icon: FileText, name: t(($) => $.history.exportMarkdown), act: () => void save('markdown') },
    { icon: FileJson, name: t(($) => $.history.exportJson), act: () => void save('json') },
    { icon: Braces, name: t(($) => $.history.exportOpenAi), act: () => void save('openai') },
    {
      icon: Trash2,
      name: t(($) => $.actions.delete),
      act: leaving(() => void panel.removeChat(chat)),
      danger: true,
    },
  ];
  return (
    <>
      <IconButton
        icon={icon}
        small
        label={t(($) => $.history.moreFor, { title })}
        aria-haspopup="menu"
        aria-expanded={open}
        ref={button}
        onMouseDown={(event) => event.preventDefault()}
        onClick={toggle}
      />
      {open && (
        <div
          class="row-menu"
          role="menu"
          aria-label={t(($) => $.history.moreFor, { title })}
          ref={menu}
          onKeyDown={onKeyDown}
          onFocusOut={onFocusOut}
        >
          {ways.map((way, at) => (
            <button
              key={at}
              class={way.danger ? 'option danger' : 'option'}
              role="menuitem"
              onClick={() => {
                close();
                way.act();
              }}
            >
              <Icon of={way.icon} small />
              <span>{way.name}</span>
            </button>
          ))}
        </div>
      )}
    </>
  );
}

function focusBeside(inRow: HTMLElement | null): void {
  const rows = [...document.querySelectorAll<HTMLElement>('.drawer-list .chat a')];
  const own = rows.findIndex((row) => row.closest('.chat')?.contains(inRow));
  const beside = rows[own + 1] ?? rows[own - 1] ?? document.querySelector<HTMLElement>('.drawer input');
  beside?.focus();
}
