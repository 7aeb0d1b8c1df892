import { Plus } from 'lucide';
import type { JSX } from 'preact';
import { en } from '../../locales/en-options.ts';
import type { Setup } from '../../lib/protocol/setup.ts';
import type { Assistant } from '../../lib/types/setup.ts';
import { Icon } from '../ui/icon.tsx';
import { useSetup, useSetupState } from './options-context.ts';
import { go } from './route.ts';
import { SavedRow } from './saved-row.tsx';

const words = en.assistants;

/** The saved ways to ask. */
export function Assistants(): JSX.Element {
  const { assistants } = useSetup();
  return (
    <section class="block" aria-label={words.title}>
      <div class="toolbar">
        <div class="grow">
          <h2>{words.title}</h2>
          <p class="help">{words.lead}</p>
        </div>
        <button class="btn" onClick={() => go('assistants', 'add')}>
          <Icon of={Plus} />
          {words.add}
        </button>
      </div>
      {assistants.length > 0 && (
        <ul class="rows" aria-label={words.title}>
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
    <SavedRow
      page="assistants"
      id={id}
      name={name}
      words={words}
      remove={() => command('removeAssistant', { id })}
    >
      <p class="cut">{modelWords(setup, assistant)}</p>
      {system && (
        <p class="cut muted" dir="auto">
          {system}
        </p>
      )}
    </SavedRow>
  );
}

/** Which model an assistant asks, in words. */
export function modelWords(setup: Setup, { providerId, model }: Assistant): string {
  if (providerId === null) return words.noModel;
  const provider = setup.providers.find((other) => other.id === providerId);
  if (!provider) return words.goneModel;
  return model === null ? words.ownModel(provider.name, provider.model) : `${provider.name}, ${model}`;
}
