import { ProtocolError } from '@modelcontextprotocol/client';
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { AppError } from '../../lib/errors.ts';
import { fillIn } from '../../lib/mcp/elicitation/form-answer.ts';
import { anyObject } from '../../lib/mcp/content/raw.ts';
import { toSamplingRequest } from '../../lib/mcp/elicitation/sampling.ts';
import { answerServerRequests, urlRequests } from '../../lib/mcp/elicitation/server-requests.ts';
import type { Elicit, FormContent, Fulfilled, RequestBody, Sampled } from '../../lib/types/request.ts';
import { connectPeer, type PeerOptions } from './raw-peer.ts';
import '../properties.ts';

type Raw = Record<string, unknown>;

/** A client whose user answers like this, and what the user was asked. */
async function connect(answer: Fulfilled | Error | undefined, options: Omit<PeerOptions, 'prepare'> = {}) {
  const asked: RequestBody[] = [];
  const ask: Elicit = async (request) => {
    asked.push(request);
    if (answer instanceof Error) throw answer;
    return answer ?? { action: 'cancel' };
  };
  const peer = await connectPeer({
    ...options,
    prepare: (client) => answerServerRequests(client, () => (answer === undefined ? undefined : ask)),
  });
  return { ...peer, asked };
}

const form = (properties: Raw, required?: string[]): Raw => ({
  message: 'Who are you?',
  requestedSchema: { type: 'object', properties, ...(required && { required }) },
});

