import { ChevronDown, ChevronRight, Image, Lightbulb, Wrench, type IconNode } from 'lucide';
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { isLoopback } from '../../../lib/origins.ts';
import type { ModelSummary } from '../../../lib/protocol/setup.ts';
import type { Price, Traits } from '../../../lib/types/model.ts';
import type { Provider } from '../../../lib/types/provider.ts';
import { Icon } from '../../ui/icon.tsx';
import { Switch } from '../../ui/fields.tsx';
import { ModelDetail } from './model-detail.tsx';
import { useSetupState } from '../options-context.ts';
import { Problem } from '../form/problem.tsx';
import { presetOf } from './provider-input.ts';
import { useChanges } from '../form/use-changes.ts';
import { t } from '../../../locales/texts/settings.ts';
import { units } from '../../../locales/units.ts';

/** One model: what it can do, what it costs, whether chats may choose it; its details open beneath it. */
export function ModelRow(props: {
  provider: Provider;
  model: ModelSummary;
  /** Whether the model picker lists it. */
  shown: boolean;
}): JSX.Element {
  const { provider, model } = props;
  const { command } = useSetupState();
  const [open, setOpen] = useState(false);
  const edit = useRef<HTMLButtonElement>(null);
  const showing = useChanges();
  const { providerId, id, traits } = model;
  const close = (): void => {
    setOpen(false);
    edit.current?.focus();
  };
  return (
    <>
      <tr class={open ? 'open' : ''}>
        <td class="what">
          <code title={id}>{id}</code>
          {id === provider.model && <span class="badge">{t(($) => $.models.default)}</span>}
          {!model.present && <span class="badge warn">{t(($) => $.modelTable.missing)}</span>}
        </td>
        <td class="can">
          <Caps traits={traits} />
        </td>
        <td class="context r num" data-label={t(($) => $.modelTable.context)}>
          <Known text={traits.contextWindow && units.window(traits.contextWindow, traits.largestContext)} />
        </td>
        <td class="price r num">
          <Known text={priceOf(traits.price, isHere(provider))} />
        </td>
        <td class="show r">
          <Switch
            label={t(($) => $.modelTable.showModel, { model: id })}
            checked={props.shown}
            set={(shown) => showing.send(() => command('setModel', { providerId, id, shown }))}
          />
        </td>
        <td class="edit r">
          <button
            class="icon-btn"
            ref={edit}
            aria-label={t(($) => $.modelTable.editModel, { model: id })}
            aria-expanded={open}
            title={t(($) => $.options.edit)}
            onClick={() => setOpen(!open)}
          >
            <Icon of={open ? ChevronDown : ChevronRight} small />
          </button>
        </td>
      </tr>
      {(open || showing.error) && (
        <tr class="detail">
          <td colSpan={6}>
            {showing.error && <Problem error={showing.error} />}
            {open && <ModelDetail provider={provider} model={model} close={close} />}
          </td>
        </tr>
      )}
    </>
  );
}

const icons = { tools: Wrench, vision: Image, reasoning: Lightbulb } satisfies Record<string, IconNode>;

function Caps({ traits }: { traits: Traits }): JSX.Element {
  const able = (['tools', 'vision', 'reasoning'] as const).filter((trait) => traits[trait]);
  if (able.length === 0)
    return <Known text={traits.tools === false ? t(($) => $.modelTable.textOnly) : undefined} />;
  return (
    <div class="caps">
      {able.map((trait) => (
        <span key={trait} class="badge">
          <Icon of={icons[trait]} />
          {t(($) => $.modelTable.traits[trait])}
        </span>
      ))}
    </div>
  );
}

/** What is known, or a dash in its place. */
function Known({ text }: { text: string | number | undefined }): JSX.Element {
  if (text) return <span class="small muted">{text}</span>;
  return (
    <span class="small subtle unknown">
      <span aria-hidden="true">–</span>
      <span class="sr">{t(($) => $.modelTable.unknown)}</span>
    </span>
  );
}

/** Whether it answers from this computer itself; any other address on it may lead on to a service that is paid. */
function isHere({ preset, baseUrl }: Provider): boolean {
  return presetOf(preset).local === true && isLoopback(baseUrl);
}

function priceOf(price: Price | undefined, local: boolean): string | undefined {
  if (!price) return local ? t(($) => $.modelTable.free) : undefined;
  return price.input === 0 && price.output === 0
    ? t(($) => $.modelTable.free)
    : t(($) => $.modelTable.perMillion, {
        input: units.price(price.input),
        output: units.price(price.output),
      });
}
