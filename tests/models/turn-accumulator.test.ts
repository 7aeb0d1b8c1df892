import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createTurnAccumulator } from '../../lib/models/reply/turn-accumulator.ts';
import type { Usage } from '../../lib/types/message.ts';
import type { ModelTurn } from '../../lib/types/model.ts';
import { echo } from './request.ts';

function turnOf(...chunks: unknown[]): ModelTurn {
  let made = 0;
  const turn = createTurnAccumulator(
    () => `new${++made}`,
    [echo],
    () => '',
  );
  for (const chunk of chunks) turn.push(chunk);
  turn.end(true);
  return turn.turn();
}

const delta = (value: object) => ({ choices: [{ delta: value }] });

describe('a turn', () => {
  it.each([
    [
      'encrypted thoughts',
      { reasoning_details: [{ type: 'reasoning.encrypted', data: 'x'.repeat(1_000_000) }] },
    ],
    ['what a call brings besides', { tool_calls: [{ index: 0, function: { name: 'x'.repeat(1_000_000) } }] }],
  ])('is full of %s too', (_what, value) => {
    const turn = createTurnAccumulator(() => 'new', []);
    for (let times = 0; times < 16; times += 1) turn.push(delta(value));
    expect(turn.isFull()).toBe(false);
    turn.push(delta(value));
    expect(turn.isFull()).toBe(true);
  });

  it('has its request written down once, however many calls leaked into the answer', () => {
    const sent = vi.fn(() => '');
    const turn = createTurnAccumulator(() => crypto.randomUUID(), [echo], sent);
    const call = JSON.stringify({ name: echo.name, arguments: { message: 'hi' } });
    turn.push(delta({ content: `<tool_call>${call}</tool_call>`.repeat(3) }));
    turn.push({ choices: [{ delta: {}, finish_reason: 'stop' }] });
    turn.end(true);
    expect(turn.turn().toolCalls).toHaveLength(3);
    expect(sent).toHaveBeenCalledTimes(1);
  });

  it.each([
    [
      'annotations',
      delta({ annotations: [{ type: 'url_citation', url_citation: { url: 'https://tea.example/a' } }] }),
    ],
    [
      'the annotations of a whole message',
      { choices: [{ message: { content: 'Tea.', annotations: [{ url: 'https://tea.example/' }] } }] },
    ],
    [
      'citations',
      { citations: ['https://tea.example/a', 'https://tea.example/b'], choices: [{ delta: {} }] },
    ],
    [
      'search results without a choice',
      { search_results: [{ title: 'Tea', url: 'https://tea.example/' }], choices: [] },
    ],
    [
      'tools of the provider',
      delta({ executed_tools: [{ search_results: { results: [{ url: 'https://tea.example/' }] } }] }),
    ],
  ])('tells whose pages its provider searched, by %s', (_what, chunk) => {
    expect(turnOf(delta({ content: 'See https://milk.example.' }), chunk).cited).toEqual(['tea.example']);
  });

  it('that cites nothing has nothing cited, and one that floods little', () => {
    expect(turnOf(delta({ content: 'https://milk.example', annotations: [] }))).not.toHaveProperty('cited');
    const many = Array.from({ length: 1000 }, (_each, at) => `https://${at}${'a'.repeat(300)}.example/`);
    expect(JSON.stringify(turnOf({ citations: many, choices: [] }).cited).length).toBeLessThan(6000);
  });

  it('is not whole when its end came under another choice, whatever the stream says at its end', () => {
    const turn = createTurnAccumulator(() => 'new', []);
    turn.push({ choices: [{ index: 0, delta: { content: 'It ' } }] });
    turn.push({ choices: [{ index: 1, delta: { content: 'is so.' }, finish_reason: 'stop' }] });
    turn.push('[DONE]');
    expect(turn.finished()).toBe(false);
  });

  it.each<[object, Usage]>([
    [
      { prompt_tokens: 9, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } },
      { inputTokens: 9, outputTokens: 2, cachedTokens: 4 },
    ],
    [
      { prompt_tokens: 9, completion_tokens: 2, prompt_cache_hit_tokens: 4, prompt_cache_miss_tokens: 5 },
      { inputTokens: 9, outputTokens: 2, cachedTokens: 4 },
    ],
    [
      { prompt_tokens: 9, completion_tokens: 2, cached_tokens: 0 },
      { inputTokens: 9, outputTokens: 2, cachedTokens: 0 },
    ],
    [
      { input_tokens: 3, output_tokens: 2, cache_read_input_tokens: 4, cache_creation_input_tokens: 2 },
      { inputTokens: 9, outputTokens: 2, cachedTokens: 4 },
    ],
    [
      { prompt_tokens: 9, completion_tokens: 2 },
      { inputTokens: 9, outputTokens: 2 },
    ],
  ])('counts tokens as told: %j', (told, usage) => {
    expect(turnOf({ choices: [], usage: told }).usage).toEqual(usage);
    expect(turnOf({ choices: [{ usage: told }] }).usage).toEqual(usage);
    expect(turnOf({ choices: [], x_groq: { usage: told } }).usage).toEqual(usage);
  });

  it.each([
    [null],
    ['9'],
    [{ prompt_tokens: '9', completion_tokens: 2 }],
    [{ prompt_tokens: -1, completion_tokens: 2 }],
    // Together they would be more than a number can be, which no export can say.
    [{ input_tokens: 1e308, output_tokens: 2, cache_read_input_tokens: 1e308 }],
  ])('counts no tokens from %j', (usage) =>
    expect(turnOf({ choices: [], usage })).not.toHaveProperty('usage'),
  );

  it('goes by the last count', () => {
    const usage = (completion_tokens: number) => ({ usage: { prompt_tokens: 9, completion_tokens } });
    expect(turnOf(usage(1), usage(7), { usage: null }).usage).toEqual({ inputTokens: 9, outputTokens: 7 });
  });

  it('does not take a whole message after its deltas for more of it', () => {
    const repeated = { choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }] };
    expect(turnOf(delta({ content: 'Hel' }), delta({ content: 'lo' }), repeated).content).toBe('Hello');
  });

  it('shows a thought of the text that also came in a field once', () => {
    const turn = turnOf(delta({ reasoning: 'Hm.' }), delta({ content: '<think>Hm.</think>42' }));
    expect(turn).toMatchObject({ reasoning: 'Hm.', content: '42', raw: { reasoning: 'Hm.' } });
  });

  it.each([
    ['Hm,\nso.\n</think>\n\n42', 'Hm,\nso.\n', '42'],
    ['Hm.</think>', 'Hm.', ''],
    ['Hm.</thinking> \n42', 'Hm.', '42'],
  ])('takes what is before a lone closing tag for a thought: %j', (content, reasoning, answer) => {
    expect(turnOf(delta({ content }))).toMatchObject({ reasoning, content: answer });
  });

  it.each([
    'Write </think> to end it.',
    'So `<br>`:\n</think>\nends it',
    'First <think>, then\n</think>\n',
    '</think>\n42',
  ])('leaves a tag that is only mentioned in the text: %j', (content) => {
    expect(turnOf(delta({ content }))).toMatchObject({ content });
    expect(turnOf(delta({ content }))).not.toHaveProperty('reasoning');
  });

  it('keeps no field to echo for a thought of the text', () => {
    expect(turnOf(delta({ content: '<think>Hm.</think>42' }))).not.toHaveProperty('raw');
  });

  it('reads the thinking parts of a list (Mistral)', () => {
    const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] };
    const turn = turnOf(delta({ content: [thinking] }), delta({ content: [{ type: 'text', text: '42' }] }));
    expect(turn).toMatchObject({ reasoning: 'Hm.', content: '42' });
  });

  it('keeps encrypted reasoning to echo, though nothing of it can be shown', () => {
    const reasoning_details = [{ type: 'reasoning.encrypted', data: 'X', index: 0 }];
    const turn = turnOf(delta({ reasoning_details }), delta({ reasoning_details }));
    expect(turn.raw).toEqual({ reasoning_details: [...reasoning_details, ...reasoning_details] });
    expect(turn).not.toHaveProperty('reasoning');
  });

  it('does not make a leaked call beside real ones, nor from a cut-off answer', () => {
    const leaked = '<tool_call>{"name":"mcp__1__echo","arguments":{"message":"hi"}}</tool_call>';
    const real = { tool_calls: [{ index: 0, id: 'c', function: { name: echo.name, arguments: '{}' } }] };
    const beside = turnOf(delta({ content: leaked }), delta(real));
    expect(beside).toMatchObject({ content: leaked, toolCalls: [{ id: 'c' }] });
    const cut = turnOf(delta({ content: leaked }), { choices: [{ delta: {}, finish_reason: 'length' }] });
    expect(cut).toMatchObject({ content: leaked, toolCalls: [] });
  });

  it('is made of whatever JSON comes, and never throws', () => {
    const anything = fc.jsonValue({ maxDepth: 3 });
    const some = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> =>
      fc.oneof(anything, fc.record(fields, { requiredKeys: [] }));
    const several = (one: fc.Arbitrary<unknown>) => fc.oneof(anything, fc.array(one, { maxLength: 3 }));
    const called = some({ name: anything, arguments: anything });
    const calls = several(some({ index: anything, id: anything, function: called, __proto__: anything }));
    const details = several(some({ type: anything, index: anything, text: anything, summary: anything }));
    const parts = several(some({ text: anything, thinking: several(some({ text: anything })) }));
    const said = some({ content: parts, reasoning: anything, reasoning_details: details, tool_calls: calls });
    const choice = some({
      delta: said,
      message: said,
      finish_reason: anything,
      error: anything,
      usage: anything,
    });
    const chunks = fc.array(some({ choices: several(choice), usage: anything, x_groq: anything }));
    fc.assert(
      fc.property(chunks, (list) => {
        const turn = turnOf(...list);
        expect(typeof turn.content).toBe('string');
        for (const one of turn.toolCalls) expect([one.id, one.name, one.arguments].every(isText)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

const isText = (value: unknown) => typeof value === 'string';
