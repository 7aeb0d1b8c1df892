import { Check, HardDrive } from 'lucide';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { requestOrigins } from '../../lib/gestures.ts';
import { presets } from '../../lib/presets.ts';
import { bestModel } from '../../lib/state/choice.ts';
import { urlOf } from '../../lib/state/setup.ts';
import type { LocalServer } from '../../lib/types/model.ts';
import { focusMessage } from '../composer/message-field.tsx';
import { openSettings, usePanel } from '../panel-context.ts';
import { Icon } from '../ui/icon.tsx';
import './empty.css';
import './local-models.css';
import { t } from '../../locales/texts/panel.ts';
import { units } from '../../locales/units.ts';
import { phrases } from '../../locales/phrases.ts';

const nameOf = ({ preset }: LocalServer): string => presets.find(({ id }) => id === preset)?.name ?? preset;

/** The model servers on this computer that answered, each with the way to use it. */
export function LocalModels(): JSX.Element {
  const { local } = usePanel();
  useEffect(() => local.lookOnce(), [local]);
  return (
    <>
      {(local.found.value ?? []).map((server) => {
        if (server.state === 'found') return <Found key={server.preset} server={server} />;
        return server.state === 'locked' ? <Locked key={server.preset} server={server} /> : null;
      })}
    </>
  );
}

function Found({ server }: { server: LocalServer }): JSX.Element {
  const panel = usePanel();
  const { preset, baseUrl, models } = server;
  const name = nameOf(server);
  const best = bestModel(models);
  // Once is enough: it is gone as soon as the provider is there.
  const using = useRef(false);
  const use = async (model: string): Promise<void> => {
    if (using.current) return;
    using.current = true;
    using.current = (await panel.command('saveProvider', { name, preset, baseUrl, model })) !== undefined;
    if (using.current) focusMessage();
  };
  const told =
    best &&
    `${t(($) => $.start.models, { count: models.length })}. ${phrases.proposed(best.id, best.traits)}`;
  return (
    <li class="pick found">
      <Icon of={HardDrive} />
      <span>
        <span class="name">
          {name}
          <span class="badge ok">
            <Icon of={Check} />
            {t(($) => $.start.foundHere)}
          </span>
        </span>
        <span class="sub">{told ?? t(($) => $.start.noModels)}</span>
      </span>
      {best && (
        <span class="actions">
          <button class="btn primary" onClick={() => void use(best.id)}>
            <span class="cut">{t(($) => $.start.use, { name: best.id })}</span>
          </button>
          <button class="btn" onClick={() => openSettings('models/add')}>
            {t(($) => $.start.otherModels)}
          </button>
        </span>
      )}
    </li>
  );
}

function Locked({ server }: { server: LocalServer }): JSX.Element {
  const { local } = usePanel();
  const [refused, setRefused] = useState(false);
  // The browser asks only within the click itself: before anything is awaited.
  const unlock = async (): Promise<void> => {
    const granted = await requestOrigins([server.baseUrl]).catch(() => false);
    setRefused(!granted);
    if (granted) await local.look();
  };
  return (
    <li class="pick found">
      <Icon of={HardDrive} />
      <span>
        <span class="name">{nameOf(server)}</span>
        <span class="sub">
          {t(($) => $.start.locked, {
            name: nameOf(server),
            host: urlOf(server.baseUrl)?.host ?? server.baseUrl,
          })}
        </span>
        {refused && (
          <span class="sub" role="status">
            {t(($) => $.start.refused)}
          </span>
        )}
      </span>
      <span class="actions">
        <button class="btn primary" onClick={() => void unlock()}>
          {t(($) => $.start.use, { name: nameOf(server) })}
        </button>
      </span>
    </li>
  );
}

/** Which servers did not answer, and the only way to ask them again: they are never polled. */
export function LookAgain(): JSX.Element {
  const { local } = usePanel();
  const found = local.found.value;
  if (local.looking.value || found === null) {
    return (
      <p class="small subtle look" role="status">
        {t(($) => $.start.looking)}
      </p>
    );
  }
  const absent = found.filter(({ state }) => state === 'absent').map(nameOf);
  return (
    <p class="small subtle look">
      {absent.length > 0 && `${t(($) => $.start.absent, { names: units.listed(absent) })} `}
      <button class="link small" onClick={() => void local.look()}>
        {t(($) => $.start.lookAgain)}
      </button>
    </p>
  );
}
