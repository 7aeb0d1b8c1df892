import { describe, expect, it } from 'vitest';
import type { ModelSummary, Setup } from '../../lib/protocol/setup.ts';
import {
  assistantOf,
  bestModel,
  choiceFor,
  filterGroups,
  isUnseen,
  modelGroups,
  modelLabel,
  providerRemoved,
} from '../../lib/state/composer/choice.ts';
import type { Traits } from '../../lib/types/model.ts';
import type { Provider } from '../../lib/types/provider.ts';
import { conversation, setup } from './fake-worker.ts';

const provider = (id: number, name: string, model: string): Provider => ({
  id,
  name,
  model,
  preset: 'custom',
  baseUrl: 'https://example.com/v1',
  hasKey: false,
  headerNames: [],
});
const row = (providerId: number, id: string, more: Partial<ModelSummary> = {}): ModelSummary => ({
  providerId,
  id,
  found: {},
  chosen: {},
  learned: {},
  traits: {},
  present: true,
  ...more,
});
const known: Setup = {
  ...setup,
  providers: [provider(1, 'A', 'a'), provider(2, 'B', 'b')],
  models: [row(1, 'a', { traits: { contextWindow: 8192 } }), row(1, 'a-large'), row(2, 'b')],
  newChat: { providerId: 1, model: null, settings: { temperature: 1 } },
};
const ids = (of: Setup): string[][] => modelGroups(of).map(({ models }) => models.map(({ id }) => id));

describe('a chat’s model', () => {
  it('is its own choice', () => {
    const chat = { ...conversation, providerId: 2, model: 'b-large', settings: { system: 'Be brief' } };
    expect(choiceFor(known, chat)).toMatchObject({
      provider: { id: 2 },
      model: 'b-large',
      traits: {},
      settings: { system: 'Be brief' },
    });
  });

  it('is the provider’s own first choice when it names none', () => {
    expect(choiceFor(known, { ...conversation, providerId: 2 })?.model).toBe('b');
  });

  it('is that of new chats before it has begun', () => {
    expect(choiceFor(known, null)).toMatchObject({ model: 'a', traits: { contextWindow: 8192 } });
  });

  it('is that of new chats when it never named a provider', () => {
    const large = { ...known, newChat: { ...known.newChat, model: 'a-large' } };
    const chat = { ...conversation, settings: { system: 'Be brief' } };
    expect(choiceFor(large, chat)).toMatchObject({
      provider: { id: 1 },
      model: 'a',
      settings: { system: 'Be brief' },
    });
  });

  it('is none when its provider was removed: no other one reads what was told to that one', () => {
    const chat = { ...conversation, providerId: 9, model: 'gone' };
    expect(choiceFor(known, chat)).toBeNull();
    expect(providerRemoved(known, chat)).toBe(true);
    expect(providerRemoved(known, { ...chat, providerId: 2 })).toBe(false);
    expect(providerRemoved(known, conversation)).toBe(false);
    expect(providerRemoved(known, null)).toBe(false);
    expect(providerRemoved(null, chat)).toBe(false);
  });

  it('is none before one is chosen', () => {
    expect(choiceFor(setup, null)).toBeNull();
    expect(choiceFor(null, null)).toBeNull();
  });
});

