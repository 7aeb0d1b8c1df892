import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseJson } from '../../lib/json.ts';
import { createStreamModel, type StreamModelOptions } from '../../lib/models/stream-model.ts';
import type { Message } from '../../lib/types/message.ts';
import type { Learned, ModelEvent, StreamModel } from '../../lib/types/model.ts';
import { MAX_CALLS } from '../../lib/types/tools/tool-call.ts';
import {
  answer,
  call,
  chunk,
  delta,
  end,
  finish,
  gate,
  hang,
  hangUp,
  type ModelServer,
  raw,
  startModelServer,
  stream,
  text,
  usage,
} from '../fakes/model-server.ts';
import {
  apiOfTest,
  assistant,
  collect,
  echo,
  errorOf,
  overBoth,
  plain,
  result,
  textOf,
  turnOf,
  user,
} from './request.ts';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

const model = (options: Partial<StreamModelOptions> = {}) =>
  createStreamModel({ ...plain, api: apiOfTest(), baseUrl: server.url, apiKey: 'sk-secret', ...options });

/** The events until the first text, and a way to read the rest. */
async function untilText(signal: AbortSignal): Promise<AsyncIterator<ModelEvent>> {
  const events = model()({ messages: [user('Hi')], tools: [] }, signal)[Symbol.asyncIterator]();
  expect(await events.next()).toMatchObject({ value: { type: 'text' } });
  return events;
}

