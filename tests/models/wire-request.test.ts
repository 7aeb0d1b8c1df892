import { describe, expect, it } from 'vitest';
import { withoutSaid } from '../../lib/models/discovery/traits.ts';
import { unfitTools, type WireOptions } from '../../lib/models/request/wire-request.ts';
import type { Message } from '../../lib/types/message.ts';
import type { ModelRequest } from '../../lib/types/model.ts';
import { assistant, echo, result, user, wireBody } from './request.ts';

const call = (id: string, args = '{}') => ({ id, name: 'mcp__1__echo', arguments: args });
const wireCall = (id: string, args = '{}') => ({
  id,
  type: 'function',
  function: { name: 'mcp__1__echo', arguments: args },
});

type Options = Partial<WireOptions>;
const messagesOf = (...messages: Message[]): unknown[] => messagesFor({}, ...messages);
const messagesFor = (options: Options, ...messages: Message[]): unknown[] =>
  wireBody(options, { messages }).messages;
const rolesOf = (messages: unknown[]) => (messages as { role: string }[]).map(({ role }) => role);
const wire = (request: Partial<ModelRequest>, options: Options = {}) => wireBody(options, request);

describe('the wire request', () => {
  it('streams, asks for usage, and puts the system prompt first', () => {
    expect(wire({ system: 'Be brief.', messages: [user('Hi')], tools: [] })).toEqual({
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
    });
  });

  it('has no tools field when no tools are offered', () => {
    expect(wire({ messages: [], tools: [] })).not.toHaveProperty('tools');
  });

  it('offers a tool with its schema', () => {
    expect(wire({ messages: [], tools: [echo] }).tools).toEqual([
      {
        type: 'function',
        function: { name: 'mcp__1__echo', description: 'Echoes a message', parameters: echo.inputSchema },
      },
    ]);
  });

  it('gives a tool without a proper schema an object with properties', () => {
    const [tool] = wire({ messages: [], tools: [{ ...echo, inputSchema: { title: 'x' } }] }).tools ?? [];
    expect(tool).toMatchObject({
      function: { parameters: { title: 'x', type: 'object', properties: {} } },
    });
  });

  it('sends calls with null content and each result as a string after them', () => {
    expect(
      messagesOf(
        user('Hi'),
        assistant('', [call('a', '{"message":"x"}'), call('b')]),
        result('b', 'B'),
        result('a', 'A'),
      ),
    ).toEqual([
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [wireCall('a', '{"message":"x"}'), wireCall('b')],
      },
      { role: 'tool', tool_call_id: 'a', content: 'A' },
      { role: 'tool', tool_call_id: 'b', content: 'B' },
    ]);
  });

  it('says so when a call has no result', () => {
    const [, missing] = messagesOf(assistant('', [call('a')])) as { content: string }[];
    expect(JSON.parse(missing?.content ?? '')).toEqual({
      isError: true,
      error: expect.stringContaining('No result was recorded'),
    });
  });

  it('answers a call once when two results were kept, with the later', () => {
    expect(messagesOf(assistant('', [call('a')]), result('a', 'old'), result('a', 'new')).slice(1)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'new' },
    ]);
  });

  it('puts the results directly after their calls when a question came between', () => {
    expect(rolesOf(messagesOf(assistant('', [call('a')]), user('And?'), result('a', 'A')))).toEqual([
      'assistant',
      'tool',
      'user',
    ]);
  });

  it('matches ids that a server uses again to the nearest calls', () => {
    const messages = messagesOf(
      assistant('', [call('call_0')]),
      result('call_0', 'first'),
      assistant('', [call('call_0')]),
      result('call_0', 'second'),
    ) as { role: string; content: string }[];
    expect(messages.filter(({ role }) => role === 'tool').map(({ content }) => content)).toEqual([
      'first',
      'second',
    ]);
  });

  it('drops results without a call', () => {
    expect(messagesOf(user('Hi'), result('ghost', 'Boo'))).toEqual([{ role: 'user', content: 'Hi' }]);
  });

  it.each(['partial', 'streaming'] as const)(
    'keeps the text of a %s message and drops its calls',
    (status) => {
      expect(messagesOf(assistant('Let me', [call('a')], status), result('a', 'A'))).toEqual([
        { role: 'assistant', content: 'Let me' },
      ]);
    },
  );

  it('leaves out assistant messages that hold nothing', () => {
    expect(messagesOf(assistant('', [call('a')], 'partial'), assistant(''))).toEqual([]);
  });

  it('echoes the unknown fields of a call', () => {
    const raw = { extra_content: { google: { thought_signature: 'S' } } };
    expect(messagesOf(assistant('', [{ ...call('a'), raw }]))[0]).toMatchObject({
      tool_calls: [{ ...raw, id: 'a' }],
    });
  });

  it('echoes raw reasoning within the turn and not after the next question', () => {
    const thinking = { ...assistant('', [call('a')]), raw: { reasoning_content: 'Hm' } };
    const [, within] = messagesOf(user('Hi'), thinking, result('a', 'A'));
    const [, after] = messagesOf(user('Hi'), thinking, result('a', 'A'), user('And?'));
    expect(within).toHaveProperty('reasoning_content', 'Hm');
    expect(after).not.toHaveProperty('reasoning_content');
  });

  it('makes a name or arguments that a model made up acceptable to servers', () => {
    const made = { id: 'a', name: 'functions.echo it', arguments: '{"cut' };
    expect(messagesOf(assistant('', [made]))[0]).toMatchObject({
      tool_calls: [{ function: { name: 'functions_echo_it', arguments: '{}' } }],
    });
  });

  it.each([{}, { traits: { tools: false } }])(
    'does not repeat arguments that were too long for any tool: %j',
    (options) => {
      const huge = `{"a":"${'x'.repeat(1_000_001)}"}`;
      const body = JSON.stringify(messagesFor(options, user('Hi'), assistant('', [call('a', huge)])));
      expect(body).toContain('{}');
      expect(body.length).toBeLessThan(1_000);
    },
  );

  it('tells two answers that use the same call id apart', () => {
    const messages = messagesOf(
      assistant('', [call('call_0')]),
      result('call_0', 'first'),
      assistant('', [call('call_0')]),
      result('call_0', 'second'),
    ) as { tool_call_id?: string }[];
    expect(new Set(messages.flatMap(({ tool_call_id }) => tool_call_id ?? [])).size).toBe(2);
  });

  it('makes one message of neighbours of one role, since many templates insist that they take turns', () => {
    expect(messagesOf(user('One'), user('Two'), assistant('Three'), assistant('Four', [call('a')]))).toEqual([
      { role: 'user', content: 'One\n\nTwo' },
      { role: 'assistant', content: 'Three\n\nFour', tool_calls: [wireCall('a')] },
      expect.objectContaining({ role: 'tool', tool_call_id: 'a' }),
    ]);
  });

  it('reads a summary as a question', () => {
    const summary: Message = { ...user('Before'), role: 'summary', runId: 'r', keepsFrom: null };
    expect(messagesOf(summary, assistant('Yes'))).toEqual([
      { role: 'user', content: 'Before' },
      { role: 'assistant', content: 'Yes' },
    ]);
  });

  it('leaves a refused field out of messages and calls too', () => {
    const raw = { extra_content: {}, kept: 1 };
    const messages = messagesFor(
      { learned: { dropped: ['extra_content', 'reasoning'] } },
      { ...assistant('', [{ ...call('a'), raw }]), raw: { reasoning: 'Hm' } },
    );
    expect(messages[0]).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [{ ...wireCall('a'), kept: 1 }],
    });
  });

  it('keeps what one model wrote for itself from another', () => {
    const raw = { extra_content: {} };
    const message = { ...assistant('', [{ ...call('a'), raw }]), model: 'other', raw: { reasoning: 'Hm' } };
    expect(messagesOf(message)[0]).toEqual({ role: 'assistant', content: null, tool_calls: [wireCall('a')] });
  });
});

