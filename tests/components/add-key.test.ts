import { describe, expect, it } from 'vitest';
import { keyIn } from '../../components/providers/use-add-key.ts';
import { presetOfKey, presets } from '../../lib/provider-presets.ts';
import { bestModel } from '../../lib/state/composer/choice.ts';

describe('a pasted key', () => {
  it.each([
    ['  sk-ant-api03-x\n', 'sk-ant-api03-x'],
    ['OPENAI_API_KEY=sk-proj-x', 'sk-proj-x'],
    ['export GROQ_API_KEY="gsk_x"', 'gsk_x'],
    ["'0123='", '0123='],
  ])('is found in %j', (pasted, key) => expect(keyIn(pasted)).toBe(key));

  it.each([
    ['sk-ant-api03-x', 'anthropic'],
    ['sk-or-v1-x', 'openrouter'],
    ['sk-proj-x', 'openai'],
    ['gsk_x', 'groq'],
    ['AIzaSy', 'google'],
    ['xai-x', 'xai'],
    ['sk-0123456789abcdef', undefined],
    ['0123456789abcdef', undefined],
  ])('%s belongs to %s', (key, id) => expect(presetOfKey(key)?.id).toBe(id));
});

describe('the model to begin with', () => {
  const best = (preset: string, ...ids: string[]): string | undefined =>
    bestModel(
      ids.map((id) => ({ id, traits: {} })),
      presets.find(({ id }) => id === preset)?.prefer,
    )?.id;

  it('is the newest of those that a provider is known for', () => {
    expect(best('openai', 'gpt-4.1', 'gpt-5', 'gpt-5.1', 'gpt-5-mini', 'o3')).toBe('gpt-5.1');
    expect(
      best(
        'anthropic',
        'claude-3-7-sonnet-20250219',
        'claude-sonnet-4-20250514',
        'claude-sonnet-4-5-20250929',
      ),
    ).toBe('claude-sonnet-4-5-20250929');
    expect(best('google', 'gemini-2.5-flash', 'gemini-2.5-pro', 'gemini-3-flash')).toBe('gemini-3-flash');
    expect(best('openrouter', 'openrouter/auto', 'openrouter/free')).toBe('openrouter/free');
  });

  it('is any chat model where none of them is listed', () => {
    expect(best('openai', 'my-model')).toBe('my-model');
    expect(bestModel([{ id: 'embed', traits: { chat: false } }])).toBeNull();
  });
});
