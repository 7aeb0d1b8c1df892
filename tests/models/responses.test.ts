import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStreamModel, type StreamModelOptions } from '../../lib/models/stream-model.ts';
import type { AssistantMessage, Message } from '../../lib/types/message.ts';
import type { Learned, ModelTurn, PresetId, StreamModel } from '../../lib/types/model.ts';
import {
  answer,
  call,
  delta,
  type ModelServer,
  raw,
  startModelServer,
  stream,
  text,
} from '../fakes/model-server.ts';
import { assistant, collect, echo, errorOf, plain, result, turnOf, user } from './request.ts';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

const model = (options: Partial<StreamModelOptions> = {}): StreamModel =>
  createStreamModel({ ...plain, api: 'responses', baseUrl: server.url, ...options });

async function ask(asked: StreamModel, messages: Message[]): Promise<ModelTurn> {
  const events = [];
  const request = { system: 'Be kind.', messages, tools: [echo] };
  for await (const event of asked(request, new AbortController().signal)) events.push(event);
  return turnOf(events);
}

type Item = Record<string, unknown> & { type: string };
const inputOf = (index: number): Item[] => server.requests[index]?.sent.input as Item[];
const typesOf = (index: number): string =>
  inputOf(index)
    .map(({ type }) => type)
    .join(' ');

/** The message that a turn becomes. */
const kept = (
  { content, toolCalls, raw: fields }: ModelTurn,
  parts: Partial<AssistantMessage> = {},
): Message => ({
  ...assistant(content, toolCalls),
  ...(fields && { raw: fields }),
  model: 'm',
  ...parts,
});

