import type { JSX } from 'preact';
import type { PresetId } from '../../../lib/types/model.ts';
import { AddKey } from '../../providers/add-key.tsx';
import { canRunGguf } from '../../../lib/gguf/can-run.ts';
import { useBrowserModel } from '../../providers/use-browser-model.ts';
import { GgufModels } from '../gguf/gguf-models.tsx';
import { useSetup, useSetupState } from '../options-context.ts';
import { ProviderForm } from './provider-form.tsx';
import { draftOf, startFrom } from './provider-input.ts';
import { go } from '../route.ts';
import { useDraft } from '../form/use-draft.ts';
import { Crumb, PageHead } from '../page-head.tsx';
import { t } from '../../../locales/texts/settings.ts';

/** One provider's settings, or the ways to a new one. `preset`: of a new one, whose every field is shown. */
export function ProviderPage({ item, preset }: { item: 'add' | number; preset?: PresetId }): JSX.Element {
  const { providers } = useSetup();
  const provider = providers.find((other) => other.id === item) ?? null;
  const isAdding = item === 'add';
  const isGguf = (provider?.preset ?? preset) === 'gguf';
  return (
    <>
      <Crumb href={isAdding && preset ? '#models/add' : '#models'}>
        {isAdding && preset ? t(($) => $.models.add) : t(($) => $.options.models)}
      </Crumb>
      {!isAdding && !provider ? (
        <p class="muted">{t(($) => $.models.gone)}</p>
      ) : (
        <>
          <PageHead
            title={provider ? provider.name : t(($) => $.models.add)}
            lead={
              isGguf
                ? t(($) => $.gguf.lead)
                : !provider && (preset ? t(($) => $.models.addLead) : t(($) => $.models.chooseLead))
            }
          />
          {isGguf ? (
            <GgufModels />
          ) : provider || preset ? (
            <ProviderForm provider={provider} preset={preset ?? 'custom'} />
          ) : (
            <NewProvider />
          )}
        </>
      )}
    </>
  );
}

function NewProvider(): JSX.Element {
  const { command } = useSetupState();
  const { draft, set } = useDraft('models/add', () => draftOf(null));
  const hasOwnModel = useBrowserModel() !== 'unavailable';
  return (
    <div class="form short">
      <AddKey
        send={command}
        offers={({ id }) => (id === 'gguf' ? canRunGguf() : id !== 'browser' || hasOwnModel)}
        done={() => void go('models')}
        byHand={({ id }, key) => {
          set({ ...startFrom(draft, id), ...(key !== '' && { apiKey: key }) });
          void go('models', 'add', id);
        }}
      />
    </div>
  );
}
