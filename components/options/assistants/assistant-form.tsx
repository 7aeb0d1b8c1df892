import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { modelGroups } from '../../../lib/state/composer/choice.ts';
import type { Setup } from '../../../lib/protocol/setup.ts';
import type { Assistant } from '../../../lib/types/conversation.ts';
import {
  checkAssistant,
  choiceKey,
  draftOf,
  type AssistantDraft,
  type AssistantFaults,
} from './assistant-input.ts';
import { SelectField, TextArea, TextField, useFormFocus, type OptionGroup } from '../form/fields.tsx';
import { useSetup, useSetupState } from '../options-context.ts';
import { Problem } from '../form/problem.tsx';
import { go } from '../route.ts';
import { useAction } from '../form/use-action.ts';
import { useDraft } from '../form/use-draft.ts';
import { Crumb, PageHead } from '../page-head.tsx';
import { SaveFoot } from '../form/save-foot.tsx';
import { t } from '../../../locales/texts/settings.ts';

/** One assistant, or a new one. */
export function AssistantPage({ item }: { item: 'add' | number }): JSX.Element {
  const { assistants } = useSetup();
  const assistant = assistants.find((other) => other.id === item) ?? null;
  return (
    <>
      <Crumb href="#models">{t(($) => $.options.models)}</Crumb>
      {item !== 'add' && !assistant ? (
        <p class="muted">{t(($) => $.assistants.gone)}</p>
      ) : (
        <>
          <PageHead
            title={assistant ? assistant.name : t(($) => $.assistants.add)}
            lead={t(($) => $.assistants.lead)}
          />
          <AssistantForm assistant={assistant} />
        </>
      )}
    </>
  );
}

function AssistantForm({ assistant }: { assistant: Assistant | null }): JSX.Element {
  const { command } = useSetupState();
  const { draft, set, forget } = useDraft(`assistants/${assistant?.id ?? 'add'}`, () => draftOf(assistant));
  const [faults, setFaults] = useState<AssistantFaults>({});
  const form = useFormFocus(faults);
  const save = useAction();
  const submit = (event: Event): void => {
    event.preventDefault();
    const checked = checkAssistant(draft, assistant?.id);
    save.clear();
    if ('faults' in checked) return setFaults(checked.faults);
    setFaults({});
    save.run(async (isWanted) => {
      await command('saveAssistant', checked.input);
      forget();
      if (isWanted()) await go('models');
    });
  };
  return (
    <form class="form short" ref={form} onSubmit={submit} noValidate>
      <AssistantFields draft={draft} set={set} faults={faults} />
      {save.error && <Problem error={save.error} />}
      <SaveFoot busy={save.busy} back="#models" forget={forget} />
    </form>
  );
}

function AssistantFields(props: {
  draft: AssistantDraft;
  set: (change: Partial<AssistantDraft>) => void;
  faults: AssistantFaults;
}): JSX.Element {
  const { draft, set, faults } = props;
  const setup = useSetup();

  return (
    <>
      <TextField
        label={t(($) => $.assistants.fields.name)}
        value={draft.name}
        set={(name) => set({ name })}
        invalid={faults.name}
      />
      <SelectField
        label={t(($) => $.assistants.fields.model)}
        value={draft.choice}
        {...choices(setup, draft.choice)}
        set={(choice) => set({ choice })}
      />
      <TextArea
        label={t(($) => $.assistants.fields.system)}
        value={draft.system}
        set={(system) => set({ system })}
        help={t(($) => $.assistants.fields.systemHelp)}
        rows={6}
      />
      <div class="pair">
        <TextField
          label={t(($) => $.assistants.fields.temperature)}
          type="number"
          step={0.1}
          value={draft.temperature}
          set={(temperature) => set({ temperature })}
          invalid={faults.temperature}
          help={t(($) => $.assistants.fields.temperatureHelp)}
        />
        <TextField
          label={t(($) => $.assistants.fields.maxTokens)}
          type="number"
          value={draft.maxTokens}
          set={(maxTokens) => set({ maxTokens })}
          invalid={faults.maxTokens}
          help={t(($) => $.assistants.fields.maxTokensHelp)}
        />
      </div>
      <SelectField<AssistantDraft['effort']>
        label={t(($) => $.assistants.fields.effort)}
        value={draft.effort}
        options={{ '': t(($) => $.assistants.effortDefault), ...t(($) => $.assistants.efforts) }}
        set={(effort) => set({ effort })}
        help={t(($) => $.assistants.fields.effortHelp)}
      />
      <SelectField
        label={t(($) => $.assistants.fields.memory)}
        value={draft.memory}
        options={t(($) => $.assistants.memories)}
        set={(memory) => set({ memory })}
      />
    </>
  );
}

/** What may be chosen to ask: the models that chats may choose, and the one it asks now even if it is gone. */
export function choices(
  setup: Setup,
  current: string,
): { options: Record<string, string>; groups: OptionGroup<string>[] } {
  const groups = modelGroups(setup).map(({ provider, models }) => {
    const own = choiceKey({ providerId: provider.id, model: null });
    const listed = models.map(({ id }): [string, string] => [
      choiceKey({ providerId: provider.id, model: id }),
      id,
    ]);
    const first: [string, string] = [
      own,
      t(($) => $.assistants.ownModel, { provider: provider.name, model: provider.model }),
    ];
    return { label: provider.name, options: [first, ...listed] };
  });
  const none = choiceKey({ providerId: null, model: null });
  const known = current === none || groups.some(({ options }) => options.some(([key]) => key === current));
  return {
    options: { [none]: t(($) => $.assistants.noModel), ...(!known && { [current]: hiddenWords(current) }) },
    groups,
  };
}

/** A choice that is not offered any more, by the model's name. */
function hiddenWords(key: string): string {
  const [, model] = JSON.parse(key) as [number, string | null];
  return model ?? t(($) => $.assistants.goneModel);
}
