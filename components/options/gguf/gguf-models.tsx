import { Brain } from 'lucide';
import type { JSX } from 'preact';
import { LISTED_ON, OPEN_MODELS } from '../../../lib/gguf/open-models.ts';
import type { Stored, StoredModel } from '../../../lib/gguf/store.ts';
import { NEW_CHAT } from '../../../lib/protocol/chats.ts';
import { dates } from '../../../locales/dates.ts';
import { t } from '../../../locales/texts/settings.ts';
import { units } from '../../../locales/units.ts';
import { Icon } from '../../ui/icon.tsx';
import { ConfirmRemove } from '../form/confirm-remove.tsx';
import { Problem } from '../form/problem.tsx';
import { useAction } from '../form/use-action.ts';
import { useGranted } from '../form/use-granted.ts';
import { WorkButton } from '../form/work-button.tsx';
import { presetOf } from '../models/provider-input.ts';
import { useSetup, useSetupState } from '../options-context.ts';
import { go } from '../route.ts';
import { AddWeights } from './add-weights.tsx';
import { Facts } from './facts.tsx';
import { useWeights, type Weights } from './use-weights.ts';

/** The models that run in Portside itself: those whose weights are here, and the ways to more. */
export function GgufModels(): JSX.Element {
  const weights = useWeights();
  const { stored, action } = weights;
  const ids = new Set(stored?.map(({ id }) => id));
  const others = OPEN_MODELS.filter(({ id }) => !ids.has(id));
  return (
    <>
      {action.error && <Problem error={action.error} />}
      {stored && stored.length > 0 && (
        <section class="block">
          <h2>{t(($) => $.models.fields.presetGroups.local)}</h2>
          <ul class="rows" aria-label={t(($) => $.models.fields.presetGroups.local)}>
            {stored.map((model) => (
              <StoredRow key={model.id} model={model} weights={weights} />
            ))}
          </ul>
        </section>
      )}
      <AddWeights weights={weights} />
      {others.length > 0 && (
        <section class="block">
          <h2>{t(($) => $.gguf.open)}</h2>
          <p class="help">{t(($) => $.gguf.openHelp, { date: dates.date(LISTED_ON) })}</p>
          <ul class="rows" aria-label={t(($) => $.gguf.open)}>
            {others.map((model) => (
              <OpenRow key={model.id} model={model} weights={weights} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function OpenRow({
  model,
  weights,
}: {
  model: StoredModel & { address: string };
  weights: Weights;
}): JSX.Element {
  const granted = useGranted(model.address);
  return (
    <li class="prov" aria-label={model.id}>
      <Icon of={Brain} />
      <div class="grow">
        <h3>{model.id}</h3>
        <Facts of={model} />
        {granted.error && <Problem error={granted.error} />}
      </div>
      <WorkButton
        class="s"
        busy={false}
        disabled={weights.action.busy}
        label={t(($) => $.gguf.downloadOf, { name: model.id })}
        press={() => !weights.action.busy && granted.run(async () => weights.start(model))}
      >
        {t(($) => $.gguf.download)}
      </WorkButton>
    </li>
  );
}

function StoredRow({ model, weights }: { model: Stored; weights: Weights }): JSX.Element {
  const { coming } = weights;
  const there = coming?.id === model.id ? coming.there : null;
  return (
    <li class="prov" aria-label={model.id}>
      <Icon of={Brain} />
      <div class="grow">
        <h3>{model.id}</h3>
        <Facts of={model} />
        {there !== null ? (
          <Progress model={model} there={there} />
        ) : (
          model.sha256 === undefined && (
            <p>{t(($) => $.gguf.paused, { percent: percentOf(model, model.there) })}</p>
          )
        )}
      </div>
      <div class="actions">
        {there !== null ? (
          <button class="btn s" onClick={weights.pause}>
            {t(($) => $.gguf.pause)}
          </button>
        ) : model.sha256 !== undefined ? (
          <UseButton model={model} />
        ) : (
          model.address !== null && <ResumeButton model={model} address={model.address} weights={weights} />
        )}
        {there === null && (
          <ConfirmRemove
            question={t(($) => $.gguf.removeQuestion, { name: model.id, size: units.bytes(model.there) })}
            label={t(($) => $.models.remove, { name: model.id })}
            small
            remove={() => weights.remove(model.id)}
          />
        )}
      </div>
    </li>
  );
}

const percentOf = ({ size }: StoredModel, there: number): number => Math.floor((there / size) * 100);

function Progress({ model, there }: { model: StoredModel; there: number }): JSX.Element {
  const isWhole = there === model.size;
  const words = isWhole
    ? t(($) => $.gguf.checking)
    : t(($) => $.gguf.progress, { percent: percentOf(model, there), size: units.bytes(model.size) });
  return (
    <>
      <p class="num">{words}</p>
      <progress
        class="bar-track"
        aria-label={words}
        max={1}
        {...(!isWhole && { value: there / model.size })}
      />
    </>
  );
}

function ResumeButton(props: { model: Stored; address: string; weights: Weights }): JSX.Element {
  const { model, weights } = props;
  const granted = useGranted(props.address);
  const { there: _, ...facts } = model;
  return (
    <WorkButton
      class="s"
      busy={false}
      disabled={weights.action.busy}
      press={() => !weights.action.busy && granted.run(async () => weights.start(facts))}
    >
      {t(($) => $.gguf.resume)}
    </WorkButton>
  );
}

/** Makes it the model of the one provider that has them all. */
function UseButton({ model }: { model: Stored }): JSX.Element {
  const { providers, newChat } = useSetup();
  const { command } = useSetupState();
  const using = useAction();
  const own = providers.find(({ preset }) => preset === 'gguf');
  const isUsed = own?.model === model.id && own.id === newChat.providerId;
  if (isUsed) return <span class="badge live">{t(($) => $.models.newChats)}</span>;
  const use = async (): Promise<void> => {
    const { id: preset, name, baseUrl } = presetOf('gguf');
    const { id } = await command('saveProvider', {
      ...(own && { id: own.id }),
      preset,
      name: own?.name ?? name,
      baseUrl,
      model: model.id,
    });
    await command('setChat', { conversationId: NEW_CHAT, providerId: id, model: null });
    await go('models');
  };
  return (
    <>
      <WorkButton
        class="primary s"
        busy={using.busy}
        label={t(($) => $.gguf.useOf, { name: model.id })}
        press={() => using.run(use)}
      >
        {t(($) => $.gguf.use)}
      </WorkButton>
      {using.error && <Problem error={using.error} />}
    </>
  );
}
