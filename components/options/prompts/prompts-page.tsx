import type { JSX } from 'preact';
import { promptVariables } from '../../../lib/state/composer/saved-prompts.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import type { SavedPrompt } from '../../../lib/types/prompt.ts';
import { useSetup, useSetupState } from '../options-context.ts';
import { Items, ItemsHead, SavedRow } from '../form/items.tsx';
import { LongText } from '../../ui/long-text.tsx';
import { ImportSkills } from './import-skills.tsx';
import { StarterSettings } from './starters.tsx';
import { Crumb } from '../page-head.tsx';
import { t } from '../../../locales/texts/settings.ts';
import { units } from '../../../locales/units.ts';

/** The user's own prompts. */
export function PromptsPage(): JSX.Element {
  const { prompts } = useSetup();
  return (
    <>
      <Crumb href="#general">{t(($) => $.options.general)}</Crumb>
      <ItemsHead page="prompts" />
      <Items page="prompts">
        {prompts.map((prompt) => (
          <PromptRow key={prompt.id} prompt={prompt} />
        ))}
      </Items>
      <ImportSkills />
      <StarterSettings />
    </>
  );
}

function PromptRow({ prompt: { id, name, text, skill, managed } }: { prompt: SavedPrompt }): JSX.Element {
  const { command } = useSetupState();
  const remove = () => command('removePrompt', { id });
  if (skill) {
    const description = visible(skill.description);
    return (
      <SavedRow page="prompts" id={id} name={name} isFixed remove={remove}>
        <p class="cut" dir="auto">
          {t(($) => $.prompts.skill, { description })}
        </p>
        <p class="cut muted">{t(($) => $.prompts.files, { count: skill.files.length + 1 })}</p>
      </SavedRow>
    );
  }
  const asked = promptVariables(text).map((each) => each.name);
  return (
    <SavedRow page="prompts" id={id} name={name} isManaged={managed !== undefined} remove={remove}>
      <p class="cut" dir="auto">
        <LongText text={text.trim().split('\n')[0] ?? ''} isCut />
      </p>
      {asked.length > 0 && (
        <p class="cut muted">{t(($) => $.prompts.asksFor, { names: units.commas(asked) })}</p>
      )}
    </SavedRow>
  );
}
