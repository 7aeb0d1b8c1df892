import type { Signal } from '@preact/signals';
import { ArrowUp, Paperclip, SlidersHorizontal } from 'lucide';
import type { JSX, RefObject } from 'preact';
import type { Choice } from '../../lib/state/composer/choice.ts';
import type { When } from '../../lib/state/composer/starting.ts';
import { usePanel } from '../panel-context.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Icon } from '../ui/icon.tsx';
import { CHORDS, sendChord } from '../ui/keys/chords.ts';
import { ariaKeys, withKeys } from '../ui/keys/key-label.ts';
import { lazy } from '../ui/lazy.tsx';
import { ModelPicker } from './chat-settings/model-picker.tsx';
import { type SendSettings, usualWay } from './enter-key.ts';
import { focusMessage } from './message-field.tsx';
import { t } from '../../locales/texts/panel.ts';

const SendMenu = lazy((views) => views.SendMenu);

/** What stands below the message: what goes with it, which model it is for, and Send. */
export function ComposerBar(props: {
  choice: Choice | null;
  settings: { isOpen: Signal<boolean>; button: RefObject<HTMLButtonElement | null> };
  sending: SendSettings;
  ready: boolean;
  send: (when?: When) => void;
}): JSX.Element {
  const { choice, settings, sending, ready, send } = props;
  const panel = usePanel();
  const live = panel.live.value;
  const sendsBy = sendChord(sending.enterSends);
  const attach = (): void => {
    panel.menu.openContext();
    focusMessage();
  };
  return (
    <div class="composer-bar">
      <IconButton
        icon={Paperclip}
        label={t(($) => $.offers.attach)}
        keys={CHORDS.context}
        aria-haspopup="listbox"
        // The message keeps the focus: losing it would close the menu.
        onMouseDown={(event) => event.preventDefault()}
        onClick={attach}
      />
      <ModelPicker choice={choice} openChatSettings={() => (settings.isOpen.value = true)} />
      {choice && (
        <IconButton
          icon={SlidersHorizontal}
          small
          label={t(($) => $.composer.settings)}
          aria-haspopup="dialog"
          aria-expanded={settings.isOpen.value}
          ref={settings.button}
          onClick={() => (settings.isOpen.value = !settings.isOpen.value)}
        />
      )}
      {live && <SendMenu disabled={!ready} settings={sending} send={send} />}
      <button
        class="btn primary send"
        aria-label={t(($) => $.composer.send)}
        aria-keyshortcuts={ariaKeys(sendsBy)}
        disabled={!ready}
        title={withKeys(live ? sendTitle(usualWay(sending)) : t(($) => $.composer.send), sendsBy)}
      >
        <Icon of={ArrowUp} />
      </button>
    </div>
  );
}

const sendTitle = (when: When): string =>
  ({
    queue: t(($) => $.composer.sendQueued),
    now: t(($) => $.compose.sendNow),
    steer: t(($) => $.composer.steer),
  })[when];
