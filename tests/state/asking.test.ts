import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { draftOf, readSettings } from '../../lib/state/settings/chat-settings.ts';
import { jsonFault } from '../../lib/state/chat/json-fault.ts';
import { createLater } from '../../lib/state/later.ts';
import { tierOf } from '../../lib/types/tools/tier.ts';
import { contextUsed, usageOf } from '../../lib/state/chat/usage.ts';
import { assistant, user } from './fake-worker.ts';

describe('chat settings', () => {
  const none = draftOf({});

  it('come back from their fields as they were', () => {
    const settings = { system: 'Be brief', temperature: 0, maxTokens: 512, reasoningEffort: 'low' as const };
    expect(readSettings(draftOf(settings))).toEqual({ settings, faults: {} });
  });

  it('leave to the model what is left empty', () => {
    expect(readSettings({ ...none, system: '  ', temperature: ' ' })).toEqual({ settings: {}, faults: {} });
  });

  it('take a comma for the point', () => {
    expect(readSettings({ ...none, temperature: '0,7' }).settings).toEqual({ temperature: 0.7 });
  });

  it.each(['2.1', '-1', 'warm', '1e'])(
    'do not take %s as a temperature, and keep the rest',
    (temperature) => {
      const { settings, faults } = readSettings({ ...none, temperature, system: 'Be brief' });
      expect(settings).toEqual({ system: 'Be brief' });
      expect(faults).toEqual({ temperature: 'Enter a number from 0 to 2' });
    },
  );

  it.each(['0', '1.5', 'all'])('do not take %s as max tokens', (maxTokens) => {
    expect(readSettings({ ...none, maxTokens })).toEqual({
      settings: {},
      faults: { maxTokens: 'Enter a whole number, 1 or more' },
    });
  });

  it('keep what a field said before it was mistyped, and lose only what is emptied', () => {
    const kept = { temperature: 0.7, maxTokens: 512, system: 'Be brief' };
    const draft = draftOf(kept);
    expect(readSettings({ ...draft, temperature: '0.7x', maxTokens: '0' }, kept).settings).toEqual(kept);
    expect(readSettings({ ...draft, temperature: '', system: '' }, kept).settings).toEqual({
      maxTokens: 512,
    });
  });
});

describe('edited arguments', () => {
  it('must be a JSON object; nothing at all is an empty one', () => {
    expect(jsonFault('{"a": 1}')).toBeNull();
    expect(jsonFault(' ')).toBeNull();
    expect(jsonFault('{"a": ')).toMatch(/^This isn’t valid JSON: /);
    expect(['[1]', '3', 'null'].map(jsonFault)).toEqual(
      Array(3).fill('Arguments must be a JSON object, in braces.'),
    );
  });
});

describe('a tool’s tier', () => {
  it.each([
    [{}, 'writes'],
    [{ readOnlyHint: true, openWorldHint: false }, 'reads'],
    [{ readOnlyHint: true }, 'sends'],
    [{ readOnlyHint: true, openWorldHint: true }, 'sends'],
    [{ readOnlyHint: true, openWorldHint: false, destructiveHint: true }, 'destructive'],
    [{ destructiveHint: true, openWorldHint: true }, 'destructive'],
    [{ destructiveHint: false, openWorldHint: true }, 'sends'],
  ])('of %j is %s', (hints, tier) => expect(tierOf(hints)).toBe(tier));
});

describe('usage', () => {
  const step = (seq: number, inputTokens: number, outputTokens: number, more: object = {}) =>
    assistant(seq, { usage: { inputTokens, outputTokens }, ...more });

  it('of an answer is that of all its steps', () => {
    const steps = [
      step(2, 1000, 20, { cost: 0.01, timing: { firstTokenMs: 800 }, model: 'm' }),
      assistant(3, { usage: { inputTokens: 1100, outputTokens: 30, cachedTokens: 1000 }, model: 'm' }),
    ];
    expect(usageOf(steps)).toEqual({
      inputTokens: 2100,
      outputTokens: 50,
      cachedTokens: 1000,
      cost: 0.01,
      firstTokenMs: 800,
      model: 'm',
    });
  });

  it('counts the first token of the first step that has said anything', () => {
    const steps = [
      assistant(2, { content: '' }),
      step(3, 10, 1, { timing: { firstTokenMs: 700 } }),
      step(4, 10, 1),
    ];
    expect(usageOf(steps)?.firstTokenMs).toBe(700);
  });

  it('is not invented where the provider told nothing', () => {
    expect(usageOf([assistant(2)])).toBeNull();
    expect(contextUsed([user(1), assistant(2)])).toBeNull();
  });

  it('of the context is that of the last answer that told', () => {
    expect(contextUsed([user(1), step(2, 100, 10), step(3, 200, 20), user(4), assistant(5)])).toBe(220);
  });
});

describe('what is saved later', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is saved once, as it was last, and at once when asked', () => {
    const saved: string[] = [];
    const later = createLater((text: string) => saved.push(text));
    later.put('a');
    later.put('ab');
    vi.runAllTimers();
    expect(saved).toEqual(['ab']);
    later.put('abc');
    later.flush();
    later.flush();
    vi.runAllTimers();
    expect(saved).toEqual(['ab', 'abc']);
  });

  it('is forgotten when it is dropped', () => {
    const saved: string[] = [];
    const later = createLater((text: string) => saved.push(text));
    later.put('a');
    later.drop();
    vi.runAllTimers();
    expect(saved).toEqual([]);
  });
});