describe('the model picker', () => {
  it('lists every provider’s models, its own first choice first', () => {
    expect(ids({ ...known, models: known.models.toReversed() })).toEqual([['a', 'a-large'], ['b']]);
  });

  it('lists a provider’s first choice though the provider does not list it', () => {
    expect(ids({ ...known, models: [row(1, 'other')] })).toEqual([['a', 'other'], ['b']]);
  });

  it('tells what a provider’s first choice can do, though the provider does not list it', () => {
    const models = [row(1, 'a', { present: false, traits: { tools: true } }), row(1, 'other')];
    expect(modelGroups({ ...known, models })[0]?.models).toEqual([
      { id: 'a', traits: { tools: true } },
      { id: 'other', traits: {} },
    ]);
  });

  it('lists only the first choice of a provider with many, and what was switched on', () => {
    const many = Array.from({ length: 13 }, (_, index) => row(2, `m${index}`));
    expect(ids({ ...known, models: many })[1]).toEqual(['b']);
    many[3] = row(2, 'm3', { shown: true });
    expect(ids({ ...known, models: many })[1]).toEqual(['b', 'm3']);
    expect(ids({ ...known, models: many.slice(0, 12) })[1]).toHaveLength(13);
  });

  it('lists what answers no chat only once it was switched on', () => {
    const silent = row(1, 'embed', { traits: { chat: false } });
    expect(ids({ ...known, models: [row(1, 'x'), silent] })[0]).toEqual(['a', 'x']);
    expect(ids({ ...known, models: [row(1, 'x'), { ...silent, shown: true }] })[0]).toEqual([
      'a',
      'x',
      'embed',
    ]);
  });

  it('lists under All models whatever the providers have: what is many, is switched off, or answers no chat', () => {
    const many = Array.from({ length: 13 }, (_, index) => row(2, `m${index}`));
    const models = [
      row(1, 'a', { shown: false }),
      row(1, 'dall-e-3', { traits: { chat: false } }),
      row(1, 'gone', { present: false }),
      ...many,
    ];
    const [first, second] = modelGroups({ ...known, models }, true);
    expect(first?.models.map(({ id }) => id)).toEqual(['a', 'dall-e-3']);
    expect(second?.models.map(({ id }) => id)).toEqual(['b', ...many.map(({ id }) => id)]);
  });

  it('lists nothing that was switched off or is gone', () => {
    const models = [row(1, 'a', { shown: false }), row(1, 'x', { present: false }), row(1, 'y')];
    expect(ids({ ...known, models })[0]).toEqual(['y']);
  });

  it('is filtered by the model’s name or the provider’s', () => {
    const found = (query: string): string[] =>
      filterGroups(modelGroups(known), query).flatMap(({ models }) => models.map(({ id }) => id));
    expect(found(' LARGE')).toEqual(['a-large']);
    expect(found('b')).toEqual(['b']);
    expect(found('nothing')).toEqual([]);
  });

  it('calls a model by its id, and the demo model by the name that says what it is', () => {
    expect(modelLabel(provider(1, 'Ollama', 'x'), 'qwen3:14b')).toBe('qwen3:14b');
    expect(modelLabel(provider(1, 'Demo model', 'x'), 'portside-demo')).toBe('Demo model');
  });
});

describe('the model to begin with', () => {
  const found = (id: string, traits: Traits) => ({ id, traits });

  it('can use tools before it reads much', () => {
    const models = [
      found('reads', { contextWindow: 131_072 }),
      found('small', { tools: true, contextWindow: 8192 }),
      found('large', { tools: true, contextWindow: 32_768 }),
    ];
    expect(bestModel(models)?.id).toBe('large');
    expect(bestModel(models.slice(0, 1))?.id).toBe('reads');
    expect(
      bestModel([{ id: 'embed', traits: { tools: true, chat: false } }, ...models.slice(0, 1)])?.id,
    ).toBe('reads');
    expect(bestModel([])).toBeNull();
  });
});

describe('an assistant', () => {
  const careful = { id: 1, name: 'Careful', providerId: 1, model: 'a' };

  it('is the one that asks exactly as the chat does', () => {
    const settings = { system: 'Slowly', temperature: 0 };
    const chat = {
      ...conversation,
      providerId: 1,
      model: null,
      settings: { temperature: 0, system: 'Slowly' },
    };
    const choice = choiceFor(known, chat);
    if (!choice) throw new Error('there is a choice');
    expect(assistantOf({ ...known, assistants: [{ ...careful, settings }] }, choice)?.name).toBe('Careful');
    expect(assistantOf({ ...known, assistants: [{ ...careful, settings: {} }] }, choice)).toBeNull();
  });
});

describe('a picture', () => {
  const attachment = {
    id: 'd1',
    title: 'pic',
    source: { type: 'prompt', serverId: 1, serverName: 'A', name: 'p' },
    tokens: 9,
  } as const;
  it.each<[Traits, string, boolean]>([
    [{ vision: true, contextWindow: 8192 }, 'image/png', false],
    [{ vision: false, contextWindow: 8192 }, 'image/png', true],
    [{ contextWindow: 8192 }, 'image/png', true],
    [{}, 'image/png', false],
    [{ vision: false }, 'text/plain', false],
  ])('is unseen by a model of %j as %s: %j', (traits, mimeType, unseen) => {
    expect(isUnseen({ ...attachment, mimeType }, traits)).toBe(unseen);
  });
});
