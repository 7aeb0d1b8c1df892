import { Cloud, HardDrive, Plus } from 'lucide';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { requestOrigins } from '../../lib/gestures.ts';
import { isLoopback } from '../../lib/state/setup.ts';
import { en } from '../../locales/en.ts';
import type { Provider } from '../../lib/types.ts';
import { Icon } from '../ui/icon.tsx';
import { ConfirmRemove } from './confirm-remove.tsx';
import { useSetup, useSetupState } from './options-context.ts';
import { Problem } from './problem.tsx';
import { go } from './route.ts';
import { useAction } from './use-action.ts';
import { WorkButton } from './work-button.tsx';

/** The page Models: where messages may be sent. */
export function ModelsPage(): JSX.Element {
  const { providers } = useSetup();
  return (
    <>
      <header class="head">
        <div>
          <h1>{en.options.models}</h1>
          <p>{en.models.lead}</p>
        </div>
        {providers.length > 0 && <AddButton />}
      </header>
      {providers.length === 0 ? (
        <div class="blank">
          <p class="muted">{en.models.empty}</p>
          <AddButton />
        </div>
      ) : (
        providers.map((provider) => <ProviderCard key={provider.id} provider={provider} />)
      )}
    </>
  );
}

function AddButton(): JSX.Element {
  return (
    <button class="btn primary" onClick={() => go('models', 'add')}>
      <Icon of={Plus} />
      {en.models.add}
    </button>
  );
}

function ProviderCard({ provider }: { provider: Provider }): JSX.Element {
  const { command } = useSetupState();
  const { defaultProviderId } = useSetup();
  const [answer, setAnswer] = useState<string | null>(null);
  const test = useAction();
  const removal = useAction();
  const here = isLoopback(provider.baseUrl);

  const runTest = (): void => {
    if (test.busy) return;
    // First of all, while the click still counts: the browser may have taken the grant back.
    const granting = requestOrigins([provider.baseUrl]);
    setAnswer(null);
    test.run(async () => {
      if (!(await granting)) return setAnswer(en.options.refusedTest(new URL(provider.baseUrl).host));
      const models = await command('listModels', { baseUrl: provider.baseUrl, providerId: provider.id });
      setAnswer(en.models.answered(models.length, provider.model, models.includes(provider.model)));
    });
  };

  return (
    <section class="block rows" aria-label={provider.name}>
      <div class="prov">
        <Icon of={here ? HardDrive : Cloud} />
        <div class="grow">
          <h2 class="with">
            <span class="cut">{provider.name}</span>
            {provider.id === defaultProviderId && <span class="badge live">{en.models.default}</span>}
          </h2>
          <p>
            <code>{provider.model}</code>
          </p>
          <p class="wrap">
            {provider.baseUrl}, {provider.hasKey ? en.models.keyStored : en.models.noKey}
          </p>
        </div>
        <div class="actions">
          <WorkButton busy={test.busy} press={runTest}>
            {en.models.test}
          </WorkButton>
          <button
            class="btn"
            aria-label={en.models.edit(provider.name)}
            onClick={() => go('models', provider.id)}
          >
            {en.options.edit}
          </button>
          <ConfirmRemove
            question={en.models.removeQuestion(provider.name)}
            label={en.models.remove(provider.name)}
            remove={() => removal.run(() => command('removeProvider', { id: provider.id }))}
          />
        </div>
      </div>
      <p class={answer === null && !test.busy ? 'sr' : 'outcome small'} role="status">
        {test.busy ? en.models.testing : answer}
      </p>
      {(test.error ?? removal.error) && (
        <div class="outcome">
          {test.error && <Problem error={test.error} />}
          {removal.error && <Problem error={removal.error} />}
        </div>
      )}
    </section>
  );
}
