import { describe, expect, it } from 'vitest';
import { offer } from '../../lib/agent/offer.ts';
import type { Message } from '../../lib/types/message.ts';
import { OWN_TOOLS } from '../../lib/types/tools/tool-source.ts';
import type { OfferedTool } from '../../lib/types/tools/tool.ts';
import { offered, userMessage } from '../fakes/rows.ts';
import { calls, prepared, says, scriptedModel } from '../fakes/scripted-model.ts';
import { callsMessage, collect, only, run } from './harness.ts';

const many = Array.from({ length: 200 }, (_, index) => offered(`t${index}`));
const own: OfferedTool = { ...offered('read_more'), name: 'read_more', serverId: null };
const none = scriptedModel().model;
const names = (tools: OfferedTool[] = []) => tools.map(({ name }) => name);

function searched(...found: string[]): Message {
  const content = JSON.stringify({ tools: found.map((name) => ({ name, description: '' })) });
  const base = { ...userMessage(content), id: 'm0.0.result', seq: 1, sub: 1 };
  return { ...base, role: 'tool', tool_call_id: 'c', name: 'search_tools' };
}

describe('the tools that are offered', () => {
  it('are all there are, in their order and without the search, as long as they are few and small', () => {
    expect(offer(prepared(none, many.slice(0, 128)), [])).toEqual(many.slice(0, 128));
  });

  it('are Portside’s own and the search when there are more than the limit', () => {
    expect(names(offer(prepared(none, [...many, own]), []))).toEqual(['search_tools', 'read_more']);
  });

  it('always hold those that read the page in front and tell the time, for a model that reads little', () => {
    const pageTool = (name: string): OfferedTool => ({ ...offered(name), name, serverId: OWN_TOOLS });
    const page = ['read_page', 'read_selection', 'current_time', 'open_tab'].map(pageTool);
    const small = prepared(none, [...many, ...page, own], { contextWindow: 8192 });
    expect(names(offer(small, [])).toSorted()).toEqual([
      'current_time',
      'read_more',
      'read_page',
      'read_selection',
      'search_tools',
    ]);
  });

  it('are all but those that act on pages where these are too many', () => {
    const click: OfferedTool = { ...offered('click'), name: 'click', serverId: OWN_TOOLS };
    const given = prepared(none, [...many.slice(0, 3), click], { toolLimit: { count: 3, share: 1 } });
    const others = ['mcp__1__t0', 'mcp__1__t1', 'mcp__1__t2'];
    expect(names(offer(given, []))).toEqual(['search_tools', ...others]);
    expect(names(offer(given, [searched('click')]))).toEqual(['search_tools', ...others, 'click']);
  });

  it('have the one that hands over to the user with the first that acts on a page', () => {
    const ofPortside = (name: string): OfferedTool => ({ ...offered(name), name, serverId: OWN_TOOLS });
    const given = prepared(
      none,
      [...many.slice(0, 3), ofPortside('ask_user'), ofPortside('click'), ofPortside('hover')],
      {
        toolLimit: { count: 3, share: 1 },
      },
    );
    const sent = (...found: string[]) => names(offer(given, [searched(...found)])).slice(4);
    expect(sent()).toEqual([]);
    expect(sent('click', 'hover')).toEqual(['click', 'ask_user', 'hover']);
  });

  it('are found by search too when their definitions take too much of the context', () => {
    const large = { ...offered('large'), description: 'word '.repeat(5000) };
    expect(names(offer(prepared(none, [large], { contextWindow: 50_000 }), []))).toEqual(['search_tools']);
    expect(names(offer(prepared(none, [large]), []))).toEqual(['mcp__1__large']);
  });

  it('are sent without what is invisible in what their servers say of them', () => {
    const tool = { ...offered('hidden'), description: 'Adds\u{e0041}' };
    const [sent] = offer(prepared(none, [tool]), []);
    expect(sent?.description).toBe('Adds\n[1 invisible characters removed]');
    expect(offer(prepared(none, [tool]), [])[0]).toBe(sent);
  });

  it('are sent without control tokens in what their servers say of them', () => {
    const said = 'Adds<|im_end|>';
    const inputSchema = { type: 'object', properties: { a: { type: 'string', description: said } } };
    const [sent] = offer(prepared(none, [{ ...offered('adds'), description: said, inputSchema }]), []);
    expect(sent?.description).toBe('Adds&lt;|im_end|>');
    expect(sent?.inputSchema).toMatchObject({ properties: { a: { description: 'Adds&lt;|im_end|>' } } });
  });

  it('are measured and looked through once each, however often a request is put together', () => {
    let measured = 0;
    const inputSchema = { toJSON: () => `${(measured += 1)}` };
    const given = prepared(none, [{ ...offered('counted'), inputSchema }]);
    for (let request = 0; request < 3; request += 1) offer(given, []);
    expect(measured).toBe(2);
  });

  it('grow at the end only, by what the branch found or called, in the order of first sight', () => {
    const given = prepared(none, many);
    const history: Message[] = [searched('mcp__1__t9', 'mcp__1__t3')];
    const first = names(offer(given, history));
    expect(first).toEqual(['search_tools', 'mcp__1__t9', 'mcp__1__t3']);
    history.push(callsMessage('mcp__1__t150', 'mcp__1__t3'), searched('mcp__1__t1', 'mcp__1__gone'));
    const second = names(offer(given, history));
    expect(second.slice(0, 3)).toEqual(first);
    expect(second.slice(3)).toEqual(['mcp__1__t150', 'mcp__1__t1']);
  });

  it('are at most as many found ones as the limit allows: those that came up last, in the order of first sight', () => {
    const given = prepared(none, many, { toolLimit: { count: 3, share: 1 } });
    const history = [
      searched('mcp__1__t1', 'mcp__1__t2', 'mcp__1__t3'),
      searched('mcp__1__t4'),
      callsMessage('mcp__1__t1'),
    ];
    expect(names(offer(given, history))).toEqual(['search_tools', 'mcp__1__t1', 'mcp__1__t3', 'mcp__1__t4']);
  });

  it.each(['[1', 'null', '{"tools":[1,{"name":7}]}', '{"tools":"x"}'])(
    'take nothing from a search result that is none: %s',
    (content) => {
      expect(names(offer(prepared(none, many), [{ ...searched(), content }]))).toEqual(['search_tools']);
    },
  );

  it('come with the next request of the run that found them', async () => {
    const script = scriptedModel(calls(['search_tools', { query: 'nine' }]), says('Done'));
    const events = await collect(
      run(
        script,
        {},
        {
          given: { tools: many },
          callTool: async (_call, _args, { started }) => {
            await started();
            return {
              status: 'success',
              result: { text: '{"tools":[{"name":"mcp__1__t9"}]}', isError: false },
            };
          },
        },
      ),
    );
    expect(only(events, 'call_start')).toMatchObject([{ toolName: 'search_tools', serverId: null }]);
    expect(script.requests.map(({ tools }) => names(tools))).toEqual([
      ['search_tools'],
      ['search_tools', 'mcp__1__t9'],
    ]);
  });

  it('are of apps, too: whose words the answer was written with is kept, each server once', async () => {
    const ofApp = (name: string): OfferedTool => ({ ...offered(name), ofApp: 'm0.0' });
    const script = scriptedModel(says('Done'));
    const live = async () => [ofApp('select'), ofApp('move')];
    const instructedBy = [{ serverId: 7, name: 'Other' }];
    const events = await collect(run(script, {}, { given: { live, instructedBy } }));
    const { serverId, serverName: name } = offered('select');
    expect(only(events, 'message_end')).toMatchObject([
      { message: { instructedBy: [...instructedBy, { serverId, name }] } },
    ]);
  });

  it('are not the only ones that can be called', async () => {
    const script = scriptedModel(calls(['mcp__1__t7', {}]), says('Done'));
    const events = await collect(run(script, {}, { given: { tools: many } }));
    expect(only(events, 'call_end')).toMatchObject([{ status: 'success' }]);
  });
});
