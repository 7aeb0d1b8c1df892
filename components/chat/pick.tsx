import { ChevronRight, type IconNode } from 'lucide';
import type { JSX } from 'preact';
import { Icon } from '../ui/icon.tsx';
import './empty.css';

type Props = {
  icon: IconNode;
  name: string;
  /** What was found of it. */
  badge?: { icon: IconNode; text: string };
  sub: string;
  press: () => void;
};

/** One of the ways to start: a row that leads to a page of the settings. */
export function Pick({ icon, name, badge, sub, press }: Props): JSX.Element {
  return (
    <button class="pick" onClick={press}>
      <Icon of={icon} />
      <span>
        <span class="name">
          {name}
          {badge && (
            <span class="badge ok">
              <Icon of={badge.icon} />
              {badge.text}
            </span>
          )}
        </span>
        <span class="sub">{sub}</span>
      </span>
      <Icon of={ChevronRight} small class="subtle" />
    </button>
  );
}
