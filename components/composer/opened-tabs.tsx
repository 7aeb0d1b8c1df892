import { useSignal } from '@preact/signals';
import { AppWindow, ChevronRight, X } from 'lucide';
import type { JSX } from 'preact';
import { visible } from '../../lib/state/shown-text.ts';
import type { PageTab } from '../../lib/types/page.ts';
import { usePanel } from '../panel-context.ts';
import { Icon } from '../ui/icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { focusMessage } from './message-field.tsx';
import './opened-tabs.css';
import { t } from '../../locales/texts/panel.ts';

/** The tabs that this chat opened and that are still open, folded to a line. */
export function OpenedTabs(): JSX.Element {
  const { chat, command } = usePanel();
  const { tabs, conversation } = chat.value;
  const isOpen = useSignal(false);
  /** What has the focus goes with its tab. */
  const close = (closed: PageTab[]): void => {
    const tabIds = closed.map(({ id }) => id);
    void command('closeTabs', { conversationId: conversation?.id ?? '', tabIds });
    focusMessage();
  };
  return (
    <div class="opened-tabs">
      <div class="opened-head">
        <button
          type="button"
          class="opened-tab"
          aria-expanded={isOpen.value}
          title={t(($) => $.openedTabs.list)}
          onClick={() => (isOpen.value = !isOpen.value)}
        >
          <Icon of={ChevronRight} small class="turn" />
          <Icon of={AppWindow} small />
          <span class="cut">{t(($) => $.openedTabs.list)}</span>
          <span class="num">{tabs.length}</span>
        </button>
        <button type="button" class="btn s quiet" onClick={() => close(tabs)}>
          {t(($) => $.openedTabs.closeAll)}
        </button>
      </div>
      {isOpen.value && (
        <ul aria-label={t(($) => $.openedTabs.list)}>
          {tabs.map((tab) => (
            <OpenedTab
              key={tab.id}
              tab={tab}
              show={() => void command('showTab', { tabId: tab.id })}
              close={() => close([tab])}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

function OpenedTab(props: { tab: PageTab; show: () => void; close: () => void }): JSX.Element {
  const { tab, show, close } = props;
  const title = visible(tab.title || tab.url || t(($) => $.pages.untitled));
  return (
    <li>
      <button
        type="button"
        class="opened-tab"
        aria-label={t(($) => $.openedTabs.show, { title })}
        title={visible(tab.url ?? title)}
        onClick={show}
      >
        <span class="cut" dir="auto">
          {title}
        </span>
      </button>
      <IconButton icon={X} small label={t(($) => $.openedTabs.close, { title })} onClick={close} />
    </li>
  );
}
