import { Trash2 } from 'lucide';
import type { JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { assistantOf, type Choice } from '../../../lib/state/composer/choice.ts';
import type { ChatChoice } from '../../../lib/types/conversation.ts';
import { usePanel } from '../../panel-context.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { t } from '../../../locales/texts/panel.ts';

/** Saved ways to ask: one is taken over whole, or made of what is chosen now. */
export function Assistants(props: { choice: Choice; adopt: (choice: ChatChoice) => void }): JSX.Element {
  const { choice, adopt } = props;
  const { setup, command } = usePanel();
  const id = useId();
  const [naming, setNaming] = useState(false);
  const assistants = setup.value?.assistants ?? [];
  const current = assistantOf(setup.value, choice);
  const save = (name: string): void => {
    const { provider, model, settings } = choice;
    void command('saveAssistant', { name, providerId: provider.id, model, settings });
    setNaming(false);
  };
  return (
    <div class="field">
      <label for={id}>{t(($) => $.settings.assistant)}</label>
      <div class="settings-row">
        <select
          class="select"
          id={id}
          value={current?.id ?? ''}
          onChange={(event) => {
            const picked = assistants.find((other) => String(other.id) === event.currentTarget.value);
            if (picked) adopt(picked);
          }}
        >
          <option value="" disabled={current !== null}>
            {t(($) => $.settings.noAssistant)}
          </option>
          {assistants.map((assistant) => (
            <option key={assistant.id} value={assistant.id}>
              {setup.value?.providers.some(({ id: provider }) => provider === assistant.providerId)
                ? assistant.name
                : t(($) => $.marks.providerGone, { name: assistant.name })}
            </option>
          ))}
        </select>
        {current && (
          <IconButton
            icon={Trash2}
            label={t(($) => $.settings.removeAssistant, { name: current.name })}
            onClick={() => void command('removeAssistant', { id: current.id })}
          />
        )}
        {!current && !naming && (
          <button class="btn" onClick={() => setNaming(true)}>
            {t(($) => $.settings.saveAssistant)}
          </button>
        )}
      </div>
      {naming && <NewName save={save} cancel={() => setNaming(false)} />}
    </div>
  );
}

function NewName({ save, cancel }: { save: (name: string) => void; cancel: () => void }): JSX.Element {
  const [name, setName] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (name.trim() !== '') save(name.trim());
  };
  return (
    <form class="settings-row" onSubmit={submit}>
      <input
        class="input"
        aria-label={t(($) => $.settings.assistantName)}
        placeholder={t(($) => $.settings.assistantName)}
        value={name}
        ref={field}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <button class="btn primary" disabled={name.trim() === ''}>
        {t(($) => $.actions.save)}
      </button>
      <button type="button" class="btn quiet" onClick={cancel}>
        {t(($) => $.actions.cancel)}
      </button>
    </form>
  );
}