const event = (type: string, fields: object) =>
  raw(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
const done = (index: number, item: object) =>
  event('response.output_item.done', { output_index: index, item });
const completed = (response: object = {}) =>
  event('response.completed', {
    response: { object: 'response', status: 'completed', output: [], ...response },
  });
const streamed = (...parts: ReturnType<typeof event>[]) => ({ type: 'stream' as const, parts });

const thinks = stream(
  delta({ reasoning_content: 'I echo.' }),
  call({ id: 'c1', name: echo.name, arguments: '{"message":"hi"}' }),
);

describe('a request for a response', () => {
  it('has the server keep nothing, and offers no tools but ours', async () => {
    server.script(stream(text('ok')));
    await ask(model({ settings: { temperature: 0.5, maxTokens: 500, reasoningEffort: 'low' } }), [
      user('Hello'),
    ]);
    expect(server.requests[0]?.sent).toEqual({
      model: 'm',
      stream: true,
      store: false,
      include: ['reasoning.encrypted_content'],
      instructions: 'Be kind.',
      input: [{ type: 'message', role: 'user', content: 'Hello' }],
      tools: [
        {
          type: 'function',
          name: echo.name,
          description: echo.description,
          parameters: echo.inputSchema,
          strict: false,
        },
      ],
      temperature: 0.5,
      max_output_tokens: 500,
      reasoning: { effort: 'low' },
    });
  });

  it('shows pictures to a model that sees', async () => {
    server.script(stream(text('ok')));
    const shown = { ...user('Look'), pictures: [{ data: 'AAAA', mimeType: 'image/png' }] };
    await ask(model({ traits: { vision: true } }), [shown]);
    expect(inputOf(0)[0]?.content).toEqual([
      { type: 'input_text', text: 'Look' },
      { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
    ]);
  });

  it.each<[PresetId, string, string | undefined]>([
    ['openai', 'gpt-5.1', 'auto'],
    ['custom', 'openai/o3', 'auto'],
    ['openai', 'gpt-5-chat-latest', undefined],
    ['openai', 'gpt-4.1', undefined],
  ])('asks %s’s %s for a summary of its thoughts: %s', async (preset, name, summary) => {
    server.script(stream(text('ok')));
    await ask(model({ preset, model: name }), [user('Hello')]);
    expect(server.requests[0]?.sent.reasoning).toEqual(summary && { summary });
  });

  it('names a call’s own id to OpenRouter', async () => {
    server.script(stream(text('ok')));
    const called = assistant('', [{ id: 'c1', name: echo.name, arguments: '{}' }]);
    await ask(model({ preset: 'openrouter' }), [user('Go'), called, result('c1', 'hi')]);
    expect(inputOf(0)[1]).toMatchObject({ type: 'function_call', call_id: 'c1', id: 'fc_c1' });
  });
});

describe('what the model thought', () => {
  const thought = {
    type: 'reasoning',
    id: 'rs_0',
    summary: [],
    content: [{ type: 'reasoning_text', text: 'I echo.' }],
    encrypted_content: 'encrypted(I echo.)',
  };

  it('is shown, and goes back before the call that it led to, encrypted', async () => {
    server.script(thinks, stream(text('ok')));
    const asked = model();
    const turn = await ask(asked, [user('Go')]);
    expect(turn.reasoning).toBe('I echo.');
    await ask(asked, [user('Go'), kept(turn), result('c1', 'hi')]);
    expect(inputOf(1).slice(1)).toEqual([
      thought,
      { type: 'function_call', call_id: 'c1', name: echo.name, arguments: '{"message":"hi"}' },
      { type: 'function_call_output', call_id: 'c1', output: 'hi' },
    ]);
  });

  it.each<[string, Partial<AssistantMessage>, Partial<StreamModelOptions>]>([
    ['another model', { model: 'other' }, {}],
    ['another server', {}, { baseUrl: '' }],
    ['chat completions', {}, { api: 'chat' }],
  ])('does not go to %s, whose history is whole all the same', async (_, written, asked) => {
    server.script(thinks);
    const turn = await ask(model(), [user('Go')]);
    const other = await startModelServer();
    other.script(stream(text('ok')));
    const to = asked.baseUrl === '' ? other : server;
    server.script(stream(text('ok')));
    await ask(model({ ...asked, baseUrl: to.url }), [user('Go'), kept(turn, written), result('c1', 'hi')]);
    const { sent, body } = to.requests.at(-1) ?? {};
    expect(JSON.stringify(sent)).not.toMatch(/encrypted\(|rs_0|I echo/);
    expect(body?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool']);
    await other.close();
  });

  it('does not go with the next question, but to OpenAI', async () => {
    server.script(thinks, stream(text('ok')), stream(text('ok')));
    const turn = await ask(model(), [user('Go')]);
    const history = [user('Go'), kept(turn), result('c1', 'hi'), assistant('Done.'), user('Next')];
    await ask(model(), history);
    await ask(model({ preset: 'openai' }), history);
    expect([typesOf(1), typesOf(2)].map((types) => types.includes('reasoning'))).toEqual([false, true]);
  });

  it('goes back as it is to vLLM, which encrypts nothing', async () => {
    server.script(thinks, stream(text('ok')));
    const asked = model({ preset: 'vllm' });
    const turn = await ask(asked, [user('Go')]);
    await ask(asked, [user('Go'), kept(turn), result('c1', 'hi')]);
    const { encrypted_content: _, ...rest } = thought;
    expect(inputOf(1)[1]).toEqual(rest);
    expect(server.requests[0]?.sent).not.toHaveProperty('include');
  });

  it('is left out from then on where the server can’t decrypt it, and nothing else', async () => {
    const refused = answer(400, {
      error: { message: 'The encrypted content could not be verified.', code: 'invalid_encrypted_content' },
    });
    server.script(thinks, refused, stream(text('ok')), stream(text('ok')));
    const learnt: Learned[] = [];
    const asked = model({ learn: (learned) => void learnt.push(learned) });
    const history = [user('Go'), kept(await ask(asked, [user('Go')])), result('c1', 'hi')];
    expect((await ask(asked, history)).content).toBe('ok');
    await ask(asked, history);
    expect([1, 2, 3].map((index) => typesOf(index).includes('reasoning'))).toEqual([true, false, false]);
    expect(typesOf(2)).toBe('message function_call function_call_output');
    expect(learnt).toEqual([]);
  });

  it('is not summarised where that is refused, whatever effort was chosen', async () => {
    const refused = answer(400, {
      error: {
        message: 'Your organization must be verified to generate reasoning summaries.',
        param: 'reasoning.summary',
        code: 'unsupported_value',
      },
    });
    server.script(refused, stream(text('ok')));
    const learnt: Learned[] = [];
    await ask(
      model({
        model: 'gpt-5',
        settings: { reasoningEffort: 'low' },
        learn: (learned) => void learnt.push(learned),
      }),
      [user('Hello')],
    );
    expect(server.requests.map(({ sent }) => sent.reasoning)).toEqual([
      { effort: 'low', summary: 'auto' },
      { effort: 'low' },
    ]);
    expect(learnt).toEqual([{ quirks: { noSummaries: true } }]);
  });

  it('is one channel, whose summaries stand apart', async () => {
    const summary = (index: number, part: string) => [
      event('response.reasoning_summary_part.added', { output_index: 0, summary_index: index }),
      event('response.reasoning_summary_text.delta', { output_index: 0, summary_index: index, delta: part }),
    ];
    server.script(
      streamed(
        ...summary(0, 'First.'),
        ...summary(1, 'Then.'),
        event('response.reasoning_text.delta', { output_index: 0, delta: 'The same, raw.' }),
        event('response.output_text.delta', { output_index: 1, delta: '42' }),
        completed(),
      ),
    );
    expect(await ask(model(), [user('Go')])).toMatchObject({ reasoning: 'First.\n\nThen.', content: '42' });
  });
});

describe('a response', () => {
  it('of several texts keeps their phases, and is sent back in their order', async () => {
    const said = (index: number, phase: string, words: string) => {
      const item = { type: 'message', id: `msg_${index}`, role: 'assistant', phase };
      return [
        event('response.output_item.added', { output_index: index, item }),
        event('response.output_text.delta', { output_index: index, delta: words }),
        done(index, { ...item, status: 'completed', content: [{ type: 'output_text', text: words }] }),
      ];
    };
    const called = { type: 'function_call', id: 'fc_2', call_id: 'c1', name: echo.name, arguments: '{}' };
    server.script(
      streamed(
        ...said(0, 'commentary', 'I look.'),
        ...said(1, 'final_answer', 'Here.'),
        done(2, called),
        completed(),
      ),
      stream(text('ok')),
    );
    const turn = await ask(model(), [user('Go')]);
    expect(turn.content).toBe('I look.\n\nHere.');
    await ask(model(), [user('Go'), kept(turn), result('c1', 'hi')]);
    expect(inputOf(1).slice(1, 4)).toEqual([
      { type: 'message', role: 'assistant', content: 'I look.', phase: 'commentary' },
      { type: 'message', role: 'assistant', content: 'Here.', phase: 'final_answer' },
      { type: 'function_call', call_id: 'c1', name: echo.name, arguments: '{}' },
    ]);
  });

  it.each([
    ['its items are', done(0, { type: 'message', content: [{ type: 'output_text', text: 'Hello' }] })],
    ['its end is', event('response.in_progress', {})],
  ])('is whole when only %s told', async (_, part) => {
    const output = [{ type: 'message', content: [{ type: 'output_text', text: 'Hello' }] }];
    server.script(
      streamed(
        part,
        completed({
          output,
          usage: { input_tokens: 12, output_tokens: 4, input_tokens_details: { cached_tokens: 8 } },
        }),
      ),
    );
    expect(await ask(model(), [user('Go')])).toMatchObject({
      content: 'Hello',
      usage: { inputTokens: 12, outputTokens: 4, cachedTokens: 8 },
    });
  });

  it('whose items come at once, texts and calls, loses none of them, and says none twice', async () => {
    const said = (id: string, words: string) =>
      event('response.output_text.delta', { item_id: id, delta: words });
    const message = { type: 'message', id: 'msg_1', content: [{ type: 'output_text', text: 'I look.' }] };
    const called = { type: 'function_call', id: 'fc_1', call_id: 'c1', name: echo.name, arguments: '{}' };
    const thought = { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }] };
    const whole = { content: 'I look.', toolCalls: [{ id: 'c1', name: echo.name, arguments: '{}' }] };
    server.script(
      streamed(done(0, thought), done(1, message), done(2, called), completed()),
      streamed(said('msg_1', 'I '), said('msg_1', 'look.'), done(1, message), done(2, called), completed()),
    );
    expect(await ask(model(), [user('Go')])).toMatchObject({ ...whole, reasoning: 'Hm.' });
    expect(await ask(model(), [user('Go')])).toMatchObject(whole);
  });

  it('that fails says why', async () => {
    const failed = (code: string) =>
      streamed(event('response.failed', { response: { status: 'failed', error: { code, message: 'No.' } } }));
    server.script(failed('rate_limit_exceeded'), failed('server_error'));
    expect(errorOf(await collect(model()))).toMatchObject({
      code: 'model_rate_limited',
      cause: 'HTTP 429, No.',
    });
    expect(errorOf(await collect(model()))).toMatchObject({
      code: 'model_failed',
      cause: 'No.',
      retryable: true,
    });
  });

  it('passes over what the server’s own tools did', async () => {
    server.script(
      streamed(
        event('response.output_item.added', { output_index: 0, item: { type: 'web_search_call' } }),
        event('response.web_search_call.completed', { output_index: 0 }),
        done(0, { type: 'web_search_call' }),
        event('response.output_text.delta', { output_index: 1, delta: 'ok' }),
        completed(),
      ),
    );
    expect(await ask(model(), [user('Go')])).toEqual({ content: 'ok', toolCalls: [], finish: 'stop' });
  });

  it('tells whose pages the server’s own tools read', async () => {
    const annotations = [{ type: 'url_citation', url: 'https://tea.example/a' }];
    server.script(
      streamed(
        done(0, { type: 'web_search_call', action: { type: 'open_page', url: 'https://milk.example/' } }),
        event('response.output_text.delta', { output_index: 1, delta: 'ok' }),
        done(1, { type: 'message', content: [{ type: 'output_text', text: 'ok', annotations }] }),
        completed(),
      ),
    );
    expect(await ask(model(), [user('Go')])).toMatchObject({ cited: ['milk.example', 'tea.example'] });
  });

  it('whose encrypted thoughts have no end is cut off, and keeps nothing of them', async () => {
    const thought = (index: number) =>
      done(index, { type: 'reasoning', summary: [], encrypted_content: 'x'.repeat(6_000_000) });
    const said = event('response.output_text.delta', { output_index: 9, delta: 'Hm.' });
    server.script(streamed(said, thought(0), thought(1), thought(2), completed()));
    const turn = await ask(model(), [user('Hello')]);
    expect(turn).toMatchObject({ content: 'Hm.', finish: 'length' });
    expect(turn.raw).toBeUndefined();
  });

  it('that never ends is no answer', async () => {
    server.script(streamed(event('response.output_text.delta', { output_index: 0, delta: 'Hel' })));
    expect(errorOf(await collect(model()))).toMatchObject({ code: 'model_incomplete' });
  });
});

describe('a server without the API that was chosen', () => {
  const noPath = answer(404, '404 page not found');
  const words = { api: 'Responses', other: 'Chat Completions' };

  it.each([
    ['with 404', noPath],
    ['with 404 in FastAPI’s words', answer(404, { detail: 'Not Found' })],
    ['with 405', answer(405, { detail: 'Method Not Allowed' })],
    [
      'with status 200 (LM Studio)',
      answer(200, { error: 'Unexpected endpoint or method. (POST /v1/responses)' }),
    ],
    ['with a completion', answer(200, { object: 'chat.completion', choices: 'of the other API' })],
  ])('that answers %s is told of, with what to choose', async (_, reply) => {
    server.script(reply);
    const error = errorOf(await collect(model()));
    expect(error.message).toContain(`the ${words.api} API`);
    expect(error.fix).toContain(`choose ${words.other} as the API`);
  });

  it('is told of the other way round, too', async () => {
    server.script(noPath, streamed(completed()));
    for (const _ of [1, 2]) {
      const error = errorOf(await collect(model({ api: 'chat' })));
      expect(error.message).toContain(`the ${words.other} API`);
      expect(error.fix).toContain(`choose ${words.api} as the API`);
    }
  });

  it('is not meant where the model is what is missing', async () => {
    server.script(
      answer(404, { error: { message: 'The model `m` does not exist', code: 'model_not_found' } }),
    );
    expect(errorOf(await collect(model())).fix).toContain('name of the model');
  });
});
