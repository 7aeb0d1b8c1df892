import { describe, expect, it } from 'vitest';
import { learnedWords, quirkWords } from '../../components/options/models/model-detail.tsx';
import { matching, modelsOf } from '../../components/options/models/model-table.tsx';
import { clampNumber } from '../../components/options/form/setting-rows.tsx';
import { routeOf } from '../../components/options/route.ts';
import { stepsOf } from '../../components/options/models/model-test.tsx';
import { checkTraits, draftOf, foundOf } from '../../components/options/models/traits-input.ts';
import { sameAddress } from '../../components/options/models/local-servers.tsx';
import { DEMANDS } from '../../lib/models/refusals/refusal-patterns.ts';
import type { ModelSummary } from '../../lib/protocol/setup.ts';
import type { ModelTest, Traits } from '../../lib/types/model.ts';
import type { Provider } from '../../lib/types/provider.ts';
import { units } from '../../locales/units.ts';

const provider: Provider = {
  id: 1,
  name: 'A',
  preset: 'ollama',
  baseUrl: 'http://127.0.0.1:11434/v1',
  model: 'first',
  hasKey: false,
  headerNames: [],
};
const model = (id: string, more: Partial<ModelSummary> = {}): ModelSummary => ({
  providerId: 1,
  id,
  found: {},
  chosen: {},
  learned: {},
  traits: {},
  present: true,
  ...more,
});
const ids = (models: ModelSummary[]) => models.map(({ id }) => id);

describe('the table of models', () => {
  it('begins with the default, which is there even if the provider never listed it', () => {
    expect(ids(modelsOf(provider, [model('a'), model('first')]))).toEqual(['first', 'a']);
    expect(ids(modelsOf(provider, [model('a')]))).toEqual(['first', 'a']);
    expect(ids(modelsOf(provider, []))).toEqual(['first']);
  });

  it('keeps a model that is gone only if the user said something of it', () => {
    const gone = { present: false };
    const models = [
      model('x', gone),
      model('said', { ...gone, chosen: { tools: false } }),
      model('shown', { ...gone, shown: true }),
      model('other', { providerId: 2 }),
    ];
    expect(ids(modelsOf(provider, models))).toEqual(['first', 'said', 'shown']);
  });

  it('finds models by any words of their names', () => {
    const models = [model('qwen/qwen3-coder'), model('qwen/qwen3'), model('mistral/coder')];
    expect(ids(matching(models, ' CODER qwen '))).toEqual(['qwen/qwen3-coder']);
    expect(matching(models, '')).toHaveLength(3);
  });

  it('sorts by name as people count', () => {
    const models = ['m:100b', 'm:7b', 'm:10b'].map((id) => model(id));
    expect(ids(modelsOf(provider, models))).toEqual(['first', 'm:7b', 'm:10b', 'm:100b']);
  });

  it('tells how much a model is given of what it could read', () => {
    expect(units.window(4_096, 40_960)).toBe('4k of 40k');
    expect(units.window(40_960, 40_960)).toBe('40k');
    expect(units.window(200_000)).toBe('200k');
  });

  it('tells prices to the cent, and finer where they are finer', () => {
    expect([3, 15, 0.075, 1.4].map(units.price)).toEqual(['$3', '$15', '$0.075', '$1.40']);
  });
});