overBoth('a streamed answer', () => {
  it('makes no call of a leaked block that was sent, also with instructions or a description', async () => {
    const block = '<tool_call>{"name":"mcp__1__echo","arguments":{"message":"hi"}}</tool_call>';
    const callsAfter = async (system: string, description: string) => {
      server.script(stream(text(`It says:\n${block}`)));
      const request = { system, messages: [user('Hi')], tools: [{ ...echo, description }] };
      const events: ModelEvent[] = [];
      for await (const event of model({ preset: 'vllm' })(request, new AbortController().signal))
        events.push(event);
      return turnOf(events).toolCalls.length;
    };
    expect(await callsAfter('Be kind.', 'Echoes')).toBe(1);
    expect(await callsAfter(`Be kind. ${block}`, 'Echoes')).toBe(0);
    expect(await callsAfter('Be kind.', `Echoes ${block}`)).toBe(0);
  });

  it('comes as text pieces and one turn with its usage', async () => {
    const pause = gate();
    server.script(stream(text('Hel'), pause, text('lo'), usage(12, 4)));
    const events = await collect(model(), undefined, pause.open);
    expect(events.slice(0, 2)).toEqual([
      { type: 'text', text: 'Hel' },
      { type: 'text', text: 'lo' },
    ]);
    expect(turnOf(events)).toEqual({
      content: 'Hello',
      toolCalls: [],
      finish: 'stop',
      usage: { inputTokens: 12, outputTokens: 4 },
    });
  });

  it('is asked for with the messages, the tools and the key', async () => {
    server.script(stream(text('ok')));
    await collect(model());
    expect(server.requests[0]?.headers.authorization).toBe('Bearer sk-secret');
    expect(server.requests[0]?.body).toMatchObject({
      model: 'm',
      stream: true,
      messages: [{ role: 'user', content: 'Hello' }],
      tools: [{ function: { name: echo.name } }],
    });
  });

  it('is asked for without an Authorization header when there is no key', async () => {
    server.script(stream(text('ok')), stream(text('ok')));
    await collect(createStreamModel({ ...plain, baseUrl: server.url }));
    await collect(model({ apiKey: '' }));
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  });

  it('is asked for without telling the server about the user’s browser and system', async () => {
    server.script(stream(text('ok')));
    await collect(model());
    const told = Object.keys(server.requests[0]?.headers ?? {});
    expect(told).toContain('authorization');
    expect(told.filter((name) => name.startsWith('x-'))).toEqual([]);
  });

  it('shows the arguments of a call as they arrive', async () => {
    const pause = gate();
    const [begin = [], ...rest] = call({
      id: 'c1',
      name: echo.name,
      arguments: '{"message":"hi"}',
      pieces: 3,
    });
    server.script(stream(begin, pause, rest));
    const events = await collect(model(), undefined, pause.open);
    const fragments = events.filter((event) => event.type === 'call');
    expect(fragments[0]).toEqual({ type: 'call', position: 0, name: echo.name, arguments: '' });
    expect(fragments.map((fragment) => fragment.arguments).join('')).toBe('{"message":"hi"}');
    expect(turnOf(events).toolCalls).toEqual([{ id: 'c1', name: echo.name, arguments: '{"message":"hi"}' }]);
  });

  it.each(['stop', 'tool_use', 'tool_calls'])('has its calls when the reason is %s', async (reason) => {
    server.script(stream(call({ id: 'c1', name: 'x', arguments: '{}' }), finish(reason)));
    expect(turnOf(await collect(model()))).toMatchObject({ finish: 'stop', toolCalls: [{ id: 'c1' }] });
  });

  it('is final when the reason is tool_calls but there are none', async () => {
    server.script(stream(text('Done.'), finish('tool_calls')));
    expect(turnOf(await collect(model()))).toMatchObject({
      content: 'Done.',
      toolCalls: [],
      finish: 'stop',
    });
  });

  it.each([
    ['length', 'length'],
    ['content_filter', 'filtered'],
  ])('with the reason %s ends as %s', async (reason, expected) => {
    server.script(stream(text('So'), call({ id: 'c', name: 'x', arguments: '{"a' }), finish(reason)));
    expect(turnOf(await collect(model()))).toMatchObject({
      content: 'So',
      finish: expected,
      toolCalls: [{ arguments: '{"a' }],
    });
  });

  it('is whole with [DONE] but no reason, and with a reason but no [DONE]', async () => {
    server.script(
      { type: 'stream', parts: [...text('one'), raw('data: [DONE]\n\n')] },
      stream(text('two'), finish('stop'), end()),
    );
    expect(turnOf(await collect(model())).content).toBe('one');
    expect(turnOf(await collect(model())).content).toBe('two');
  });

  it('stays whole when the connection breaks after the reason', async () => {
    const pause = gate();
    const last = chunk({ choices: [{ delta: { content: 'Hello' }, finish_reason: 'stop' }] });
    server.script({ type: 'stream', parts: [last, pause, hangUp()] });
    expect(turnOf(await collect(model(), undefined, pause.open)).content).toBe('Hello');
  });

  it.each(['reasoning', 'reasoning_text'])('reads thinking from %s', async (field) => {
    server.script(stream(delta({ [field]: 'Hm' }), text('42')));
    expect(turnOf(await collect(model())).reasoning).toBe('Hm');
  });

  it('passes over comments, empty choices and chunks that are no objects', async () => {
    server.script(
      stream(
        raw(': ping\n\n'),
        chunk({ choices: [] }),
        chunk(null),
        chunk([1]),
        chunk({ choices: [7] }),
        text('ok'),
      ),
    );
    expect(turnOf(await collect(model())).content).toBe('ok');
  });

  it('may come unstreamed, as one JSON completion', async () => {
    const message = {
      content: 'Let me see.',
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'x', arguments: '{}' } }],
    };
    server.script(answer(200, { choices: [{ message, finish_reason: 'tool_calls' }] }));
    expect(turnOf(await collect(model()))).toMatchObject({
      content: 'Let me see.',
      toolCalls: [{ id: 'c1', name: 'x', arguments: '{}' }],
    });
  });

  it('may come unstreamed without a reason', async () => {
    server.script(answer(200, { choices: [{ message: { content: 'ok' } }] }));
    expect(turnOf(await collect(model())).content).toBe('ok');
  });
});

