import { ChevronLeft } from 'lucide';
import type { JSX } from 'preact';
import { Icon } from '../ui/icon.tsx';
import { useSetup } from './options-context.ts';
import { ProviderForm } from './provider-form.tsx';
import { t } from '../../locales/texts/settings.ts';

/** One provider's settings, or those of a new one. */
export function ProviderPage({ item }: { item: 'add' | number }): JSX.Element {
  const { providers } = useSetup();
  const provider = providers.find((other) => other.id === item) ?? null;
  return (
    <>
      <a class="crumb" href="#models">
        <Icon of={ChevronLeft} small />
        {t(($) => $.options.models)}
      </a>
      {item !== 'add' && !provider ? (
        <p class="muted">{t(($) => $.models.gone)}</p>
      ) : (
        <>
          <header class="head">
            <div>
              <h1>{provider ? provider.name : t(($) => $.models.add)}</h1>
              {!provider && <p>{t(($) => $.models.addLead)}</p>}
            </div>
          </header>
          <ProviderForm provider={provider} />
        </>
      )}
    </>
  );
}
