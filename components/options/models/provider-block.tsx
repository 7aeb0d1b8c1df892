import { Check, Cloud, HardDrive, Pencil, RefreshCw } from 'lucide';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { isLoopback } from '../../../lib/origins.ts';
import type { Provider } from '../../../lib/types/provider.ts';
import { Icon } from '../../ui/icon.tsx';
import { ConfirmRemove } from '../form/confirm-remove.tsx';
import { ModelTable } from './model-table.tsx';
import { useSetup, useSetupState } from '../options-context.ts';
import { SetByOrganisation } from '../form/managed.tsx';
import { Problem } from '../form/problem.tsx';
import { go } from '../route.ts';
import { TestButton, useModelTest, TestResult } from './model-test.tsx';
import { useAction } from '../form/use-action.ts';
import { useGranted } from '../form/use-granted.ts';
import { WorkButton } from '../form/work-button.tsx';
import { t } from '../../../locales/texts/settings.ts';

/** One provider: where it is, what to do with it, and its models. */
export function ProviderBlock(props: { provider: Provider; foundHere: boolean }): JSX.Element {
  const { provider } = props;
  const { command } = useSetupState();
  const test = useModelTest(provider, provider.model);
  const refresh = useGranted(provider.baseUrl);
  const removal = useAction();
  const [count, setCount] = useState<number | null>(null);

  const refreshModels = (): void => {
    setCount(null);
    refresh.run(async () => setCount((await command('refreshModels', { providerId: provider.id })).count));
  };

  const failures = [refresh.error, removal.error].filter((error) => error !== null);
  return (
    <section class="block rows" aria-label={provider.name}>
      <div class="prov">
        <Icon of={isLoopback(provider.baseUrl) ? HardDrive : Cloud} />
        <Heading {...props} />
        <div class="actions tight">
          <TestButton class="s" test={test} start={test.start} />
          <WorkButton icon label={t(($) => $.models.refresh)} busy={refresh.busy} press={refreshModels}>
            <Icon of={RefreshCw} />
          </WorkButton>
          {!provider.managed && (
            <>
              <button
                class="icon-btn"
                aria-label={t(($) => $.models.edit, { name: provider.name })}
                title={t(($) => $.options.edit)}
                onClick={() => go('models', provider.id)}
              >
                <Icon of={Pencil} />
              </button>
              <ConfirmRemove
                question={t(($) => $.models.removeQuestion, { name: provider.name })}
                label={t(($) => $.models.remove, { name: provider.name })}
                small
                remove={() => removal.run(() => command('removeProvider', { id: provider.id }))}
              />
            </>
          )}
        </div>
      </div>
      <div class="outcome">
        <TestResult
          asking={test.busy ? t(($) => $.models.testing, { model: provider.model }) : null}
          result={test.result}
          failure={test.error}
          edit={() => void go('models', provider.id)}
        />
        <p class={refresh.busy || count !== null ? 'small muted' : 'sr'} role="status">
          {refresh.busy
            ? t(($) => $.models.refreshing)
            : count !== null && t(($) => $.models.refreshed, { count })}
        </p>
        {failures.map((error) => (
          <Problem key={error.message} error={error} />
        ))}
      </div>
      <ModelTable provider={provider} />
    </section>
  );
}

function Heading({ provider, foundHere }: { provider: Provider; foundHere: boolean }): JSX.Element {
  const { newChat } = useSetup();
  return (
    <div class="grow">
      <h2 class="with">
        <span class="cut" dir="auto">
          {provider.name}
        </span>
        {provider.id === newChat.providerId && <span class="badge live">{t(($) => $.models.newChats)}</span>}
        {foundHere && (
          <span class="badge ok">
            <Icon of={Check} />
            {t(($) => $.models.here)}
          </span>
        )}
      </h2>
      <p class="wrap">
        {provider.baseUrl}
        {provider.managed ? (
          <>
            {' '}
            <SetByOrganisation />
          </>
        ) : (
          `, ${provider.hasKey ? t(($) => $.models.keyStored) : t(($) => $.models.noKey)}`
        )}
      </p>
    </div>
  );
}
