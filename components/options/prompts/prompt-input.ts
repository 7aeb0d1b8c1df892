import type { Commands } from '../../../lib/protocol/commands.ts';
import type { SavedPrompt } from '../../../lib/types/setup.ts';
import { t } from '../../../locales/texts/settings.ts';

export type PromptFaults = { name?: string; text?: string };

/** What is typed as a command, or what is wrong with it, by field. Two prompts of one name could not be told apart. */
export function checkPrompt(
  draft: { name: string; text: string },
  prompts: SavedPrompt[],
  id: number | undefined,
): { input: Parameters<Commands['savePrompt']>[0] } | { faults: PromptFaults } {
  const [name, text] = [draft.name.trim(), draft.text.trim()];
  const isTaken = prompts.some((other) => other.id !== id && other.name.toLowerCase() === name.toLowerCase());
  const faults: PromptFaults = {
    ...(isTaken && { name: t(($) => $.prompts.invalid.taken) }),
    ...(name === '' && { name: t(($) => $.prompts.invalid.name) }),
    ...(text === '' && { text: t(($) => $.prompts.invalid.text) }),
  };
  if (Object.keys(faults).length > 0) return { faults };
  return { input: { name, text, ...(id !== undefined && { id }) } };
}
