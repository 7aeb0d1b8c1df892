import { ArrowUp, CornerDownRight, Square, type IconNode } from 'lucide';
import type { JSX } from 'preact';
import type { When } from '../../lib/state/composer/starting.ts';
import { type Chord, CHORDS } from '../ui/keys/chords.ts';
import { Icon } from '../ui/icon.tsx';
import { KeyedButton } from '../ui/keys/keyed-button.tsx';
import { MenuButton, useMenu } from '../ui/overlay/menu-button.tsx';
import { otherWay, type SendSettings } from './enter-key.ts';
import './menu/menu.css';
import './send-menu.css';
import { t } from '../../locales/texts/panel.ts';

type Way = { when: When; icon: IconNode; name: string; keys: Chord | null };

const others = (): Record<When, { icon: IconNode; name: string }> => ({
  steer: { icon: CornerDownRight, name: t(($) => $.composer.steer) },
  now: { icon: Square, name: t(($) => $.composer.now) },
  queue: { icon: ArrowUp, name: t(($) => $.composer.sendQueued) },
});

/** What the button beside it does not do. Ctrl+Enter sends in the usual way where Enter does not. */
function waysOf(settings: SendSettings): Way[] {
  const other = otherWay(settings);
  return [
    { when: 'steer', ...others().steer, keys: CHORDS.steer },
    { when: other, ...others()[other], keys: settings.enterSends ? ['Mod', 'Enter'] : null },
  ];
}

/** What else may become of a message while a run is live. */
export function SendMenu(props: {
  disabled: boolean;
  settings: SendSettings;
  send: (when: When) => void;
}): JSX.Element {
  const menu = useMenu();
  const choose = (when: When): void => {
    menu.close();
    props.send(when);
  };
  return (
    <MenuButton
      of={menu}
      label={t(($) => $.composer.moreWays)}
      class="icon-btn more"
      menuClass="menu ways"
      disabled={props.disabled}
    >
      {waysOf(props.settings).map((way) => (
        <Item key={way.when} way={way} choose={() => choose(way.when)} />
      ))}
    </MenuButton>
  );
}

function Item({ way, choose }: { way: Way; choose: () => void }): JSX.Element {
  return (
    <KeyedButton class="option" role="menuitem" keys={way.keys} onClick={choose}>
      <Icon of={way.icon} {...(way.when === 'now' && { class: 'solid' })} />
      <span>{way.name}</span>
    </KeyedButton>
  );
}
