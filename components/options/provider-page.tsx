import { ChevronLeft } from 'lucide';
import type { JSX } from 'preact';
import { en } from '../../locales/en-options.ts';
import { Icon } from '../ui/icon.tsx';
import { useSetup } from './options-context.ts';
import { ProviderForm } from './provider-form.tsx';

/** One provider's settings, or those of a new one. */
export function ProviderPage({ item }: { item: 'add' | number }): JSX.Element {
  const { providers } = useSetup();
  const provider = providers.find((other) => other.id === item) ?? null;
  return (
    <>
      <a class="crumb" href="#models">
        <Icon of={ChevronLeft} small />
        {en.options.models}
      </a>
      {item !== 'add' && !provider ? (
        <p class="muted">{en.models.gone}</p>
      ) : (
        <>
          <header class="head">
            <div>
              <h1>{provider ? provider.name : en.models.add}</h1>
              {!provider && <p>{en.models.addLead}</p>}
            </div>
          </header>
          <ProviderForm provider={provider} />
        </>
      )}
    </>
  );
}
