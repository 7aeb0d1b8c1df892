import { ChevronLeft, Pencil, Plus } from 'lucide';
import type { JSX } from 'preact';
import { en } from '../../../locales/en-options.ts';
import { promptVariables } from '../../../lib/state/saved-prompts.ts';
import type { SavedPrompt } from '../../../lib/types/setup.ts';
import { Icon } from '../../ui/icon.tsx';
import { ConfirmRemove } from '../confirm-remove.tsx';
import { useSetup, useSetupState } from '../options-context.ts';
import { Problem } from '../problem.tsx';
import { go } from '../route.ts';
import { useAction } from '../use-action.ts';

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
        <button class="btn primary" onClick={() => go('prompts', 'add')}>
          <Icon of={Plus} />
          {words.add}
        </button>
      </header>
      {prompts.length === 0 ? (
        <p class="muted">{words.empty}</p>
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
  const removal = useAction();
  const asked = promptVariables(text).map((each) => each.name);
  return (
    <li aria-label={name}>
      <div class="prov">
        <div class="grow">
          <h3 class="cut" dir="auto">
            {name}
          </h3>
          <p class="cut" dir="auto">
            {text.trim().split('\n')[0]}
          </p>
          {asked.length > 0 && <p class="cut muted">{words.asksFor(asked)}</p>}
        </div>
        <div class="actions tight">
          <button
            class="icon-btn"
            aria-label={words.edit(name)}
            title={en.options.edit}
            onClick={() => go('prompts', id)}
          >
            <Icon of={Pencil} />
          </button>
          <ConfirmRemove
            question={words.removeQuestion(name)}
            label={words.remove(name)}
            small
            remove={() => removal.run(() => command('removePrompt', { id }))}
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