describe('settings', () => {
  const settings = { temperature: 0.5, maxTokens: 100, reasoningEffort: 'low' } as const;

  it('of a request take the place of all of the chat’s', () => {
    const body = wire({ settings: { maxTokens: 7 } }, { settings });
    expect(body).toMatchObject({ max_tokens: 7 });
    expect(body).not.toHaveProperty('temperature');
    expect(body).not.toHaveProperty('reasoning_effort');
  });

  it('go by the names that most servers use', () => {
    expect(wire({}, { settings })).toMatchObject({
      temperature: 0.5,
      max_tokens: 100,
      reasoning_effort: 'low',
    });
  });

  it('that are absent leave no trace', () => {
    expect(Object.keys(wire({})).toSorted()).toEqual(['messages', 'model', 'stream', 'stream_options']);
  });

  it('go by the names that OpenAI’s reasoning models want', () => {
    const body = wire({}, { settings, preset: 'openai', model: 'gpt-5-mini' });
    expect(body).toMatchObject({ max_completion_tokens: 100 });
    expect(body).not.toHaveProperty('max_tokens');
  });

  it('give OpenRouter the effort in an object', () => {
    expect(wire({}, { settings, preset: 'openrouter' })).toMatchObject({ reasoning: { effort: 'low' } });
  });

  it('that were refused are left out, or renamed, as they were learned', () => {
    const learned = {
      dropped: ['temperature', 'reasoning_effort=low'],
      renamed: { max_tokens: 'max_completion_tokens' },
    };
    const body = wire({}, { settings, learned });
    expect(body).toMatchObject({ max_completion_tokens: 100 });
    expect(body).not.toHaveProperty('temperature');
    expect(body).not.toHaveProperty('max_tokens');
    expect(body).not.toHaveProperty('reasoning_effort');
    expect(wire({}, { settings: { reasoningEffort: 'high' }, learned })).toMatchObject({
      reasoning_effort: 'high',
    });
  });

  it('ask for no longer an answer than the model can give', () => {
    const traits = { maxOutput: 64 };
    expect(wire({}, { settings, traits })).toMatchObject({ max_tokens: 64 });
    expect(wire({}, { settings: { maxTokens: 10 }, traits })).toMatchObject({ max_tokens: 10 });
    expect(wire({}, { traits })).not.toHaveProperty('max_tokens');
  });

  it('never lose what a request needs', () => {
    const dropped = ['messages', 'model', 'stream'];
    expect(wire({}, { learned: { dropped } })).toMatchObject({ model: 'm', messages: [], stream: true });
  });
});