describe('what the user says of a model', () => {
  const traits: Traits = {
    tools: false,
    vision: true,
    contextWindow: 32_768,
    price: { input: 0, output: 1.5, cached: 0.1 },
  };

  const tokens = 'Enter a whole number of tokens, from 1 to 1,000,000,000';
  const dollars = 'Enter a number of dollars, from 0 to 1,000,000';

  it('comes back from the form as it went in', () => {
    expect(checkTraits(draftOf(traits))).toEqual({ chosen: traits });
    expect(checkTraits(draftOf({}))).toEqual({ chosen: {} });
  });

  it.each([
    [{ contextWindow: '0' }, { contextWindow: tokens }],
    [{ contextWindow: '99999999999999999999' }, { contextWindow: tokens }],
    [{ maxOutput: '1.5' }, { maxOutput: tokens }],
    [{ input: '-1', output: '2' }, { input: dollars }],
    [{ input: '1', output: '1e7' }, { output: dollars }],
    [{ input: '1', output: 'x' }, { output: dollars }],
    [{ input: '1' }, { output: 'Enter both prices, in and out' }],
    [{ cached: '1' }, { input: 'Enter both prices, in and out' }],
  ])('given %j says %j', (typed, faults) => {
    expect(checkTraits({ ...draftOf({}), ...typed })).toEqual({ faults });
  });

  it('stands beside what was found, or learnt, which the form names', () => {
    const row = model('a', {
      found: { tools: true, vision: false, contextWindow: 4096 },
      chosen: { tools: false },
      traits: { tools: false, vision: false, contextWindow: 2048 },
    });
    expect(foundOf(row)).toEqual({ tools: true, vision: false, contextWindow: 2048 });
  });
});

describe('a test of a model', () => {
  const test: ModelTest = {
    totalMs: 812,
    streams: true,
    calledTool: true,
    reasoned: true,
    traits: { contextWindow: 128_000 },
  };
  const words = (more: Partial<ModelTest>) => stepsOf({ ...test, ...more }).map((step) => step.words);

  it('says in words what works', () => {
    expect(words({})).toEqual([
      'Answered in 0.8 s',
      'Streams text',
      'Called the test tool',
      'Shows its reasoning',
      'Reads 128k tokens',
    ]);
  });

  it('and what does not, without a word of what is not known', () => {
    const poor = { ...test, streams: false, calledTool: false, reasoned: false, traits: {} };
    expect(words(poor)).toEqual([
      'Answered in 0.8 s',
      'Sends its answer in one piece',
      'Did not call the test tool',
      'Shows no reasoning',
    ]);
    expect(stepsOf(poor).map(({ works }) => works)).toEqual([true, false, false, null]);
  });

  it('says nothing of abilities when there was no answer', () => {
    const error = { code: 'model_unreachable', message: 'Nothing answers.', retryable: true };
    expect(words({ error })).toEqual([]);
  });
});

describe('what refusals taught', () => {
  it('is said in words', () => {
    const learned = {
      traits: { tools: false, vision: false, contextWindow: 8_192 },
      dropped: ['temperature', 'reasoning_effort=none'],
      renamed: { max_tokens: 'max_completion_tokens' },
      quirks: { noReasoning: true, allReasoning: false },
    };
    expect(learnedWords(learned)).toEqual([
      'tools are not sent',
      'images are not sent',
      'reads 8k tokens',
      'temperature is not sent',
      'reasoning_effort is not sent as none',
      'max_tokens is sent as max_completion_tokens',
      'its reasoning is not sent back',
    ]);
  });

  it('is nothing where a test showed that the model can after all', () => {
    expect(learnedWords({ traits: { tools: true }, dropped: [] })).toEqual([]);
  });

  it.each(DEMANDS.flatMap(({ quirks }) => Object.keys(quirks)))('has words for %s', (name) => {
    expect(quirkWords(name)).not.toBe(name);
  });
});

describe('model servers on this computer', () => {
  it('are recognised whichever way this computer is called', () => {
    expect(sameAddress('http://localhost:11434/v1/', provider.baseUrl)).toBe(true);
    expect(sameAddress('http://[::1]:11434/v1', provider.baseUrl)).toBe(true);
    expect(sameAddress('http://127.0.0.1:1234/v1', provider.baseUrl)).toBe(false);
    expect(sameAddress('http://localhost.example:11434/v1', provider.baseUrl)).toBe(false);
  });
});

describe('settings that are numbers', () => {
  it('go to the nearest allowed one, and stay where nothing was typed', () => {
    expect(['0', '7.4', '2000', '', 'x'].map((typed) => clampNumber(typed, 1, 1000))).toEqual([
      1,
      7,
      1000,
      null,
      null,
    ]);
  });
});

describe('the address of an assistant', () => {
  it('names its form', () => expect(routeOf('#assistants/3')).toEqual({ page: 'assistants', item: 3 }));
});
