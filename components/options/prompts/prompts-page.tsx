import { ChevronLeft, Plus } from 'lucide';
import type { JSX } from 'preact';
import { en } from '../../../locales/en-options.ts';
import { promptVariables } from '../../../lib/state/saved-prompts.ts';
import type { SavedPrompt } from '../../../lib/types/setup.ts';
import { Icon } from '../../ui/icon.tsx';
import { useSetup, useSetupState } from '../options-context.ts';
import { go } from '../route.ts';
import { SavedRow } from '../saved-row.tsx';

const words = en.prompts;

/** The person's own prompts. */
export function PromptsPage(): JSX.Element {
  const { prompts } = useSetup();
  return (
    <>
      <a class="crumb" href="#general">
        <Icon of={ChevronLeft} small />
        {en.options.general}
      </a>
      <header class="head">
        <div>
          <h1>{words.title}</h1>
          <p>{words.lead}</p>
        </div>
        <div class="actions">
          <button class="btn primary" onClick={() => go('prompts', 'add')}>
            <Icon of={Plus} />
            {words.add}
          </button>
        </div>
      </header>
      {prompts.length === 0 ? (
        <p class="blank muted">{words.empty}</p>
      ) : (
        <ul class="rows" aria-label={words.title}>
          {prompts.map((prompt) => (
            <PromptRow key={prompt.id} prompt={prompt} />
          ))}
        </ul>
      )}
    </>
  );
}

function PromptRow({ prompt: { id, name, text } }: { prompt: SavedPrompt }): JSX.Element {
  const { command } = useSetupState();
  const asked = promptVariables(text).map((each) => each.name);
  return (
    <SavedRow page="prompts" id={id} name={name} words={words} remove={() => command('removePrompt', { id })}>
      <p class="cut" dir="auto">
        {text.trim().split('\n')[0]}
      </p>
      {asked.length > 0 && <p class="cut muted">{words.asksFor(asked)}</p>}
    </SavedRow>
  );
}
