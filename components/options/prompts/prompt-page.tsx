import type { JSX } from 'preact';
import { promptVariables } from '../../../lib/state/composer/saved-prompts.ts';
import { isSameName } from '../../../lib/types/names.ts';
import type { SavedPrompt } from '../../../lib/types/prompt.ts';
import { TextArea, TextField } from '../../ui/fields.tsx';
import { ItemForm, ItemPage } from '../form/item-form.tsx';
import { useSetup, useSetupState } from '../options-context.ts';
import type { Request } from '../../../lib/protocol/commands.ts';
import { t } from '../../../locales/texts/settings.ts';
import { units } from '../../../locales/units.ts';

/** One saved prompt, or a new one. */
export const PromptPage = ({ item }: { item: 'add' | number }): JSX.Element => (
  <ItemPage
    page="prompts"
    items={useSetup().prompts}
    item={item}
    title={({ name }) => name}
    lead={t(($) => $.prompts.lead)}
  >
    {(prompt) => <PromptForm prompt={prompt} />}
  </ItemPage>
);

function PromptForm({ prompt }: { prompt: SavedPrompt | null }): JSX.Element {
  const { command } = useSetupState();
  const { prompts } = useSetup();
  const check = (draft: PromptDraft) => checkPrompt(draft, prompts, prompt?.id);
  return (
    <ItemForm
      page="prompts"
      id={prompt?.id}
      start={(): PromptDraft => ({ name: prompt?.name ?? '', text: prompt?.text ?? '' })}
      check={check}
      send={(input) => command('savePrompt', input)}
    >
      {({ draft, faults, field }) => {
        const asked = promptVariables(draft.text).map((each) => each.name);
        const checked = check(draft);
        const still = 'faults' in checked ? checked.faults : {};
        return (
          <>
            <TextField
              label={t(($) => $.prompts.fields.name)}
              {...field('name')}
              invalid={faults.name && still.name}
              help={t(($) => $.prompts.nameHelp)}
            />
            <TextArea
              label={t(($) => $.prompts.fields.text)}
              {...field('text')}
              invalid={faults.text && still.text}
              help={
                asked.length > 0
                  ? t(($) => $.prompts.asksFor, { names: units.commas(asked) })
                  : t(($) => $.prompts.asksNothing)
              }
              rows={8}
            />
          </>
        );
      }}
    </ItemForm>
  );
}

type PromptDraft = { name: string; text: string };
type PromptFaults = { name?: string; text?: string };

/** What is typed as a command, or what is wrong with it, by field. Two prompts of one name could not be told apart. */
function checkPrompt(
  draft: PromptDraft,
  prompts: SavedPrompt[],
  id: number | undefined,
): { input: Request<'savePrompt'> } | { faults: PromptFaults } {
  const [name, text] = [draft.name.trim(), draft.text.trim()];
  const isTaken = prompts.some((other) => other.id !== id && isSameName(other.name, name));
  const faults: PromptFaults = {
    ...(isTaken && { name: t(($) => $.prompts.invalid.taken) }),
    ...(name === '' && { name: t(($) => $.prompts.invalid.name) }),
    ...(text === '' && { text: t(($) => $.prompts.invalid.text) }),
  };
  if (Object.keys(faults).length > 0) return { faults };
  return { input: { name, text, ...(id !== undefined && { id }) } };
}
