import { useComputed } from '@preact/signals';
import { Cpu, RefreshCw } from 'lucide';
import type { JSX } from 'preact';
import { choiceFor, modelGroups, modelLabel } from '../../../lib/state/composer/choice.ts';
import { focusMessage } from '../../composer/message-field.tsx';
import type { ChatChoice } from '../../../lib/types/conversation.ts';
import { usePanel } from '../../panel-context.ts';
import { Icon } from '../../ui/icon.tsx';
import { MenuButton } from '../../ui/overlay/menu-button.tsx';
import { useMenu } from '../../ui/overlay/use-menu.ts';
import { Action, useNotLive } from './message-actions.tsx';
import { t } from '../../../locales/texts/panel.ts';

/** Writes an answer anew, by the model of the chat or by another one. */
export function Regenerate({ messageId }: { messageId: string }): JSX.Element | null {
  const panel = usePanel();
  const menu = useMenu();
  const isAsked = useComputed(() => choiceFor(panel.setup.value, panel.chat.value.conversation) !== null);
  const title = useNotLive(t(($) => $.messages.regenerateWith));
  if (!isAsked.value) return null;
  const groups = menu.open ? modelGroups(panel.setup.value) : [];
  const again = (...by: [choice?: Pick<ChatChoice, 'providerId' | 'model'>]): void => {
    focusMessage(); // this button goes with the answer
    void panel.messages.regenerate(messageId, ...by);
  };
  return (
    <span class="regenerate">
      <Action icon={RefreshCw} name={t(($) => $.messages.regenerate)} notLive act={() => again()} />
      <MenuButton
        of={menu}
        label={t(($) => $.messages.regenerateWith)}
        title={title}
        class="icon-btn other"
        menuClass="row-menu"
        disabled={panel.live}
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
                  menu.close();
                  again({ providerId: provider.id, model });
                }}
              >
                <Icon of={Cpu} small />
                <span class="cut" dir="auto">
                  {modelLabel(provider, model)}
                </span>
              </button>
            ))}
          </div>
        ))}
      </MenuButton>
    </span>
  );
}
