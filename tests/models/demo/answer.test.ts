import { describe, expect, it } from 'vitest';
import { FENCE, fenced } from '../../fakes/rows.ts';
import { withAttached } from '../../../lib/agent/context/attached.ts';
import { answer, type ChatMessage } from '../../../lib/models/demo/answer.ts';
import type { ModelTool } from '../../../lib/models/demo/choose.ts';
import { ownToolList } from '../../../lib/tools/own/own-tools.ts';

const sum: ModelTool = {
  name: 'mcp__1__get-sum',
  description: 'Returns the sum of two numbers',
  parameters: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  },
};

const pageTools = ownToolList.map(({ offeredName, description = '', inputSchema }): ModelTool => ({
  name: offeredName,
  description,
  parameters: inputSchema,
}));
const user = (content: unknown): ChatMessage => ({ role: 'user', content });
const called: ChatMessage = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'call_1', function: { name: 'mcp__1__get-sum' } }],
};

describe('the demo model', () => {
  it('says in every answer that it is a scripted stand-in', () => {
    expect(answer([user('Hello')], [sum]).text).toContain('scripted stand-in');
    expect(answer([user('Add the sum')], [sum]).text).toContain('scripted stand-in');
    expect(
      answer([user('Add 1 and 2'), called, { role: 'tool', content: '3', tool_call_id: 'call_1' }], []).text,
    ).toContain('scripted stand-in');
  });

  it('leaves Portside’s own tools alone unless the question names them', () => {
    const own = ['read_more', 'search_tools'].map((name): ModelTool => ({
      name,
      description: 'Reads more of a result, or searches for tools to add a sum',
      parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
    }));
    expect(answer([user('Add 2 and 40')], [...own, sum]).calls).toMatchObject([{ name: 'mcp__1__get-sum' }]);
    expect(answer([user('Search for tools that read more')], own).text).toContain('I was offered no tools');
    const named = answer([user('Use the search_tools tool with query "weather"')], [...own, sum]);
    expect(named.calls).toEqual([{ name: 'search_tools', arguments: { query: 'weather' } }]);
  });

  it('says nothing beside a call', () => {
    expect(answer([user('Add 2 and 40')], [sum])).toEqual({
      text: '',
      calls: [{ name: 'mcp__1__get-sum', arguments: { a: 2, b: 40 } }],
    });
  });

  it('names the tools it could try when none fits, and says so when it has none', () => {
    expect(answer([user('Who wrote Moby Dick?')], [sum])).toMatchObject({ calls: [] });
    expect(answer([user('Who wrote Moby Dick?')], [sum]).text).toContain('get-sum');
    expect(answer([user('Add 2 and 40')], []).text).toContain('no tools');
  });

  it('reports each result under the name of its tool', () => {
    const messages = [
      user('Add 2 and 40'),
      called,
      { role: 'tool', content: fenced('It is 42.'), tool_call_id: 'call_1' },
    ];
    const { text, calls } = answer(messages, [sum]);
    expect(text).toContain('get-sum answered: It is 42.');
    expect(calls).toEqual([]);
  });

  it('says what failed', () => {
    const content = JSON.stringify({ isError: true, error: 'Tool execution timed out after 5ms' });
    const { text } = answer(
      [user('Add 2 and 40'), called, { role: 'tool', content, tool_call_id: 'call_1' }],
      [sum],
    );
    expect(text).toContain('get-sum failed: Tool execution timed out after 5ms');
  });

  it('takes JSON that speaks of no error for a result', () => {
    const content = '{"isError":false,"sum":42}';
    const { text } = answer(
      [user('Add 2 and 40'), called, { role: 'tool', content, tool_call_id: 'call_1' }],
      [sum],
    );
    expect(text).toContain(`get-sum answered: ${content}`);
  });

  it('understands the answer to its own question', () => {
    const asked = answer([user('Use the sum tool')], [sum]);
    expect(asked.text).toContain('a and b');
    const messages = [user('Use the sum tool'), { role: 'assistant', content: asked.text }, user('2 and 40')];
    expect(answer(messages, [sum]).calls).toEqual([{ name: 'mcp__1__get-sum', arguments: { a: 2, b: 40 } }]);
  });

  it('reads a question that comes in parts', () => {
    expect(answer([user([{ type: 'text', text: 'Add 2 and 40' }])], [sum]).calls).toHaveLength(1);
  });

  it.each([
    ['What time is it?', 'current_time'],
    ['Summarise this page.', 'read_page'],
    ['Explain the selection', 'read_selection'],
    ['Which tabs are open?', 'list_tabs'],
  ])('answers %s with a call of %s', (question, name) => {
    expect(answer([user(question)], pageTools).calls).toEqual([{ name, arguments: {} }]);
  });

  it('does not read a page that it is asked not to read', () => {
    expect(answer([user('Do not read the page')], pageTools).calls).toEqual([]);
  });

  it('tells of what is attached instead of reading it again, and how to get a real answer', () => {
    const source = { type: 'file' } as const;
    const attachments = [
      { id: 'a', title: 'Tides', text: 'Tides follow the moon.', tokens: 5, createdAt: '', source },
    ];
    const { content } = withAttached(
      {
        id: 'm',
        role: 'user',
        content: 'Summarise this page.',
        attachments,
      } as never,
      FENCE,
    );
    const { text, calls } = answer([user(content)], pageTools);
    expect(calls).toEqual([]);
    expect(text).toContain('You attached “Tides”. It begins: Tides follow the moon.');
    expect(text).toContain('Settings');
  });
});
