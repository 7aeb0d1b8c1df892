import { Pencil, Plus } from 'lucide';
import type { JSX } from 'preact';
import { en } from '../../locales/en-options.ts';
import type { Setup } from '../../lib/protocol.ts';
import type { Assistant } from '../../lib/types/setup.ts';
import { Icon } from '../ui/icon.tsx';
import { ConfirmRemove } from './confirm-remove.tsx';
import { useSetup, useSetupState } from './options-context.ts';
import { Problem } from './problem.tsx';
import { go } from './route.ts';
import { useAction } from './use-action.ts';

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
  const removal = useAction();
  const { id, name, settings } = assistant;
  const system = settings.system?.trim().split('\n')[0];
  return (
    <li aria-label={name}>
      <div class="prov">
        <div class="grow">
          <h3 class="cut">{name}</h3>
          <p class="cut">{modelWords(setup, assistant)}</p>
          {system && <p class="cut muted">{system}</p>}
        </div>
        <div class="actions tight">
          <button
            class="icon-btn"
            aria-label={words.edit(name)}
            title={en.options.edit}
            onClick={() => go('assistants', id)}
          >
            <Icon of={Pencil} />
          </button>
          <ConfirmRemove
            question={words.removeQuestion(name)}
            label={words.remove(name)}
            small
            remove={() => removal.run(() => command('removeAssistant', { id }))}
          />
        </div>
      </div>
      {removal.error && (
        <div class="outcome">
          <Problem error={removal.error} />
        </div>
      )}
    </li>
  );
}

/** Which model an assistant asks, in words. */
export function modelWords(setup: Setup, { providerId, model }: Assistant): string {
  if (providerId === null) return words.noModel;
  const provider = setup.providers.find((other) => other.id === providerId);
  if (!provider) return words.goneModel;
  return model === null ? words.ownModel(provider.name, provider.model) : `${provider.name}, ${model}`;
}
