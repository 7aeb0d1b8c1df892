import { ChevronRight } from 'lucide';
import type { JSX } from 'preact';
import { en } from '../../../locales/en-options.ts';
import { Icon } from '../../ui/icon.tsx';
import { useSetup } from '../options-context.ts';

/** The way from the page General to the saved prompts. */
export function PromptsLink(): JSX.Element {
  const { prompts } = useSetup();
  return (
    <section class="block" aria-label={en.prompts.title}>
      <h2>{en.prompts.title}</h2>
      <p class="help">{en.prompts.lead}</p>
      <p>
        <a class="btn" href="#prompts">
          {en.prompts.manage(prompts.length)}
          <Icon of={ChevronRight} small />
        </a>
      </p>
    </section>
  );
}
