import { ArrowUp, ChevronDown, CornerDownRight, Square, type IconNode } from 'lucide';
import type { JSX } from 'preact';
import type { When } from '../../lib/state/starting.ts';
import { Icon } from '../ui/icon.tsx';
import { useMenu } from '../ui/use-menu.ts';
import { otherWay, type SendSettings } from './enter-key.ts';
import './menu.css';
import './send-menu.css';
import { t } from '../../locales/texts/panel.ts';

type Way = { when: When; icon: IconNode; name: string; key?: { shown: string; shortcut: string } };

const others = (): Record<When, { icon: IconNode; name: string }> => ({
  steer: { icon: CornerDownRight, name: t(($) => $.composer.steer) },
  now: { icon: Square, name: t(($) => $.composer.now) },
  queue: { icon: ArrowUp, name: t(($) => $.composer.sendQueued) },
});

/** What the button beside it does not do. Ctrl+Enter sends in the usual way where Enter does not. */
function waysOf(settings: SendSettings): Way[] {
  const other = otherWay(settings);
  const key = { shown: t(($) => $.composer.keyNow), shortcut: 'Control+Enter' };
  return [
    {
      when: 'steer',
      ...others().steer,
      key: { shown: t(($) => $.composer.keySteer), shortcut: 'Alt+Enter' },
    },
    { when: other, ...others()[other], ...(settings.enterSends && { key }) },
  ];
}

/** What else may become of a message while a run is live. */
export function SendMenu(props: {
  disabled: boolean;
  settings: SendSettings;
  send: (when: When) => void;
}): JSX.Element {
  const { open, button, menu, toggle, close, onKeyDown, onFocusOut } = useMenu();
  const choose = (when: When): void => {
    close();
    props.send(when);
  };
  return (
    <>
      <button
        type="button"
        class="icon-btn more"
        aria-label={t(($) => $.composer.moreWays)}
        title={t(($) => $.composer.moreWays)}
        aria-haspopup="menu"
        aria-expanded={open}
        disabled={props.disabled}
        ref={button}
        // Keeps the menu's focus until the click, which closes it.
        onMouseDown={(event) => event.preventDefault()}
        onClick={toggle}
      >
        <Icon of={ChevronDown} small />
      </button>
      {open && (
        <div
          class="menu ways"
          role="menu"
          aria-label={t(($) => $.composer.moreWays)}
          ref={menu}
          onKeyDown={onKeyDown}
          onFocusOut={onFocusOut}
        >
          {waysOf(props.settings).map((way) => (
            <Item key={way.when} way={way} choose={() => choose(way.when)} />
          ))}
        </div>
      )}
    </>
  );
}

function Item({ way, choose }: { way: Way; choose: () => void }): JSX.Element {
  return (
    <button
      type="button"
      class="option"
      role="menuitem"
      {...(way.key && { 'aria-keyshortcuts': way.key.shortcut })}
      onClick={choose}
    >
      <Icon of={way.icon} {...(way.when === 'now' && { class: 'solid' })} />
      <span>{way.name}</span>
      {way.key && <kbd aria-hidden="true">{way.key.shown}</kbd>}
    </button>
  );
}
