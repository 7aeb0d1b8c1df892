import { ChevronDown, CornerDownRight, Square, type IconNode } from 'lucide';
import type { JSX } from 'preact';
import { en } from '../../locales/en.ts';
import type { When } from '../../lib/state/starting.ts';
import { Icon } from '../ui/icon.tsx';
import { useMenu } from '../ui/use-menu.ts';
import './menu.css';
import './send-menu.css';

type Way = { when: When; icon: IconNode; name: string; key: string; shortcut: string };

const ways: Way[] = [
  {
    when: 'steer',
    icon: CornerDownRight,
    name: en.composer.steer,
    key: en.composer.keySteer,
    shortcut: 'Alt+Enter',
  },
  { when: 'now', icon: Square, name: en.composer.now, key: en.composer.keyNow, shortcut: 'Control+Enter' },
];

/** What else may become of a message while a run is live. */
export function SendMenu(props: { disabled: boolean; send: (when: When) => void }): JSX.Element {
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
        aria-label={en.composer.moreWays}
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
          aria-label={en.composer.moreWays}
          ref={menu}
          onKeyDown={onKeyDown}
          onFocusOut={onFocusOut}
        >
          {ways.map((way) => (
            <Item key={way.when} way={way} choose={() => choose(way.when)} />
          ))}
        </div>
      )}
    </>
  );
}

function Item({ way, choose }: { way: Way; choose: () => void }): JSX.Element {
  return (
    <button type="button" class="option" role="menuitem" aria-keyshortcuts={way.shortcut} onClick={choose}>
      <Icon of={way.icon} {...(way.when === 'now' && { class: 'solid' })} />
      <span>{way.name}</span>
      <kbd aria-hidden="true">{way.key}</kbd>
    </button>
  );
}