describe('a form elicitation', () => {
  it('is put before the user, and the answer goes back', async () => {
    const params = form({ name: { type: 'string' } }, ['name']);
    const { ask, asked } = await connect({ action: 'accept', content: { name: 'Ada' } });
    expect(await ask('elicitation/create', params)).toMatchObject({
      result: { action: 'accept', content: { name: 'Ada' } },
    });
    expect(asked).toEqual([{ kind: 'form', message: 'Who are you?', schema: params['requestedSchema'] }]);
  });

  it('is answered with its defaults when it is accepted unseen (SEP-1034)', async () => {
    const { ask } = await connect({ action: 'accept' });
    const { result } = await ask(
      'elicitation/create',
      form({
        name: { type: 'string', default: 'Ada' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'gone'], default: 'active' },
        verified: { type: 'boolean', default: false },
        colours: { type: 'array', items: { type: 'string', enum: ['red', 'blue'] }, default: ['red'] },
        note: { type: 'string' },
      }),
    );
    expect(result).toMatchObject({
      content: { name: 'Ada', age: 30, score: 95.5, status: 'active', verified: false, colours: ['red'] },
    });
    expect(result?.['content']).not.toHaveProperty('note');
  });

  it.each<FormContent>([{ name: 'Ada' }, {}])(
    'is answered without the defaults that the user removed: %j',
    async (content) => {
      const { ask } = await connect({ action: 'accept', content });
      const age = { type: 'integer', default: 30 };
      const { result } = await ask('elicitation/create', form({ name: { type: 'string' }, age }));
      expect(result?.['content']).toEqual(content);
    },
  );

  it('is answered with nothing but its own fields', async () => {
    const { ask } = await connect({ action: 'accept', content: { name: 'Ada', password: 'x' } });
    const { result } = await ask('elicitation/create', form({ name: { type: 'string' } }));
    expect(result).toMatchObject({ content: { name: 'Ada' } });
    expect(result?.['content']).not.toHaveProperty('password');
  });

  const misfits: [Raw, Raw][] = [
    [{ type: 'string', minLength: 3 }, { it: 'ab' }],
    [{ type: 'string', maxLength: 1 }, { it: 'ab' }],
    [{ type: 'string', enum: ['a'] }, { it: 'b' }],
    [{ type: 'string', oneOf: [{ const: 'a', title: 'A' }] }, { it: 'A' }],
    [{ type: 'string' }, { it: 5 }],
    [{ type: 'integer' }, { it: 1.5 }],
    [{ type: 'number', minimum: 1 }, { it: 0 }],
    [{ type: 'boolean' }, { it: 'yes' }],
    [{ type: 'array', items: { type: 'string', enum: ['a'] } }, { it: ['b'] }],
    [{ type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] }, minItems: 2 }, { it: ['a'] }],
    [{ type: 'string' }, {}],
  ];
  it.each(misfits)('is not answered with what does not fit: %j, %j', async (field, content) => {
    const { ask } = await connect({ action: 'accept', content: content as Record<string, string> });
    const { result, error } = await ask('elicitation/create', form({ it: field }, ['it']));
    expect(result).toBeUndefined();
    expect(error).toMatchObject({ code: -32603, message: expect.stringContaining('“it”') });
  });

  it.each(['decline', 'cancel'] as const)('may be answered with %s', async (action) => {
    const { ask } = await connect({ action });
    expect((await ask('elicitation/create', form({}))).result).toEqual({ action });
  });

  it('is cancelled when there is no user, or the user can’t be asked', async () => {
    const unattended = await connect(undefined);
    expect((await unattended.ask('elicitation/create', form({}))).result).toEqual({ action: 'cancel' });
    const failing = await connect(new AppError({ code: 'gone', message: 'Gone.' }));
    expect((await failing.ask('elicitation/create', form({}))).result).toEqual({ action: 'cancel' });
  });

  it('comes in an input_required result on the 2026-07-28 revision', async () => {
    const inputRequests = {
      who: {
        method: 'elicitation/create',
        params: { mode: 'form', ...form({ name: { type: 'string', default: 'John' } }) },
      },
    };
    const call = vi.fn((params: Raw) =>
      'inputResponses' in params
        ? { resultType: 'complete', content: [] }
        : { resultType: 'input_required', inputRequests, requestState: 'abc' },
    );
    const { client } = await connect(
      { action: 'accept' },
      { era: 'modern', answers: { 'tools/call': call } },
    );
    await client.request({ method: 'tools/call', params: { name: 'greet' } }, anyObject);
    expect(call.mock.lastCall?.[0]).toMatchObject({
      inputResponses: { who: { action: 'accept', content: { name: 'John' } } },
      requestState: 'abc',
    });
  });

  it('is refused when it has too many fields', async () => {
    const { ask, asked } = await connect({ action: 'accept', content: {} });
    const fields = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_each, at) => [`f${at}`, { type: 'string' }]));
    const long = { title: 'x'.repeat(600_000), type: 'string' };
    for (const properties of [fields(101), { long }]) {
      expect((await ask('elicitation/create', form(properties))).error?.code).toBe(-32602);
    }
    expect(asked).toEqual([]);
    expect((await ask('elicitation/create', form(fields(100)))).result).toMatchObject({ action: 'accept' });
  });

  it('is refused when it has a field __proto__, which the client would lose', async () => {
    const { ask, asked } = await connect({ action: 'accept' });
    const properties = JSON.parse('{ "__proto__": { "type": "string" } }') as Raw;
    expect((await ask('elicitation/create', form(properties))).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('__proto__'),
    });
    expect(asked).toEqual([]);
  });

  it('takes any text where the alternatives of a field name kinds of it, not values', () => {
    const who = { type: 'string', anyOf: [{ format: 'email' }, { title: 'None' }] };
    expect(fillIn({ properties: { who } }, { who: 'Ada' })).toEqual({ content: { who: 'Ada' } });
  });

  it('is filled in without a throw, whatever the schema', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.anything()),
        fc.dictionary(fc.string(), fc.string()),
        (schema, filled) => {
          expect(fillIn({ properties: schema, required: Object.keys(schema) }, filled)).toHaveProperty(
            'content',
          );
        },
      ),
    );
  });
});

