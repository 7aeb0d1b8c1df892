import type { ChatSettings, ReasoningEffort } from '../../types/model.ts';
import { t } from '../../../locales/texts/panel.ts';

/** The settings as their fields hold them; an empty one leaves it to the model. */
export type SettingsDraft = {
  system: string;
  temperature: string;
  maxTokens: string;
  reasoningEffort: ReasoningEffort | '';
  memory: MemoryChoice;
};

/** Where the user's notes go: as in all chats, or not. */
export type MemoryChoice = 'default' | 'on' | 'off';

export const memoryChoice = ({ memory }: ChatSettings): MemoryChoice =>
  memory === undefined ? 'default' : memory ? 'on' : 'off';

export const memorySetting = (choice: MemoryChoice): Pick<ChatSettings, 'memory'> =>
  choice === 'default' ? {} : { memory: choice === 'on' };

export type SettingsFaults = { temperature?: string; maxTokens?: string };

export function draftOf(settings: ChatSettings): SettingsDraft {
  return {
    system: settings.system ?? '',
    temperature: settings.temperature?.toString() ?? '',
    maxTokens: settings.maxTokens?.toString() ?? '',
    reasoningEffort: settings.reasoningEffort ?? '',
    memory: memoryChoice(settings),
  };
}

/** What the fields say. One with a fault keeps what it said `before`, so that the others can be saved. */
export function readSettings(
  draft: SettingsDraft,
  before: ChatSettings = {},
): { settings: ChatSettings; faults: SettingsFaults } {
  const settings: ChatSettings = memorySetting(draft.memory);
  const faults: SettingsFaults = {};
  const temperature = numberIn(draft.temperature);
  const maxTokens = numberIn(draft.maxTokens);
  if (draft.system.trim() !== '') settings.system = draft.system;
  if (temperature !== null) {
    if (temperature >= 0 && temperature <= 2) settings.temperature = temperature;
    else {
      faults.temperature = t(($) => $.settings.badTemperature);
      if (before.temperature !== undefined) settings.temperature = before.temperature;
    }
  }
  if (maxTokens !== null) {
    if (Number.isSafeInteger(maxTokens) && maxTokens >= 1) settings.maxTokens = maxTokens;
    else {
      faults.maxTokens = t(($) => $.settings.badMaxTokens);
      if (before.maxTokens !== undefined) settings.maxTokens = before.maxTokens;
    }
  }
  if (draft.reasoningEffort !== '') settings.reasoningEffort = draft.reasoningEffort;
  return { settings, faults };
}

/** Null for nothing, NaN for what is no number. A comma may stand for the point. */
function numberIn(text: string): number | null {
  const trimmed = text.trim();
  return trimmed === '' ? null : Number(trimmed.replace(',', '.'));
}
