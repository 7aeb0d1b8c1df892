import { describe, expect, it } from 'vitest';
import { effectiveTraits, withoutSaid } from '../../lib/models/discovery/traits.ts';

const row = { found: {}, chosen: {}, learned: {} };

describe('what holds for a model', () => {
  it('is what the user says, else what was learnt, else what was found, else the table', () => {
    const said = {
      found: { contextWindow: 2, maxOutput: 2, vision: false },
      learned: { traits: { contextWindow: 3, tools: false } },
      chosen: { tools: true },
    };
    expect(effectiveTraits(said, 'openai', 'gpt-4o')).toEqual({
      tools: true,
      vision: false,
      contextWindow: 3,
      maxOutput: 2,
    });
    expect(effectiveTraits(row, 'openai', 'gpt-4o')).toMatchObject({ vision: true, contextWindow: 128_000 });
  });

  it('always has tools and a context window: little where servers cut off in silence', () => {
    expect(effectiveTraits(row, 'ollama', 'm')).toEqual({ tools: true, contextWindow: 4_096 });
    expect(effectiveTraits(row, 'groq', 'm')).toEqual({ tools: true, contextWindow: 128_000 });
  });
});

describe('what refusals taught', () => {
  const learned = { dropped: ['n'], traits: { tools: false, vision: false, contextWindow: 8_192 } };

  it('counts less than what the user says of the same', () => {
    expect(withoutSaid(learned, { tools: true, contextWindow: 100 })).toEqual({
      dropped: ['n'],
      traits: { vision: false },
    });
  });

  it('stays where the user says nothing', () => {
    expect(withoutSaid(learned, {})).toEqual(learned);
    expect(withoutSaid({ dropped: ['n'] }, { tools: true })).toEqual({ dropped: ['n'] });
  });
});