describe('a URL elicitation', () => {
  const visit = { mode: 'url', message: 'Sign in', elicitationId: 'e1', url: 'https://x.test/in' };

  it.each(['accept', 'decline', 'cancel'] as const)('may be answered with %s', async (action) => {
    const { ask, asked } = await connect({ action } as Fulfilled);
    expect((await ask('elicitation/create', visit)).result).toEqual({ action });
    expect(asked).toEqual([
      { kind: 'url', message: 'Sign in', elicitationId: 'e1', url: 'https://x.test/in' },
    ]);
  });

  it('of a mode that was not declared is refused (MCP 2025-11-25, "Error Handling")', async () => {
    const { ask, asked } = await connect({ action: 'accept' });
    const { error } = await ask('elicitation/create', { ...form({}), mode: 'voice' });
    expect(error).toMatchObject({ code: -32602 });
    expect(asked).toEqual([]);
  });

  it.each([
    ['is of the web', 'javascript:alert(1)'],
    ['is of the web', 'file:///etc/passwd'],
    ['is of the web', 'data:text/html,hi'],
    ['can be read', `https://x.test/${'x'.repeat(10_000)}`],
  ])('is refused unless its address %s: %.30s', async (_what, url) => {
    const { ask, asked } = await connect({ action: 'accept' });
    expect((await ask('elicitation/create', { ...visit, url })).error).toMatchObject({ code: -32602 });
    expect(asked).toEqual([]);
  });

  it('may be named by the error of a call (-32042)', async () => {
    const error = {
      code: -32042,
      message: 'Sign in first',
      data: {
        elicitations: [
          visit,
          { ...visit, url: 'javascript:0' },
          visit,
          null,
          { ...visit, mode: 'form', url: 'https://x.test/form' },
          { ...visit, url: 'https://x.test/other' },
        ],
      },
    };
    const { client } = await connect(undefined, { answers: { 'tools/call': () => ({ error }) } });
    const caught: unknown = await client
      .request({ method: 'tools/call', params: { name: 'mail' } }, anyObject)
      .catch((thrown: unknown) => thrown);
    expect(urlRequests(caught).map(({ url }) => url)).toEqual(['https://x.test/in', 'https://x.test/other']);
  });

  it.each([
    new Error('no'),
    new ProtocolError(-32602, 'no'),
    new ProtocolError(-32042, 'no', { elicitations: 5 }),
    undefined,
  ])('is named by no other error', (error) => expect(urlRequests(error)).toEqual([]));
});

