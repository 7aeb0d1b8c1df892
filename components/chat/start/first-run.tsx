import { Brain, ChevronLeft, FlaskConical, KeyRound, Plug } from 'lucide';
import type { ComponentChildren, JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { canRunGguf } from '../../../lib/gguf/can-run.ts';
import { presets } from '../../../lib/provider-presets.ts';
import { DEMO_MODEL } from '../../../lib/state/composer/choice.ts';
import { focusMessage } from '../../composer/message-field.tsx';
import { openSettings, usePanel } from '../../panel-context.ts';
import { AddKey } from '../../providers/add-key.tsx';
import { Icon, Mark } from '../../ui/icon.tsx';
import { useLayer } from '../../ui/overlay/layers.ts';
import { BrowserModel } from './browser-model.tsx';
import { LocalModels, LookAgain } from './local-models.tsx';
import { Pick } from './pick.tsx';
import { Starters } from './starters.tsx';
import './empty.css';
import { giveSettingsText } from '../../settings-text.ts';
import { t } from '../../../locales/texts/panel.ts';

/** A new chat before there is a model: the same page and starters, and the ways to a model. */
export function FirstRun(): JSX.Element {
  const [view, setView] = useState<'ways' | 'key' | 'back'>('ways');
  return view === 'key' ? (
    <KeyView back={() => setView('back')} />
  ) : (
    <Ways addKey={() => setView('key')} isBack={view === 'back'} />
  );
}

/** `isBack`: from the key that was not added. */
function Ways({ addKey, isBack }: { addKey: () => void; isBack: boolean }): JSX.Element {
  return (
    <div class="start">
      <div>
        <h2>
          <Icon of={Mark} class="mark" />
          {t(($) => $.start.emptyTitle)}
        </h2>
        <p class="muted">{t(($) => $.firstRun.lead)}</p>
      </div>
      <Starters />
      <ModelWays addKey={addKey} isBack={isBack}>
        <BrowserModel />
        {canRunGguf() && (
          <li>
            <Pick
              icon={Brain}
              name={t(($) => $.firstRun.gguf)}
              sub={t(($) => $.firstRun.ggufSub)}
              press={() => openSettings('models/add/gguf')}
            />
          </li>
        )}
        <li>
          <Demo />
        </li>
      </ModelWays>
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
        </ul>
      </div>
    </div>
  );
}

/** The model servers on this computer, and a provider by its key. */
export function ModelWays(props: {
  addKey: () => void;
  isBack: boolean;
  children?: ComponentChildren;
}): JSX.Element {
  const { addKey, isBack, children } = props;
  return (
    <ul class="rows" aria-label={t(($) => $.firstRun.ways)}>
      <LocalModels />
      <li>
        <Pick
          icon={KeyRound}
          name={t(($) => $.addKey.title)}
          sub={t(($) => $.firstRun.keySub)}
          press={addKey}
          takesFocus={isBack}
        />
      </li>
      {children}
    </ul>
  );
}

function Demo(): JSX.Element {
  const { command } = usePanel();
  // Once is enough: this is gone as soon as the provider is there.
  const using = useRef(false);
  const use = async (): Promise<void> => {
    const demo = presets.find(({ id }) => id === 'demo');
    if (using.current || !demo) return;
    using.current = true;
    const { id: preset, name, baseUrl } = demo;
    using.current =
      (await command('saveProvider', { preset, name, baseUrl, model: DEMO_MODEL })) !== undefined;
    if (using.current) focusMessage();
  };
  return (
    <Pick
      icon={FlaskConical}
      name={t(($) => $.firstRun.demo)}
      sub={t(($) => $.firstRun.demoSub)}
      press={() => void use()}
    />
  );
}

export function KeyView({ back }: { back: () => void }): JSX.Element {
  const { ask } = usePanel();
  useLayer(true, back);
  return (
    <div class="start">
      <div>
        <button class="link small back" onClick={back}>
          <Icon of={ChevronLeft} small />
          {t(($) => $.addKey.back)}
        </button>
        <h2>{t(($) => $.addKey.title)}</h2>
        <p class="muted">{t(($) => $.addKey.lead)}</p>
      </div>
      <AddKey
        send={ask}
        offers={({ key, id }) => key === 'required' || id === 'custom'}
        done={focusMessage}
        byHand={({ id }, key) => {
          if (key !== '') giveSettingsText(key);
          openSettings(`models/add/${id}`);
        }}
      />
    </div>
  );
}
