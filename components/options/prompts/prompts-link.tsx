import { ChevronRight } from 'lucide';
import type { JSX } from 'preact';
import { Icon } from '../../ui/icon.tsx';
import { useSetup } from '../options-context.ts';
import { t } from '../../../locales/texts/settings.ts';

/** The way from the page General to the saved prompts. */
export function PromptsLink(): JSX.Element {
  const { prompts } = useSetup();
  return (
    <section class="block" aria-label={t(($) => $.prompts.title)}>
      <h2>{t(($) => $.prompts.title)}</h2>
      <p class="help">{t(($) => $.prompts.lead)}</p>
      <p>
        <a class="btn" href="#prompts">
          {t(($) => $.prompts.manage, { count: prompts.length })}
          <Icon of={ChevronRight} small />
        </a>
      </p>
    </section>
  );
}