overBoth('an answer that fails', () => {
  it.each([
    [401, { error: { message: 'invalid api key' } }, 'model_unauthorized', 'HTTP 401, invalid api key'],
    [403, '', 'model_unauthorized', 'HTTP 403'],
    [404, '404 page not found', 'model_wrong_api', 'HTTP 404, 404 page not found'],
    [429, { error: { message: 'slow down' } }, 'model_rate_limited', 'HTTP 429, slow down'],
    [500, { error: 'out of memory' }, 'model_server_error', 'HTTP 500, out of memory'],
    [502, '<html><body>Bad Gateway</body></html>', 'model_server_error', 'HTTP 502, an HTML page'],
    [422, { object: 'error', message: { detail: ['x'] } }, 'model_rejected', 'HTTP 422, ["x"]'],
  ])('with HTTP %i %j is %s, asked once', async (status, body, code, cause) => {
    server.script(answer(status, body));
    expect(errorOf(await collect(model()))).toMatchObject({ code, cause });
    expect(server.requests).toHaveLength(1);
  });

  it('never shows the key that a server repeats', async () => {
    server.script(answer(401, { error: { message: 'Incorrect API key provided: sk-secret' } }));
    expect(errorOf(await collect(model())).cause).toBe('HTTP 401, Incorrect API key provided: •••');
  });

  it('is not running when nothing listens on this computer, which asking again does not change', async () => {
    await server.close();
    const error = errorOf(await collect(model()));
    expect(error).toMatchObject({ code: 'model_not_running', retryable: false });
    expect(error.message).toContain(new URL(server.url).host);
    expect(error.cause).toContain('ECONNREFUSED');
    server = await startModelServer();
  });

  it.each([301, 307, 308])('takes nothing elsewhere when the server answers with %i', async (status) => {
    const other = await startModelServer();
    server.script(answer(status, '', { location: `${other.url}/chat/completions?key=sk-secret` }));
    const error = errorOf(await collect(model()));
    expect(error).toMatchObject({
      code: 'model_redirect',
      retryable: false,
      cause: `Location: ${other.url}/chat/completions?key=•••`,
      fix: expect.stringContaining('base URL'),
    });
    expect(error.message).toContain(new URL(server.url).host);
    expect(other.requests).toEqual([]);
    await other.close();
  });

  it('is one with more calls than the limit, none of which is made', async () => {
    const calls = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        call({ id: `c${index}`, name: 'x', arguments: '{}', index }),
      );
    server.script(stream(calls(MAX_CALLS).flat()), stream(calls(MAX_CALLS + 1).flat()));
    expect(turnOf(await collect(model())).toolCalls).toHaveLength(MAX_CALLS);
    expect(errorOf(await collect(model()))).toMatchObject({ code: 'model_too_many_calls', retryable: false });
  });

  it('takes nothing elsewhere when the browser hides where that is', async () => {
    const hidden = Object.defineProperty(Response.error(), 'type', { value: 'opaqueredirect' });
    const fetch = (_: unknown, init?: RequestInit) =>
      init?.redirect === 'manual'
        ? Promise.resolve(hidden)
        : Promise.reject(new TypeError('Failed to fetch'));
    const error = errorOf(await collect(model({ fetch })));
    expect(error).toMatchObject({ code: 'model_redirect' });
    expect(error).not.toHaveProperty('cause');
  });

  it.each(['', 'not a url', 'ftp://example.test/v1'])('is a bad address for “%s”', async (baseUrl) => {
    expect(errorOf(await collect(model({ baseUrl })))).toMatchObject({ code: 'model_bad_url' });
  });

  it.each([
    [
      'an HTML page',
      answer(200, '<!doctype html><html></html>', { 'content-type': 'text/html' }),
      'an HTML page',
    ],
    ['other JSON', answer(200, { hello: 1 }), '{"hello":1}'],
    ['plain words', answer(200, 'It works!'), 'It works!'],
    ['nothing', answer(200, ''), 'an empty reply'],
    ['events that are not JSON', stream(raw('data: {oops\n\n')), '{oops'],
  ])('is no chat model when the reply is %s', async (_, reply, cause) => {
    server.script(reply);
    expect(errorOf(await collect(model()))).toMatchObject({
      code: 'model_bad_reply',
      cause,
      retryable: false,
    });
  });

  it.each([
    ['a chunk', chunk({ error: { message: 'overloaded', type: 'server_error' } })],
    ['an error event', raw('event: error\ndata: {"error":{"message":"overloaded"}}\n\n')],
    ['a string', chunk({ error: 'overloaded' })],
  ])('with an error as %s keeps the text before it', async (_, failed) => {
    server.script({ type: 'stream', parts: [...text('Hel', 'lo'), failed] });
    const events = await collect(model());
    expect(textOf(events)).toBe('Hello');
    expect(errorOf(events)).toMatchObject({ code: 'model_failed', cause: 'overloaded', retryable: true });
  });

  it('in a chunk counts as the status that its code says', async () => {
    server.script(stream(text('Hel'), chunk({ error: { message: 'slow', code: 429 } })));
    expect(errorOf(await collect(model()))).toMatchObject({
      code: 'model_rate_limited',
      cause: 'HTTP 429, slow',
      retryable: true,
    });
  });

  it('passes on how long to wait', async () => {
    server.script(answer(429, '', { 'retry-after': '7' }));
    expect(errorOf(await collect(model())).retryAfterMs).toBe(7000);
  });

  it('as a JSON error of status 200 shows its words', async () => {
    server.script(answer(200, { error: { message: 'no such model' } }));
    expect(errorOf(await collect(model()))).toMatchObject({ code: 'model_failed', cause: 'no such model' });
  });

  it.each([
    ['ends', end()],
    ['breaks', hangUp()],
  ])('is incomplete when the stream %s without a reason or [DONE]', async (_, cut) => {
    const pause = gate();
    const parts = [...text('Hel', 'lo'), ...call({ id: 'c', name: 'x', arguments: '{}' }), pause, cut];
    server.script({ type: 'stream', parts });
    // Bytes that a breaking connection overtakes are lost, so it breaks once the call was seen.
    const events = await collect(model(), undefined, (event) => {
      if (event.type === 'call' && event.arguments === '{}') pause.open();
    });
    expect(textOf(events)).toBe('Hello');
    expect(errorOf(events)).toMatchObject({ code: 'model_incomplete', retryable: true });
  });

  it('is not taken for finished because its text speaks of [DONE]', async () => {
    server.script({ type: 'stream', parts: [...text('\ndata: [DONE]\n'), end()] });
    expect(errorOf(await collect(model()))).toMatchObject({ code: 'model_incomplete' });
  });

  it.each([
    ['stop', 'model_empty', true],
    ['length', 'model_empty', false],
    ['content_filter', 'model_filtered', false],
  ])('is empty without text and calls (%s)', async (reason, code, retryable) => {
    server.script(stream(delta({ reasoning: 'Hm' }), text('', '\n'), finish(reason)));
    expect(errorOf(await collect(model()))).toMatchObject({ code, retryable });
  });

  it('that is only a thought says so', async () => {
    server.script(stream(delta({ reasoning: 'Hm' }), finish('stop')));
    expect(errorOf(await collect(model())).message).toContain('thought, but did not answer');
  });

  it.each([
    [{ object: 'error', message: 'Out of memory' }, 'Out of memory'],
    [{ detail: 'Model not found' }, 'Model not found'],
  ])('shows the words of %j', async (body, cause) => {
    server.script(stream(chunk(body)), answer(200, body));
    expect(errorOf(await collect(model()))).toMatchObject({ code: 'model_failed', cause });
    expect(errorOf(await collect(model()))).toMatchObject({ code: 'model_failed', cause });
  });

  it.each([
    ['never begins', hang(), ''],
    ['stops in the middle', stream(text('Hel'), gate()), 'Hel'],
  ])('times out when it %s, and hangs up', async (_, reply, before) => {
    server.script(reply);
    const events = await collect(model({ idleTimeoutMs: 500 }));
    expect(textOf(events)).toBe(before);
    expect(errorOf(events)).toMatchObject({ code: 'model_timeout', retryable: true });
    await server.requests[0]?.closed;
    expect(server.requests[0]?.aborted).toBe(true);
  });
});

