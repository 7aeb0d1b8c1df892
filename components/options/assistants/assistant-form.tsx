import type { JSX } from 'preact';
import { modelGroups } from '../../../lib/state/composer/choice.ts';
import type { Setup } from '../../../lib/protocol/setup.ts';
import type { Assistant } from '../../../lib/types/conversation.ts';
import { checkAssistant, choiceKey, draftOf, type AssistantDraft } from './assistant-input.ts';
import { SelectField, TextArea, TextField, type OptionGroup } from '../../ui/fields.tsx';
import { type Fields, ItemForm, ItemPage } from '../form/item-form.tsx';
import { useSetup, useSetupState } from '../options-context.ts';
import { t } from '../../../locales/texts/settings.ts';

export const AssistantPage = ({ item }: { item: 'add' | number }): JSX.Element => (
  <ItemPage
    page="assistants"
    items={useSetup().assistants}
    item={item}
    title={({ name }) => name}
    lead={t(($) => $.assistants.lead)}
  >
    {(assistant) => <AssistantForm assistant={assistant} />}
  </ItemPage>
);

function AssistantForm({ assistant }: { assistant: Assistant | null }): JSX.Element {
  const { command } = useSetupState();
  return (
    <ItemForm
      page="assistants"
      id={assistant?.id}
      start={() => draftOf(assistant)}
      check={(draft) => checkAssistant(draft, assistant?.id)}
      send={(input) => command('saveAssistant', input)}
    >
      {(fields) => <AssistantFields {...fields} />}
    </ItemForm>
  );
}

function AssistantFields({ draft, field }: Fields<AssistantDraft>): JSX.Element {
  const setup = useSetup();

  return (
    <>
      <TextField label={t(($) => $.assistants.fields.name)} {...field('name')} />
      <SelectField
        label={t(($) => $.assistants.fields.model)}
        {...field('choice')}
        {...choices(setup, draft.choice)}
      />
      <TextArea
        label={t(($) => $.assistants.fields.system)}
        {...field('system')}
        help={t(($) => $.assistants.fields.systemHelp)}
        rows={6}
      />
      <div class="pair">
        <TextField
          label={t(($) => $.assistants.fields.temperature)}
          type="number"
          step={0.1}
          {...field('temperature')}
          help={t(($) => $.assistants.fields.temperatureHelp)}
        />
        <TextField
          label={t(($) => $.assistants.fields.maxTokens)}
          type="number"
          {...field('maxTokens')}
          help={t(($) => $.assistants.fields.maxTokensHelp)}
        />
      </div>
      <SelectField<AssistantDraft['effort']>
        label={t(($) => $.assistants.fields.effort)}
        {...field('effort')}
        options={{ '': t(($) => $.assistants.effortDefault), ...t(($) => $.assistants.efforts) }}
        help={t(($) => $.assistants.fields.effortHelp)}
      />
      <SelectField
        label={t(($) => $.assistants.fields.memory)}
        {...field('memory')}
        options={t(($) => $.assistants.memories)}
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
