import { KeyRound, Plug } from 'lucide';
import type { JSX } from 'preact';
import { openSettings } from '../panel-context.ts';
import { Icon, Mark } from '../ui/icon.tsx';
import { LocalModels, LookAgain } from './local-models.tsx';
import { Pick } from './pick.tsx';
import { Programs } from './programs.tsx';
import './empty.css';
import { t } from '../../locales/texts/panel.ts';

/** The first run: nothing can be sent before a model is chosen. */
export function FirstRun(): JSX.Element {
  return (
    <div class="start">
      <Icon of={Mark} class="mark" />
      <div>
        <h2>{t(($) => $.start.title)}</h2>
        <p class="muted">{t(($) => $.start.lead)}</p>
      </div>
      <ul class="rows" aria-label={t(($) => $.start.ways)}>
        <LocalModels />
        <li>
          <Pick
            icon={KeyRound}
            name={t(($) => $.start.addKey)}
            sub={t(($) => $.start.addKeySub)}
            press={() => openSettings('models/add')}
          />
        </li>
      </ul>
      <LookAgain />
      <div>
        <h3>{t(($) => $.start.tools)}</h3>
        <ul class="rows" aria-label={t(($) => $.start.tools)}>
          <li>
            <Pick
              icon={Plug}
              name={t(($) => $.start.connect)}
              sub={t(($) => $.start.connectSub)}
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
