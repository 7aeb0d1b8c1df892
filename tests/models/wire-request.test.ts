import { describe, expect, it } from 'vitest';
import { toWireRequest } from '../../lib/models/wire-request.ts';
import type { Message } from '../../lib/types.ts';
import { assistant, echo, result, user } from './request.ts';

const call = (id: string, args = '{}') => ({ id, name: 'mcp__1__echo', arguments: args });
const wireCall = (id: string, args = '{}') => ({
  id,
  type: 'function',
  function: { name: 'mcp__1__echo', arguments: args },
});

function messagesOf(...messages: Message[]): unknown[] {
  return toWireRequest('m', { messages, tools: [] }).messages;
}

describe('the wire request', () => {
  it('streams, asks for usage, and puts the system prompt first', () => {
    expect(toWireRequest('m', { system: 'Be brief.', messages: [user('Hi')], tools: [] })).toEqual({
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
    expect(toWireRequest('m', { messages: [], tools: [] })).not.toHaveProperty('tools');
  });

  it('offers a tool with its schema', () => {
    expect(toWireRequest('m', { messages: [], tools: [echo] }).tools).toEqual([
      {
        type: 'function',
        function: { name: 'mcp__1__echo', description: 'Echoes a message', parameters: echo.inputSchema },
      },
    ]);
  });

  it('gives a tool without a proper schema an object with properties', () => {
    const [tool] =
      toWireRequest('m', { messages: [], tools: [{ ...echo, inputSchema: { title: 'x' } }] }).tools ?? [];
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
    expect(
      (
        messagesOf(assistant('', [call('a')]), user('And?'), result('a', 'A')) as {
          role: string;
        }[]
      ).map((message) => message.role),
    ).toEqual(['assistant', 'tool', 'user']);
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
});