describe('a sampling request', () => {
  const params = {
    systemPrompt: 'Be brief.',
    messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }],
    maxTokens: 100,
  };
  const sampled: Sampled = { model: 'm', content: [{ type: 'text', text: 'Hello' }], stopReason: 'endTurn' };

  it('is put before the user, and the model’s answer goes back', async () => {
    const { ask, asked } = await connect({ action: 'accept', sampled });
    expect((await ask('sampling/createMessage', params)).result).toEqual({
      role: 'assistant',
      model: 'm',
      content: { type: 'text', text: 'Hello' },
      stopReason: 'endTurn',
    });
    expect(asked).toEqual([
      {
        kind: 'sampling',
        sampling: {
          system: 'Be brief.',
          messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
          tools: [],
          maxTokens: 100,
        },
      },
    ]);
  });

  it('may come with tools, whose calls go back to the server', async () => {
    const use = { type: 'tool_use' as const, id: 'c1', name: 'look', input: { at: 'sky' } };
    const { ask, asked } = await connect({
      action: 'accept',
      sampled: { ...sampled, content: [{ type: 'text', text: 'Looking' }, use], stopReason: 'toolUse' },
    });
    const { result } = await ask('sampling/createMessage', {
      ...params,
      messages: [
        ...params.messages,
        { role: 'assistant', content: [use] },
        {
          role: 'user',
          content: [{ type: 'tool_result', toolUseId: 'c1', content: [{ type: 'text', text: 'blue' }] }],
        },
      ],
      tools: [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' } }],
      toolChoice: { mode: 'required' },
    });
    expect(result).toMatchObject({ content: [{ type: 'text' }, use], stopReason: 'toolUse' });
    expect(asked[0]).toMatchObject({
      sampling: {
        tools: [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' } }],
        toolChoice: 'required',
        messages: [
          {},
          { role: 'assistant', content: [use] },
          { content: [{ type: 'tool_result', toolUseId: 'c1', text: 'blue', isError: false }] },
        ],
      },
    });
  });

  it.each(['decline', 'cancel'] as const)('is an error when the user chooses %s', async (action) => {
    const { ask } = await connect({ action });
    expect((await ask('sampling/createMessage', params)).error).toMatchObject({
      code: -1,
      message: 'User rejected sampling request',
    });
  });

  it('is an error when there is no user', async () => {
    const { ask } = await connect(undefined);
    expect((await ask('sampling/createMessage', params)).error).toMatchObject({ code: -1 });
  });

  it('is an error in words when the model fails, without the cause', async () => {
    const failure = new AppError({ code: 'model_failed', message: 'The model is busy.', cause: 'key sk-1' });
    const { ask } = await connect(failure);
    const { error } = await ask('sampling/createMessage', params);
    expect(error?.message).toContain('The model is busy.');
    expect(JSON.stringify(error)).not.toContain('sk-1');
  });

  it('comes in an input_required result on the 2026-07-28 revision', async () => {
    const call = vi.fn((sent: Raw) =>
      'inputResponses' in sent
        ? { resultType: 'complete', content: [] }
        : {
            resultType: 'input_required',
            inputRequests: { q: { method: 'sampling/createMessage', params } },
          },
    );
    const { client } = await connect(
      { action: 'accept', sampled },
      { era: 'modern', answers: { 'tools/call': call } },
    );
    await client.request({ method: 'tools/call', params: { name: 'ask' } }, anyObject);
    expect(call.mock.lastCall?.[0]).toMatchObject({
      inputResponses: { q: { role: 'assistant', content: { type: 'text', text: 'Hello' } } },
    });
  });

  const text = (length: number) => ({ type: 'text', text: 'x'.repeat(length) });
  const picture = (length: number) => ({ type: 'image', mimeType: 'image/png', data: 'A'.repeat(length) });
  const saying = (content: unknown) => ({ messages: [{ role: 'user', content }], maxTokens: 10 });
  const many = (count: number, each: unknown) => Array.from({ length: count }, () => each);

  it.each([
    ['messages', { messages: many(1001, { role: 'user', content: text(1) }), maxTokens: 10 }],
    ['blocks', saying(many(1001, text(1)))],
    ['blocks in a result', saying([{ type: 'tool_result', toolUseId: 'c1', content: many(1001, text(1)) }])],
    ['text', saying([text(600_000), text(600_000)])],
    ['text in arguments', saying({ type: 'tool_use', id: 'c1', name: 'look', input: text(1_100_000) })],
    ['pictures', saying(many(4, picture(4_000_000)))],
    ['depth', saying({ type: 'tool_use', id: 'c1', name: 'look', input: deep(200) })],
  ])('is refused when it is too large: %s', async (_what, tooMuch) => {
    const { ask, asked } = await connect({ action: 'accept', sampled });
    expect((await ask('sampling/createMessage', tooMuch)).error?.code).toBe(-32602);
    expect(asked).toEqual([]);
  });

  it.each([
    ['no messages', { messages: [], maxTokens: 10 }],
    ['nothing in a message', { messages: [{ role: 'user', content: [] }], maxTokens: 10 }],
    ['no word in a message', saying({ type: 'text', text: ' ' })],
    ['no tokens', { ...saying(text(1)), maxTokens: 0 }],
  ])('is refused when a model could not answer it: %s', async (_what, empty) => {
    const { ask, asked } = await connect({ action: 'accept', sampled });
    expect((await ask('sampling/createMessage', empty)).error?.code).toBe(-32602);
    expect(asked).toEqual([]);
  });

  it('may hold pictures of some megabytes', async () => {
    const { ask } = await connect({ action: 'accept', sampled });
    const result = { type: 'tool_result', toolUseId: 'c1', content: [picture(4_000_000)] };
    const reply = await ask('sampling/createMessage', saying([picture(4_000_000), result, text(900_000)]));
    expect(reply.result).toMatchObject({ model: 'm' });
  });

  it('is read without a throw, whatever it holds', () => {
    const content = fc.record({
      type: fc.constantFrom('text', 'image', 'tool_use', 'tool_result'),
      content: fc.anything(),
      text: fc.anything(),
    });
    fc.assert(
      fc.property(
        fc.record({
          messages: fc.oneof(
            fc.anything(),
            fc.array(
              fc.record({
                role: fc.anything(),
                content: fc.oneof(content, fc.anything(), fc.array(content)),
              }),
            ),
          ),
          tools: fc.anything(),
          maxTokens: fc.anything(),
          stopSequences: fc.anything(),
        }),
        (raw) => {
          const request = toSamplingRequest(raw);
          expect(request.maxTokens).toBeGreaterThan(0);
          for (const message of request.messages) expect(message.content.length).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });
});

function deep(levels: number): Raw {
  let value: Raw = {};
  for (let level = 0; level < levels; level += 1) value = { value };
  return value;
}
