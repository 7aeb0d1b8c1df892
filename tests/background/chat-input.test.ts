import { describe, expect, it } from 'vitest';
import {
  requireChange,
  requireChoice,
  requirePreset,
  requireTraits,
} from '../../entrypoints/background/chat/chat-input.ts';
import { requireHeaders } from '../../entrypoints/background/input.ts';
import type { ChatSettings, Traits } from '../../lib/types/model.ts';

const settings = (value: unknown) => requireChoice({ settings: value as ChatSettings });

describe('how a chat is asked', () => {
  it('may be anything a model takes, or left open', () => {
    const all = { system: 'Be brief.', temperature: 0, maxTokens: 1, reasoningEffort: 'none' };
    expect(settings(all)).toEqual({ settings: all });
    expect(requireChoice({ providerId: null, model: null, settings: {} })).toEqual({
      providerId: null,
      model: null,
      settings: {},
    });
  });

  it('keeps nothing else of what was sent', () => {
    expect(requireChoice({ model: 'm', id: 'x' } as object)).toEqual({ model: 'm' });
  });

  it.each([
    [{ temperature: 2.1 }, 'Temperature must be a number from 0 to 2.'],
    [{ temperature: Number.NaN }, 'Temperature'],
    [{ temperature: '1' }, 'Temperature'],
    [{ maxTokens: 0 }, 'Max tokens must be a whole number of at least 1.'],
    [{ maxTokens: 1.5 }, 'Max tokens'],
    [{ reasoningEffort: 'huge' }, 'Reasoning effort must be one of none, minimal, low, medium, high.'],
    [{ system: 5 }, 'malformed'],
    [{ constructor: 5 }, 'malformed'],
    [{ other: 1 }, 'malformed'],
    [null, 'malformed'],
    [[], 'malformed'],
  ])('is refused as %j', (value, message) => {
    expect(() => settings(value)).toThrow(message);
  });

  it('has tools on or off by their offered names, or by their server', () => {
    const tools = { mcp__1: false, mcp__1__echo: true };
    expect(requireChoice({ tools })).toEqual({ tools });
    for (const odd of [{ mcp__1: 'no' }, { 'a b': true }, { ['x'.repeat(65)]: true }, [true], null])
      expect(() => requireChoice({ tools: odd as never })).toThrow('The tool selection is malformed.');
  });

  it('changes in part, where a tool may be inherited again, which nothing that is kept says', () => {
    const tools = { mcp__1: null, mcp__1__echo: true };
    expect(requireChange({ tools })).toEqual({ tools });
    expect(() => requireChange({ tools: { mcp__1: 'no' } as never })).toThrow('malformed');
    expect(() => requireChoice({ tools: tools as never })).toThrow('malformed');
  });

  it.each([{ providerId: 'x' }, { providerId: -1 }, { model: '' }, { model: 5 }])(
    'is refused as %j',
    (value) => {
      expect(() => requireChoice(value as object)).toThrow('malformed');
    },
  );
});

describe('what the user says of a model', () => {
  it('may be every trait, each by itself', () => {
    const traits: Traits = {
      tools: false,
      vision: true,
      reasoning: true,
      contextWindow: 8192,
      maxOutput: 1,
      price: { input: 0.1, output: 0 },
    };
    expect(requireTraits(traits)).toEqual(traits);
    expect(requireTraits({ tools: undefined, vision: true })).toEqual({ vision: true });
  });

  it.each([
    [{ tools: 'yes' }, 'malformed'],
    [{ contextWindow: -1 }, 'Context window must be'],
    [{ maxOutput: 0.5 }, 'Maximum output must be'],
    [{ price: { input: 1 } }, 'Prices must be'],
    [{ price: { input: -1, output: 1 } }, 'Prices must be'],
    ['tools', 'malformed'],
  ])('is refused as %j', (value, message) => {
    expect(() => requireTraits(value)).toThrow(message);
  });
});

describe('a provider', () => {
  it('is of a kind that Portside knows', () => {
    expect(requirePreset('ollama')).toBe('ollama');
    expect(() => requirePreset('toString')).toThrow('isn’t supported');
  });
});

describe('headers', () => {
  it('are kept as they are, or stay absent', () => {
    expect(requireHeaders({ 'x-a': '1' })).toEqual({ 'x-a': '1' });
    expect(requireHeaders(undefined)).toBeUndefined();
  });

  it.each([{ 'x a': 'hush' }, { 'x-a': 'hush\nhush' }, { 'x-a': 5 }])(
    'are refused without their value: %j',
    (headers) => {
      expect(() => requireHeaders(headers)).toThrow(
        /^This header can’t be used: the header “x.a” has a name or a value that HTTP does not allow\.$/,
      );
      expect(() => requireHeaders(headers)).not.toThrow('hush');
    },
  );

  it.each(['Cookie', 'origin', 'User-Agent', 'Host', 'Content-Length', 'Connection', 'Sec-Fetch-Mode'])(
    'that a browser would drop in silence are refused in words: %s',
    (name) => {
      expect(() => requireHeaders({ [name]: 'hush' })).toThrow(
        `This header can’t be used: the header “${name}” is one that a browser sets itself or never sends.`,
      );
    },
  );
});
