import { useComputed } from '@preact/signals';
import { ChevronDown, Cpu, RefreshCw } from 'lucide';
import type { JSX } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { choiceFor, modelGroups, modelLabel } from '../../lib/state/choice.ts';
import { focusMessage } from '../composer/message-field.tsx';
import type { ChatChoice } from '../../lib/types/setup.ts';
import { usePanel } from '../panel-context.ts';
import { Icon } from '../ui/icon.tsx';
import { useMenu } from '../ui/use-menu.ts';
import { Action, useNotLive } from './message-foot.tsx';
import { t } from '../../locales/texts/panel.ts';

/** What the menu needs at most. */
const ROOM_PX = 280;

const topOf = (element: Element): number => element.getBoundingClientRect().top;

/** Writes an answer anew, by the model of the chat or by another one. */
export function Regenerate({ messageId }: { messageId: string }): JSX.Element | null {
  const panel = usePanel();
  const { open, button, menu, toggle, close, onKeyDown, onFocusOut } = useMenu();
  const [below, setBelow] = useState(false);
  // Above the button, unless there is no room.
  useLayoutEffect(() => {
    const log = button.current?.closest('.log');
    if (!open || !log || !button.current) return;
    setBelow(topOf(button.current) - topOf(log) < ROOM_PX);
  }, [open]);
  useLayoutEffect(() => {
    if (below) menu.current?.scrollIntoView({ block: 'nearest' });
  }, [below]);
  const isAsked = useComputed(() => choiceFor(panel.setup.value, panel.chat.value.conversation) !== null);
  const title = useNotLive(t(($) => $.messages.regenerateWith));
  if (!isAsked.value) return null;
  const groups = open ? modelGroups(panel.setup.value) : [];
  const again = (...by: [choice?: Pick<ChatChoice, 'providerId' | 'model'>]): void => {
    focusMessage(); // this button goes with the answer
    void panel.messages.regenerate(messageId, ...by);
  };
  return (
    <span class="regenerate">
      <Action icon={RefreshCw} name={t(($) => $.messages.regenerate)} notLive act={() => again()} />
      <button
        class="icon-btn other"
        aria-label={t(($) => $.messages.regenerateWith)}
        title={title}
        aria-haspopup="menu"
        aria-expanded={open}
        disabled={panel.live}
        ref={button}
        onMouseDown={(event) => event.preventDefault()}
        onClick={toggle}
      >
        <Icon of={ChevronDown} small />
      </button>
      {open && (
        <div
          class={below ? 'row-menu below' : 'row-menu'}
          role="menu"
          aria-label={t(($) => $.messages.regenerateWith)}
          ref={menu}
          onKeyDown={onKeyDown}
          onFocusOut={onFocusOut}
        >
          {groups.map(({ provider, models }) => (
            <div key={provider.id} role="group" aria-label={provider.name}>
              <p class="menu-group" aria-hidden="true">
                {provider.name}
              </p>
              {models.map(({ id: model }) => (
                <button
                  key={model}
                  class="option"
                  role="menuitem"
                  onClick={() => {
                    close();
                    again({ providerId: provider.id, model });
                  }}
                >
                  <Icon of={Cpu} small />
                  <span class="cut">{modelLabel(provider, model)}</span>
                </button>
              ))}
            </div>
          ))}
        </div>
      )}
    </span>
  );
}
