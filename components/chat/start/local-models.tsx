import { Check, HardDrive } from 'lucide';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { requestOrigins } from '../../../lib/gestures.ts';
import { presets } from '../../../lib/provider-presets.ts';
import { bestModel, chats } from '../../../lib/state/composer/choice.ts';
import type { LocalServer } from '../../../lib/types/model.ts';
import { PART, withPart } from '../../ui/with-part.tsx';
import { focusMessage } from '../../composer/message-field.tsx';
import { WorkButton } from '../../options/form/work-button.tsx';
import { usePanel } from '../../panel-context.ts';
import { Icon } from '../../ui/icon.tsx';
import './empty.css';
import './local-models.css';
import { t } from '../../../locales/texts/panel.ts';
import { units } from '../../../locales/units.ts';
import { phrases } from '../../../locales/phrases.ts';

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

/** Saves a server with one of its models, which new chats then ask; once, however often it is pressed. */
function useServer(): (server: LocalServer, model: string) => Promise<void> {
  const panel = usePanel();
  // It is gone as soon as the provider is there.
  const using = useRef(false);
  return async (server, model) => {
    if (using.current) return;
    const { preset, baseUrl } = server;
    using.current = true;
    using.current =
      (await panel.command('saveProvider', { name: nameOf(server), preset, baseUrl, model })) !== undefined;
    if (using.current) focusMessage();
  };
}

function Found({ server }: { server: LocalServer }): JSX.Element {
  const { local } = usePanel();
  const use = useServer();
  const [all, setAll] = useState(false);
  const { models } = server;
  const best = bestModel(models);
  const others = models.filter((model) => chats(model) && model.id !== best?.id);
  const told =
    best &&
    `${t(($) => $.start.models, { count: models.length })}. ${phrases.proposed(best.id, best.traits)}`;
  return (
    <li class="pick found">
      <Icon of={HardDrive} />
      <span>
        <span class="name">
          {nameOf(server)}
          <span class="badge ok">
            <Icon of={Check} />
            {t(($) => $.start.foundHere)}
          </span>
        </span>
        <span class="sub">
          {told ??
            (server.preset === 'ollama' ? t(($) => $.start.noOllamaModels) : t(($) => $.start.noModels))}
        </span>
      </span>
      {!best && (
        <span class="actions">
          <WorkButton busy={local.looking.value} press={() => void local.look()}>
            {t(($) => $.start.lookAgain)}
          </WorkButton>
        </span>
      )}
      {best && (
        <span class="actions">
          <button class="btn primary" onClick={() => void use(server, best.id)}>
            <span class="cut">{t(($) => $.start.use, { name: best.id })}</span>
          </button>
          {others.length > 0 && !all && (
            <button class="btn" onClick={() => setAll(true)}>
              {t(($) => $.start.otherModels)}
            </button>
          )}
          {all &&
            others.map(({ id }) => (
              <button key={id} class="btn" onClick={() => void use(server, id)}>
                <span class="cut">{t(($) => $.start.use, { name: id })}</span>
              </button>
            ))}
        </span>
      )}
    </li>
  );
}

function Locked({ server }: { server: LocalServer }): JSX.Element {
  const { local } = usePanel();
  const use = useServer();
  const [refused, setRefused] = useState(false);
  const [busy, setBusy] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const name = nameOf(server);
  const unlock = async (): Promise<void> => {
    if (busy) return;
    // First of all, while the click still counts.
    const granting = requestOrigins([server.baseUrl]).catch(() => false);
    setBusy(true);
    const granted = await granting;
    setRefused(!granted);
    if (granted) {
      setAsked(true);
      await local.look();
      const now = local.found.value?.find(({ preset }) => preset === server.preset);
      const best = now && bestModel(now.models);
      if (best) await use(now, best.id);
      setAsked(false);
    }
    setBusy(false);
  };
  return (
    <li class="pick found">
      <Icon of={HardDrive} />
      <span>
        <span class="name">{name}</span>
        <span class="sub" role="status">
          {isAsked
            ? t(($) => $.firstRun.asking, { name })
            : refused
              ? t(($) => $.start.refused)
              : t(($) => $.start.locked, { name, host: URL.parse(server.baseUrl)?.host ?? server.baseUrl })}
        </span>
      </span>
      <span class="actions">
        <WorkButton class="primary" busy={busy} press={() => void unlock()}>
          {t(($) => $.start.use, { name })}
        </WorkButton>
      </span>
    </li>
  );
}

const hrefs = { ollama: 'https://ollama.com/download', lmstudio: 'https://lmstudio.ai/download' };
/** Their own pages say that a key costs nothing and asks for no card; checked in 2026. */
const FREE_KEYS = ['google', 'openrouter'];

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
  const absent = found.filter(({ state }) => state === 'absent');
  return (
    <div class="look">
      <p class="small subtle">
        {absent.length > 0 && `${t(($) => $.start.absent, { names: units.listed(absent.map(nameOf)) })} `}
        <button class="link small" onClick={() => void local.look()}>
          {t(($) => $.start.lookAgain)}
        </button>
      </p>
      {absent.length === found.length && <Recipes />}
    </div>
  );
}

/** How to come by a model where there is none. */
function Recipes(): JSX.Element {
  const free = t(($) => $.firstRun.free);
  const keys = FREE_KEYS.map((id): Link => [id, presets.find((preset) => preset.id === id)?.keyPage ?? '']);
  return (
    <section class="recipes" aria-label={free}>
      <h3>{free}</h3>
      <p>
        {withPart(
          t(($) => $.firstRun.install, { programs: PART }),
          <Links of={Object.entries(hrefs)} />,
        )}
      </p>
      <p>
        {withPart(
          t(($) => $.firstRun.noCard, { providers: PART }),
          <Links of={keys} />,
        )}
      </p>
    </section>
  );
}

type Link = [presetId: string, href: string];

/** A, B or C, each leading to its page. */
function Links({ of }: { of: Link[] }): JSX.Element {
  const nameIn = ([id]: Link): string => presets.find((preset) => preset.id === id)?.name ?? id;
  let place = 0;
  return (
    <>
      {units.orParts(of.map(nameIn)).map(({ type, value }) => {
        if (type === 'literal') return value;
        const [id, href] = of[place++] ?? [value, ''];
        return (
          <a key={id} href={href} target="_blank" rel="noreferrer">
            {value}
          </a>
        );
      })}
    </>
  );
}
