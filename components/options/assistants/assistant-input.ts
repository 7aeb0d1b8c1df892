import type { Request } from '../../../lib/protocol/commands.ts';
import { type MemoryChoice, memoryChoice, memorySetting } from '../../../lib/state/settings/chat-settings.ts';
import type { ReasoningEffort } from '../../../lib/types/model.ts';
import type { Assistant, ChatChoice } from '../../../lib/types/conversation.ts';
import { t } from '../../../locales/texts/settings.ts';

type AssistantInput = Request<'saveAssistant'>;

/** The form as it is typed; what is empty is left to the model. */
export type AssistantDraft = {
  name: string;
  /** As `choiceKey` writes it. */
  choice: string;
  system: string;
  temperature: string;
  maxTokens: string;
  effort: ReasoningEffort | '';
  memory: MemoryChoice;
};

export type AssistantFaults = { name?: string; temperature?: string; maxTokens?: string };

/** A provider and its model as the value of an option. */
export const choiceKey = (choice: Pick<ChatChoice, 'providerId' | 'model'>): string =>
  JSON.stringify([choice.providerId, choice.model]);

export function choiceOf(key: string): Pick<ChatChoice, 'providerId' | 'model'> {
  const [providerId, model] = JSON.parse(key) as [number | null, string | null];
  return { providerId, model };
}

export function draftOf(assistant: Assistant | null): AssistantDraft {
  const { system, temperature, maxTokens, reasoningEffort } = assistant?.settings ?? {};
  return {
    name: assistant?.name ?? '',
    choice: choiceKey(assistant ?? { providerId: null, model: null }),
    system: system ?? '',
    temperature: String(temperature ?? ''),
    maxTokens: String(maxTokens ?? ''),
    effort: reasoningEffort ?? '',
    memory: memoryChoice(assistant?.settings ?? {}),
  };
}

/** The draft as a command, or what is wrong with it, by field. */
export function checkAssistant(
  draft: AssistantDraft,
  id: number | undefined,
): { input: AssistantInput } | { faults: AssistantFaults } {
  const [name, system] = [draft.name.trim(), draft.system.trim()];
  const [typedHeat, typedMax] = [draft.temperature.trim(), draft.maxTokens.trim()];
  const [temperature, maxTokens] = [Number(typedHeat), Number(typedMax)];
  const faults: AssistantFaults = {
    ...(name === '' && { name: t(($) => $.assistants.invalid.name) }),
    ...(!(temperature >= 0 && temperature <= 2) && {
      temperature: t(($) => $.assistants.invalid.temperature),
    }),
    ...(typedMax !== '' &&
      !(Number.isSafeInteger(maxTokens) && maxTokens >= 1) && {
        maxTokens: t(($) => $.assistants.invalid.maxTokens),
      }),
  };
  if (Object.keys(faults).length > 0) return { faults };
  return {
    input: {
      ...(id !== undefined && { id }),
      name,
      ...choiceOf(draft.choice),
      settings: {
        ...(system !== '' && { system }),
        ...(typedHeat !== '' && { temperature }),
        ...(typedMax !== '' && { maxTokens }),
        ...(draft.effort !== '' && { reasoningEffort: draft.effort }),
        ...memorySetting(draft.memory),
      },
    },
  };
}