describe('a chat completion', () => {
  it('has one reasoning channel when two fields hold the same, and keeps the field to echo', async () => {
    server.script(
      stream(
        delta({ reasoning_content: 'Hm', reasoning: 'Hm' }),
        delta({ reasoning: ', so', reasoning_content: ', so' }),
        text('42'),
      ),
    );
    const events = await collect(model());
    const thoughts = events.filter((event) => event.type === 'reasoning').map((event) => event.text);
    expect(thoughts.join('')).toBe('Hm, so');
    expect(turnOf(events)).toMatchObject({
      content: '42',
      reasoning: 'Hm, so',
      raw: { reasoning_content: 'Hm, so' },
    });
  });

  it('shows a refusal and the text parts of a list as text', async () => {
    server.script(
      stream(
        delta({ content: [{ type: 'text', text: 'I ' }, { type: 'thinking' }] }),
        delta({ refusal: 'will not.' }),
      ),
    );
    expect(turnOf(await collect(model())).content).toBe('I will not.');
  });

  it('may come as events under another content type', async () => {
    server.script(answer(200, 'data: {"choices":[{"delta":{"content":"ok"}}]}\n\ndata: [DONE]\n\n'));
    expect(turnOf(await collect(model())).content).toBe('ok');
  });

  it('in its choice or its reason is no answer (OpenRouter, vLLM)', async () => {
    server.script(
      stream(text('Hel'), chunk({ choices: [{ delta: {}, error: { message: 'gone', code: 502 } }] })),
      stream(text('Hel'), finish('abort')),
    );
    expect(errorOf(await collect(model()))).toMatchObject({ code: 'model_server_error' });
    expect(errorOf(await collect(model()))).toMatchObject({ code: 'model_incomplete' });
  });

  it('because the server could not read a call is asked for once more (Gemini)', async () => {
    server.script(stream(finish('function_call_filter: MALFORMED_FUNCTION_CALL')), stream(text('ok')));
    expect(turnOf(await collect(model())).content).toBe('ok');
  });
});