describe('tools', () => {
  const history = [user('Hi'), assistant('Wait', [call('a')]), result('a', 'A')];

  it('of a history go on being offered, not to be called, when nothing is offered any more', () => {
    const { tools, tool_choice } = wire({ messages: history });
    expect(tools).toEqual([
      {
        type: 'function',
        function: expect.objectContaining({
          name: 'mcp__1__echo',
          parameters: { type: 'object', properties: {} },
        }),
      },
    ]);
    expect(tool_choice).toBe('none');
  });

  it('may be forbidden for one answer', () => {
    expect(wire({ tools: [echo], toolChoice: 'none' })).toMatchObject({ tool_choice: 'none' });
    expect(wire({ tools: [echo] })).not.toHaveProperty('tool_choice');
    expect(wire({ toolChoice: 'none' })).not.toHaveProperty('tool_choice');
  });

  it.each([{ traits: { tools: false } }, { learned: { traits: { tools: false } } }])(
    'and the talk of them become text for a model that knows none: %j',
    (options) => {
      const body = wire({ messages: history, tools: [echo] }, options);
      expect(body).not.toHaveProperty('tools');
      expect(body).not.toHaveProperty('tool_choice');
      expect(body.messages).toEqual([
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Wait\n(Called mcp__1__echo with {})' },
        { role: 'user', content: '(Result of mcp__1__echo)\nA' },
      ]);
    },
  );

  it('are offered to a model that the user says can use them, whatever it once refused', () => {
    const chosen = { tools: true };
    const learned = withoutSaid({ traits: { tools: false } }, chosen);
    expect(wire({ tools: [echo] }, { traits: chosen, learned }).tools).toHaveLength(1);
  });

  it('that no server takes are left out and named, and the request goes on', () => {
    const bad = [
      { ...echo, name: 'a'.repeat(65) },
      { ...echo, name: 'a.b' },
      { ...echo, inputSchema: { type: 'string' } },
    ];
    expect(unfitTools([echo, ...bad])).toEqual(bad);
    expect(wire({ tools: [echo, ...bad] }).tools).toHaveLength(1);
  });
});

