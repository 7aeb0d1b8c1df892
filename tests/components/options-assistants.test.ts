import { describe, expect, it } from 'vitest';
import { checkAssistant, choiceKey, draftOf } from '../../components/options/assistants/assistant-input.ts';
import type { Assistant } from '../../lib/types/conversation.ts';

const assistant: Assistant = {
  id: 4,
  name: 'Reviewer',
  providerId: 2,
  model: 'vendor/model',
  settings: { system: 'Be brief.', temperature: 0, maxTokens: 500, reasoningEffort: 'low' },
};

describe('the assistant form', () => {
  it('gives back what it was given', () => {
    expect(checkAssistant(draftOf(assistant), 4)).toEqual({ input: assistant });
  });

  it('leaves to the model what is left empty', () => {
    expect(checkAssistant({ ...draftOf(null), name: ' Plain ' }, undefined)).toEqual({
      input: { name: 'Plain', providerId: null, model: null, settings: {} },
    });
  });

  it('tells a provider’s own default from a model of it', () => {
    const choice = choiceKey({ providerId: 2, model: null });
    expect(checkAssistant({ ...draftOf(assistant), choice }, 4)).toMatchObject({
      input: { providerId: 2, model: null },
    });
  });

  it.each([
    [{ name: ' ' }, { name: 'Name is required' }],
    [{ temperature: '2.1' }, { temperature: 'Enter a number from 0 to 2' }],
    [{ temperature: 'warm' }, { temperature: 'Enter a number from 0 to 2' }],
    [{ maxTokens: '0' }, { maxTokens: 'Enter a whole number of tokens, 1 or more' }],
    [{ maxTokens: '1.5' }, { maxTokens: 'Enter a whole number of tokens, 1 or more' }],
  ])('given %j says %j', (typed, faults) => {
    expect(checkAssistant({ ...draftOf(assistant), ...typed }, 4)).toEqual({ faults });
  });
});