describe('a reply without measure', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const megabyte = 'x'.repeat(1024 * 1024);

  it.each([
    ['one endless line', 'data: {"choices":[{"delta":{"content":"', megabyte],
    ['endless lines of one event', 'data: {', `\ndata: ${megabyte}`],
    ['one endless completion', '{"choices":[{"message":{"content":"', megabyte],
  ])('is given up when it is %s', async (_, begin, more) => {
    server.script({ type: 'stream', parts: [raw(begin), ...Array.from({ length: 80 }, () => raw(more))] });
    expect(errorOf(await collect(model()))).toMatchObject({
      code: 'model_bad_reply',
      cause: expect.stringContaining('64 MB'),
    });
  });

  it('runs no call of arguments that are nested without end', async () => {
    const args = nested(100_000);
    server.script(
      stream(
        raw(
          `data: {"choices":[{"delta":{"tool_calls":[{"function":{"name":"x","arguments":${args}}}]}}]}\n\n`,
        ),
      ),
    );
    const [only] = turnOf(await collect(model())).toolCalls;
    expect(parseJson(only?.arguments ?? '{}')).toBeUndefined();
  });

  it.each([
    [
      'an error in the stream',
      stream(raw(`data: {"error":{"message":${nested(100_000)}}}\n\n`)),
      'model_failed',
    ],
    [
      'a refusal',
      answer(400, `{"error":${nested(100_000)}}`, { 'content-type': 'application/json' }),
      'model_incomplete',
    ],
  ])('ends in a message when it is %s that is nested without end', async (_, reply, code) => {
    server.script(reply);
    expect(errorOf(await collect(model()))).toMatchObject({ code });
  });
});

overBoth('what a refusal teaches', () => {
  const unsupported = answer(400, {
    error: { message: 'No.', param: 'parallel_tool_calls', code: 'unsupported_parameter' },
  });
  const misread = { error: { message: 'No.', code: 'tool_use_failed', failed_generation: '<add' } };
  const settings = { temperature: 0.5 };
  const hot = answer(400, { error: { message: 'No.', param: 'temperature', code: 'unsupported_parameter' } });

  it('is told, and changes the request that is sent again at once', async () => {
    server.script(hot, stream(text('ok')), stream(text('ok')));
    const learnt: Learned[] = [];
    const taught = model({ settings, learn: (learned) => void learnt.push(learned) });
    expect(turnOf(await collect(taught)).content).toBe('ok');
    expect(turnOf(await collect(taught)).content).toBe('ok');
    expect(server.requests.map(({ body }) => 'temperature' in body)).toEqual([true, false, false]);
    expect(learnt).toEqual([{ dropped: ['temperature'] }]);
  });

  it('counts more than what is said of the model, from then on', async () => {
    const none = answer(400, { error: { message: 'm does not support tools' } });
    server.script(none, stream(text('ok')), stream(text('ok')));
    const said = model({ traits: { tools: true } });
    expect(turnOf(await collect(said)).content).toBe('ok');
    expect(turnOf(await collect(said)).content).toBe('ok');
    expect(server.requests.map(({ body }) => 'tools' in body)).toEqual([true, false, false]);
  });

  it('does not repeat a request that a refusal does not change', async () => {
    server.script(hot, hot, hot);
    expect(errorOf(await collect(model({ settings })))).toMatchObject({ code: 'model_rejected' });
    expect(server.requests).toHaveLength(2);
  });

  it('is nothing when the parameter was not sent', async () => {
    server.script(unsupported, unsupported);
    expect(errorOf(await collect(model()))).toMatchObject({ code: 'model_rejected', retryable: false });
  });

  it('makes an error worth a retry when something was already said, once', async () => {
    const failing = stream(delta({ reasoning: 'Hm' }), chunk(misread));
    server.script(failing, failing);
    const hinted = model();
    expect(errorOf(await collect(hinted))).toMatchObject({ code: 'model_tool_use_failed', retryable: true });
    expect(errorOf(await collect(hinted))).toMatchObject({ retryable: false });
    const [first, second] = server.requests.map(({ body }) => JSON.stringify(body.messages));
    expect(second?.length).toBeGreaterThan(first?.length ?? 0);
  });
});