describe('pictures of results', () => {
  const shot = { ...result('a', 'A shot'), pictures: [{ data: 'QUJD', mimeType: 'image/png' }] };
  const asked = [assistant('', [call('a')]), shot];
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } };

  it('follow in a user message for a model that sees', () => {
    expect(messagesFor({ traits: { vision: true } }, ...asked).slice(1)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'A shot' },
      {
        role: 'user',
        content: [{ type: 'text', text: 'Attached image(s) from tool result:' }, image],
      },
    ]);
  });

  it('join the question that follows', () => {
    expect(messagesFor({ traits: { vision: true } }, ...asked, user('And?')).at(-1)).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: 'Attached image(s) from tool result:' },
        image,
        { type: 'text', text: 'And?' },
      ],
    });
  });

  it.each([{}, { traits: { vision: true }, learned: { traits: { vision: false } } }])(
    'are left out, and said to be, for a model that is not known to see: %j',
    (options) => {
      const messages = messagesFor(options, ...asked);
      expect(rolesOf(messages)).toEqual(['assistant', 'tool']);
      expect(messages[1]).toMatchObject({ content: expect.stringMatching(/A shot[^]*picture left out/) });
      expect(JSON.stringify(messages)).not.toContain('QUJD');
    },
  );

  it('never leave a result empty', () => {
    const [, tool] = messagesFor({ traits: { vision: true } }, asked[0] as Message, { ...shot, content: '' });
    expect(tool).toMatchObject({ content: expect.stringContaining('attached below') });
  });
});

describe('pictures of a question', () => {
  const asked = { ...user('What is this?'), pictures: [{ data: 'QUJD', mimeType: 'image/png' }] };

  it('follow its words for a model that sees, and may be all there is', () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } };
    expect(messagesFor({ traits: { vision: true } }, asked)).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] },
    ]);
    expect(messagesFor({ traits: { vision: true } }, { ...asked, content: '' })).toEqual([
      { role: 'user', content: [image] },
    ]);
  });

  it('are left out, and said to be, for a model that is not known to see', () => {
    const [message] = messagesFor({}, asked);
    expect(message).toMatchObject({
      content: expect.stringMatching(/^What is this\?\n\n\(One picture left out/),
    });
  });
});

describe('what a request asks of the answer', () => {
  const given = { messages: [user('Hi')], tools: [echo] };

  it('is left to the model unless told: calls, text, or either', () => {
    expect(wire(given)).not.toHaveProperty('tool_choice');
    expect(wire({ ...given, toolChoice: 'auto' })).not.toHaveProperty('tool_choice');
    expect(wire({ ...given, toolChoice: 'required' }).tool_choice).toBe('required');
    expect(wire({ ...given, toolChoice: 'none' }).tool_choice).toBe('none');
  });

  it('is that it ends at a word, of as many as servers take', () => {
    expect(wire(given)).not.toHaveProperty('stop');
    expect(wire({ ...given, stopSequences: [] })).not.toHaveProperty('stop');
    expect(wire({ ...given, stopSequences: ['a', 'b', 'c', 'd', 'e'] }).stop).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('what servers want otherwise', () => {
  const history = [
    user('Hi'),
    assistant('', [call('call_with_a_long_id')]),
    result('call_with_a_long_id', 'A'),
  ];

  it('Mistral gets a word between a result and a question, ids of nine, and no stream_options', () => {
    const body = wire({ messages: [...history, user('And?')] }, { preset: 'mistral' });
    expect(rolesOf(body.messages)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
    expect(JSON.stringify(body.messages)).toMatch(/"tool_call_id":"[a-zA-Z0-9]{9}"/);
    expect(body).not.toHaveProperty('stream_options');
  });

  it('a template without a system role gets the system prompt with the first question', () => {
    const learned = { quirks: { systemAsUser: true } };
    expect(wire({ system: 'Be brief.', messages: [user('Hi')] }, { learned }).messages).toEqual([
      { role: 'user', content: 'Be brief.\n\nHi' },
    ]);
  });

  it('a strict server gets no reasoning back, DeepSeek gets all of it', () => {
    const thought = { ...assistant('So'), raw: { reasoning_content: 'Hm' } };
    const asked = [user('Hi'), thought, user('And?')];
    expect(JSON.stringify(messagesFor({ preset: 'groq' }, user('Hi'), thought))).not.toContain('Hm');
    expect(messagesFor({ preset: 'deepseek' }, ...asked)[1]).toHaveProperty('reasoning_content', 'Hm');
  });

  it('a hint is the last thing said', () => {
    expect(wire({ messages: history }, { hint: 'Again, please.' }).messages.at(-1)).toEqual({
      role: 'user',
      content: 'Again, please.',
    });
  });
});
