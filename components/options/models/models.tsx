import { Plus, Search } from 'lucide';
import type { JSX } from 'preact';
import { Icon } from '../../ui/icon.tsx';
import { Assistants } from '../assistants/assistants.tsx';
import { LocalServers, useLocalSearch } from './local-servers.tsx';
import { useSetup } from '../options-context.ts';
import { ProviderBlock } from './provider-block.tsx';
import { go } from '../route.ts';
import { WorkButton } from '../form/work-button.tsx';
import { PageHead } from '../page-head.tsx';
import { t } from '../../../locales/texts/settings.ts';

/** The page Models: who answers, what their models can do, and saved ways to ask them. */
export function ModelsPage(): JSX.Element {
  const { providers, fleet } = useSetup();
  const search = useLocalSearch();
  const buttons = fleet?.ownProviders !== false && (
    <div class="actions">
      <WorkButton busy={search.busy} press={search.look}>
        <Icon of={Search} />
        {t(($) => $.local.look)}
      </WorkButton>
      <button class="btn primary" onClick={() => go('models', 'add')}>
        <Icon of={Plus} />
        {t(($) => $.models.add)}
      </button>
    </div>
  );
  return (
    <>
      <PageHead title={t(($) => $.options.models)} lead={t(($) => $.models.lead)}>
        {providers.length > 0 && buttons}
      </PageHead>
      {providers.length === 0 && (
        <div class="blank">
          <p class="muted">{t(($) => $.models.empty)}</p>
          {buttons}
        </div>
      )}
      <LocalServers search={search} />
      {providers.map((provider) => (
        <ProviderBlock key={provider.id} provider={provider} foundHere={search.isFound(provider.baseUrl)} />
      ))}
      {providers.length > 0 && <Assistants />}
    </>
  );
}
