import { Plus } from 'lucide';
import type { JSX } from 'preact';
import type { Setup } from '../../../lib/protocol/setup.ts';
import type { Assistant } from '../../../lib/types/conversation.ts';
import { Icon } from '../../ui/icon.tsx';
import { useSetup, useSetupState } from '../options-context.ts';
import { go } from '../route.ts';
import { SavedRow } from '../form/items.tsx';
import { LongText } from '../../ui/long-text.tsx';
import { t } from '../../../locales/texts/settings.ts';

/** The saved ways to ask. */
export function Assistants(): JSX.Element {
  const { assistants } = useSetup();
  return (
    <section class="block" aria-label={t(($) => $.assistants.title)}>
      <div class="toolbar">
        <div class="grow">
          <h2>{t(($) => $.assistants.title)}</h2>
          <p class="help">{t(($) => $.assistants.lead)}</p>
        </div>
        <button class="btn" onClick={() => go('assistants', 'add')}>
          <Icon of={Plus} />
          {t(($) => $.assistants.add)}
        </button>
      </div>
      {assistants.length > 0 && (
        <ul class="rows" aria-label={t(($) => $.assistants.title)}>
          {assistants.map((assistant) => (
            <AssistantRow key={assistant.id} assistant={assistant} />
          ))}
        </ul>
      )}
    </section>
  );
}

function AssistantRow({ assistant }: { assistant: Assistant }): JSX.Element {
  const { command } = useSetupState();
  const setup = useSetup();
  const { id, name, settings } = assistant;
  const system = settings.system?.trim().split('\n')[0];
  return (
    <SavedRow page="assistants" id={id} name={name} remove={() => command('removeAssistant', { id })}>
      <p class="cut">{modelWords(setup, assistant)}</p>
      {system && (
        <p class="cut muted" dir="auto">
          <LongText text={system} isCut />
        </p>
      )}
    </SavedRow>
  );
}

/** Which model something asks, in words. */
export function modelWords(
  setup: Setup,
  { providerId, model }: Pick<Assistant, 'providerId' | 'model'>,
): string {
  if (providerId === null) return t(($) => $.assistants.noModel);
  const provider = setup.providers.find((other) => other.id === providerId);
  if (!provider) return t(($) => $.assistants.goneModel);
  return model === null
    ? t(($) => $.assistants.ownModel, { provider: provider.name, model: provider.model })
    : `${provider.name}, ${model}`;
}