overBoth('a picture that the server refuses', () => {
  const bad = answer(400, { error: { message: 'No valid image.', code: 'invalid_image_url' } });
  const made = { id: 'a', name: 'mcp__1__echo', arguments: '{}' };
  const shot = (data: string) => ({ ...result('a', 'A shot'), pictures: [{ data, mimeType: 'image/png' }] });
  const history = (...shots: Message[]) => [
    user('Look'),
    ...shots.flatMap((each) => [assistant('', [made]), each]),
  ];
  const ask = async (asked: StreamModel, messages: Message[]) => {
    const events: ModelEvent[] = [];
    const request = { messages, tools: [] };
    for await (const event of asked(request, new AbortController().signal)) events.push(event);
    return turnOf(events).content;
  };
  const shown = () =>
    server.requests.map(({ body }) => JSON.stringify(body.messages).match(/(?<=base64,)\w+/g) ?? []);

  it('is left out from then on, and said to be; the model still sees others', async () => {
    const learnt: Learned[] = [];
    const seeing = model({ traits: { vision: true }, learn: (learned) => void learnt.push(learned) });
    server.script(bad, stream(text('ok')), stream(text('ok')));
    const [first, second] = [shot('AAAA'), shot('BBBB')];
    expect(await ask(seeing, history(first))).toBe('ok');
    expect(await ask(seeing, history(first, second))).toBe('ok');
    expect(shown()).toEqual([['AAAA'], [], ['BBBB']]);
    expect(JSON.stringify(server.requests[1]?.body.messages)).toContain('A shot\\n\\n(Left out: pictures');
    expect(learnt).toEqual([]);
  });

  it('is left out too when the user attached it', async () => {
    const seeing = model({ traits: { vision: true } });
    server.script(bad, stream(text('ok')));
    const asked = { ...user('Look'), pictures: [{ data: 'AAAA', mimeType: 'image/png' }] };
    expect(await ask(seeing, [asked])).toBe('ok');
    expect(shown()).toEqual([['AAAA'], []]);
    expect(JSON.stringify(server.requests[1]?.body.messages)).toContain('Look\\n\\n(Left out: pictures');
  });

  it('ends in the error when leaving it out does not help', async () => {
    server.script(bad, bad, stream(text('Never')));
    await expect(ask(model({ traits: { vision: true } }), history(shot('AAAA')))).rejects.toThrow('No valid');
    expect(server.requests).toHaveLength(2);
  });
});

overBoth('an answer without end', () => {
  it('is cut off, and its last call not executed', async () => {
    const megabyte = text('x'.repeat(1024 * 1024));
    server.script({
      type: 'stream',
      parts: [...call({ id: 'c', name: 'x', arguments: '{}' }), ...Array(20).fill(megabyte).flat(), gate()],
    });
    const turn = turnOf(await collect(model()));
    expect(turn.finish).toBe('length');
    expect(turn.content.length).toBeLessThan(20 * 1024 * 1024);
    await server.requests[0]?.closed;
  });
});

overBoth('stopping', () => {
  it('before the request makes none', async () => {
    expect(errorOf(await collect(model(), AbortSignal.abort())).code).toBe('cancelled');
    expect(server.requests).toHaveLength(0);
  });

  it('before the first byte ends the request', async () => {
    server.script(hang());
    const stop = new AbortController();
    const events = collect(model(), stop.signal);
    const request = await server.waitForRequest(0);
    stop.abort();
    expect(errorOf(await events).code).toBe('cancelled');
    await request.closed;
    expect(request.aborted).toBe(true);
  });

  it('in mid-text ends the request and the events', async () => {
    const pause = gate();
    server.script(stream(text('Hel'), pause, text('lo')));
    const stop = new AbortController();
    const events = await untilText(stop.signal);
    stop.abort('any reason');
    await server.requests[0]?.closed;
    expect(server.requests[0]?.aborted).toBe(true);
    expect(await events.next()).toMatchObject({ value: { type: 'error', error: { code: 'cancelled' } } });
    expect(await events.next()).toEqual({ value: undefined, done: true });
  });

  it('by leaving the loop ends the request too', async () => {
    server.script(stream(text('Hel'), gate(), text('lo')));
    const events = await untilText(new AbortController().signal);
    await events.return?.();
    await server.requests[0]?.closed;
    expect(server.requests[0]?.aborted).toBe(true);
  });

  it('leaves a finished request unmarked', async () => {
    server.script(stream(text('ok')));
    await collect(model());
    await server.requests[0]?.closed;
    expect(server.requests[0]?.aborted).toBe(false);
  });
});
