import type { ReasoningEffort } from '../lib/types/model.ts';

/** How one chat's model is asked. */
export const chatSettings = {
  settings: {
    open: 'Chat settings…',
    close: 'Close chat settings',
    assistant: 'Assistant',
    noAssistant: 'None',
    saveAssistant: 'Save as assistant',
    removeAssistant: (name: string): string => `Remove ${name}`,
    assistantName: 'Assistant name',
    save: 'Save',
    cancel: 'Cancel',
    system: 'System prompt',
    systemHint: 'How the model should answer',
    temperature: 'Temperature',
    maxTokens: 'Max tokens',
    effort: 'Reasoning effort',
    default: 'Default',
    modelDefault: 'model’s own',
    badTemperature: 'Give a number from 0 to 2',
    badMaxTokens: 'Give a whole number, 1 or more',
    efforts: {
      none: 'None',
      minimal: 'Minimal',
      low: 'Low',
      medium: 'Medium',
      high: 'High',
    } satisfies Record<ReasoningEffort, string>,
    applies: 'From your next message on, in this chat.',
  },
  marks: {
    /** An assistant that cannot be asked any more. */
    providerGone: (name: string): string => `${name} (its provider was removed)`,
  },
};
