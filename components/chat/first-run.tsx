import { KeyRound, Plug } from 'lucide';
import type { JSX } from 'preact';
import { en } from '../../locales/en.ts';
import { openSettings } from '../panel-context.ts';
import { Icon, Mark } from '../ui/icon.tsx';
import { LocalModels, LookAgain } from './local-models.tsx';
import { Pick } from './pick.tsx';
import { Programs } from './programs.tsx';
import './empty.css';

/** The first run: nothing can be sent before a model is chosen. */
export function FirstRun(): JSX.Element {
  return (
    <div class="start">
      <Icon of={Mark} class="mark" />
      <div>
        <h2>{en.start.title}</h2>
        <p class="muted">{en.start.lead}</p>
      </div>
      <ul class="rows" aria-label={en.start.ways}>
        <LocalModels />
        <li>
          <Pick
            icon={KeyRound}
            name={en.start.addKey}
            sub={en.start.addKeySub}
            press={() => openSettings('models/add')}
          />
        </li>
      </ul>
      <LookAgain />
      <div>
        <h3>{en.start.tools}</h3>
        <ul class="rows" aria-label={en.start.tools}>
          <li>
            <Pick
              icon={Plug}
              name={en.start.connect}
              sub={en.start.connectSub}
              press={() => openSettings('servers/add')}
            />
          </li>
          <li>
            <Programs />
          </li>
        </ul>
      </div>
    </div>
  );
}
