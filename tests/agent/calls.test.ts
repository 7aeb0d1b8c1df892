import { describe, expect, it, vi } from 'vitest';
import type { AgentDeps } from '../../lib/agent/deps.ts';
import { toolMessage } from '../../lib/agent/context/history.ts';
import { withDecision, ledgerRows } from '../../lib/agent/ledger.ts';
import { checkArguments } from '../../lib/tools/check-arguments.ts';
import type { RunEvent } from '../../lib/types/run.ts';
import type { CallTool } from '../../lib/types/tools/call-tool.ts';
import type { Decision } from '../../lib/types/tools/tool-call.ts';
import { OWN_TOOLS } from '../../lib/types/tools/tool-source.ts';
import { offered, userMessage } from '../fakes/rows.ts';
import { calls, ends, says, scriptedModel } from '../fakes/scripted-model.ts';
import {
  callsMessage,
  collect,
  contents,
  cutOff,
  noChecks,
  only,
  run,
  toolContents,
  tools,
  types,
} from './harness.ts';

const errorOf = (content = '') => (JSON.parse(content) as { error: string }).error;

describe('calls that act on a page or lead its tab elsewhere', () => {
  const acting = ['click', 'type_text', 'navigate'].map((name) => ({
    ...offered(name),
    name,
    serverId: OWN_TOOLS,
  }));
  const plan = () =>
    scriptedModel(
      calls(['type_text', {}], ['mcp__1__echo', {}], ['click', {}], ['navigate', {}]),
      says('Done'),
    );
  const given = { tools: [...acting, offered('echo')] };

  it('are made in their order, one after another, whichever is allowed first', async () => {
    const order: string[] = [];
    const callTool: CallTool = async ({ toolName }, _args, { started }) => {
      await started();
      order.push(toolName);
      return { status: 'success', result: { text: 'Done.', isError: false } };
    };
    const first = Promise.withResolvers<Decision>();
    const approve: AgentDeps['approve'] = async ({ toolName }) => {
      if (toolName !== 'type_text') return 'allow';
      setTimeout(() => first.resolve({ decision: 'allow' }));
      return { decision: first.promise };
    };
    await collect(run(plan(), {}, { given, callTool, approve }));
    expect(order).toEqual(['echo', 'type_text', 'click', 'navigate']);
  });

  it('are not made once one before them failed; that the user refused one is no matter', async () => {
    const ended = async (deps: Partial<AgentDeps>) => {
      const events = await collect(run(plan(), {}, { given, ...deps }));
      const click = only(events, 'call_end').find(({ callId }) => callId.endsWith('.2'));
      return [click?.status, click?.result.text];
    };
    const callTool: CallTool = async ({ toolName }) => ({
      status: 'success',
      result: { text: toolName, isError: toolName === 'type_text' },
    });
    expect(await ended({ callTool })).toEqual(['error', expect.stringContaining('failed before it')]);
    const approve: AgentDeps['approve'] = async ({ toolName }) => (toolName === 'click' ? 'allow' : 'block');
    expect(await ended({ callTool, approve })).toEqual(['success', 'click']);
  });

  it('wait for all before them, and end with them, though the user refused one in between', async () => {
    const order: string[] = [];
    const callTool =
      (isError: boolean): CallTool =>
      async ({ callId }, _args, { started }) => {
        await started();
        const at = callId.slice(-1);
        order.push(`${at} begins`);
        if (at === '0') await new Promise((resolve) => setTimeout(resolve));
        order.push(`${at} ends`);
        return { status: 'success', result: { text: 'Done.', isError: isError && at === '0' } };
      };
    const three = () => scriptedModel(calls(['click', {}], ['type_text', {}], ['click', {}]), says('Done'));
    const approve: AgentDeps['approve'] = async ({ toolName }) => (toolName === 'click' ? 'allow' : 'block');
    await collect(run(three(), {}, { given, callTool: callTool(false), approve }));
    expect(order).toEqual(['0 begins', '0 ends', '2 begins', '2 ends']);
    await collect(run(three(), {}, { given, callTool: callTool(true), approve }));
    expect(order.slice(4)).toEqual(['0 begins', '0 ends']);
  });

  it.each([
    ['are not made once one failed', { isError: true }, []],
    ['are made once one went well', { isError: false }, ['click']],
    ['are made once the user refused one', { isError: true, refusal: 'denied' as const }, ['click']],
  ])('%s before the worker ended', async (_what, outcome, expected) => {
    const message = callsMessage('type_text', 'click');
    const [first, second] = ledgerRows(message, acting, noChecks);
    if (!first || !second) throw new Error('No rows.');
    const result = { text: 'Ended.', ...outcome };
    const ledger = [{ ...first, status: 'success' as const, result }, second];
    const history = [
      userMessage('Hello'),
      message,
      toolMessage(first, result, message.seq, message.timestamp),
    ];
    const made: string[] = [];
    const callTool: CallTool = async ({ toolName }) => {
      made.push(toolName);
      return { status: 'success', result: { text: 'Done.', isError: false } };
    };
    const events = await collect(run(scriptedModel(says('Done')), { history, ledger }, { given, callTool }));
    expect(made).toEqual(expected);
    expect(only(events, 'call_end').map(({ callId }) => callId)).toEqual([second.callId]);
  });
});

describe('calls of one message that the user is asked about', () => {
  it('are asked about at once, however long it takes to judge one of them', async () => {
    const events: string[] = [];
    const slow = Promise.withResolvers<void>();
    const approve: AgentDeps['approve'] = async ({ callId }) => {
      if (callId.endsWith('.1')) await slow.promise;
      return { decision: Promise.resolve({ decision: 'deny' }) };
    };
    const twice = scriptedModel(calls(['mcp__1__echo', {}], ['mcp__1__echo', {}]), says('Done'));
    const collecting = (async () => {
      for await (const { type } of run(twice, {}, { approve })) events.push(type);
    })();
    await new Promise((resolve) => setTimeout(resolve));
    expect(events).not.toContain('approval_required');
    slow.resolve();
    await collecting;
    const asked = events.filter((type) => type.startsWith('approval') || type === 'call_end');
    expect(asked.slice(0, 2)).toEqual(['approval_required', 'approval_required']);
  });
});

describe('a call that can’t be made', () => {
  it('does not run when its arguments do not fit the schema; the model reads why', async () => {
    const script = scriptedModel(calls(['mcp__1__echo', { word: 1 }]), says('Sorry'));
    const misfit = vi.fn(() => '`word` must be a string');
    const events = await collect(run(script, {}, { checkArguments: misfit }));
    expect(misfit).toHaveBeenCalledExactlyOnceWith(tools[0]?.inputSchema, { word: 1 }, false);
    expect(types(events)).not.toContain('call_start');
    expect(errorOf(toolContents(script.requests[1]?.messages)[0])).toContain('`word` must be a string.');
  });

  it('is told of in whole sentences, by the checker’s words', () => {
    const inputSchema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
    const message = callsMessage('mcp__1__strict');
    const [row] = ledgerRows(message, [{ ...offered('strict'), inputSchema }], {
      ...noChecks,
      checkArguments,
    });
    expect(row?.result?.text).toBe(
      'The arguments do not fit the tool’s schema: `text` is missing. The call was not executed.',
    );
  });

  it('names the tools that are most like one that does not exist', async () => {
    const script = scriptedModel(calls(['mcp__1__eco', {}]), says('Sorry'));
    const nearNames = () => ['mcp__1__echo', 'mcp__1__note'];
    await collect(run(script, {}, { nearNames }));
    expect(errorOf(toolContents(script.requests[1]?.messages)[0])).toContain(
      'Did you mean mcp__1__echo or mcp__1__note?',
    );
  });

  it('is told why a tool that exists was withheld', async () => {
    const script = scriptedModel(calls(['mcp__1__research', {}]), says('Sorry'));
    const withheld = new Map([['mcp__1__research', 'The user has switched this tool off.']]);
    await collect(run(script, {}, { given: { withheld }, nearNames: () => ['mcp__1__echo'] }));
    expect(errorOf(toolContents(script.requests[1]?.messages)[0])).toBe(
      'mcp__1__research cannot be called. The user has switched this tool off. The call was not executed.',
    );
  });

  it('is told of in few words, however long the name is that the model made up', () => {
    const nearNames = vi.fn(() => []);
    const message = callsMessage('x'.repeat(1_000_000));
    const [row] = ledgerRows(message, tools, { ...noChecks, nearNames });
    expect(row?.result?.text.length).toBeLessThan(300);
  });

  it('does not run when its server mixed its arguments up with another call’s', () => {
    const message = callsMessage('mcp__1__echo', 'mcp__1__echo');
    const [first, second] = message.tool_calls ?? [];
    const mixed = { ...message, tool_calls: [{ ...first!, broken: true as const }, second!] };
    const rows = ledgerRows(mixed, tools, noChecks);
    expect(rows.map(({ status }) => status)).toEqual(['error', 'pending']);
    expect(rows[0]?.result?.text).toContain('came mixed up');
  });

  it('is in the ledger from the start, refused and with its result', async () => {
    const script = scriptedModel(calls(['nothing', {}], ['mcp__1__echo', '']), says('Done'));
    const events = await collect(run(script));
    expect(only(events, 'message_end')[0]?.calls).toMatchObject([
      { callId: 'm1.0', refused: true, status: 'error', result: { isError: true } },
      { callId: 'm1.1', status: 'pending' },
    ]);
    expect(only(events, 'message_end')[0]?.calls[1]).not.toHaveProperty('refused');
    expect(toolContents(script.requests[1]?.messages)[1]).toBe('echo {}');
  });
});

describe('the user’s decision', () => {
  const deciding = (decision: Decision) => async () => ({ decision: Promise.resolve(decision) });

  it('may change the arguments: what runs is the user’s, and the model is told', async () => {
    const script = scriptedModel(calls(['mcp__1__note', { to: 'all' }]), says('Done'));
    const approve = deciding({ decision: 'allow', arguments: '{"to":"me"}' });
    const events = await collect(run(script, {}, { approve }));
    expect(only(events, 'call_start')).toMatchObject([{ arguments: '{"to":"me"}' }]);
    const [content] = toolContents(script.requests[1]?.messages);
    expect(content).toContain('The user changed the arguments of this call to:\n{"to":"me"}\nIts result:');
    expect(content).toMatch(/note \{"to":"me"\}$/);
  });

  it('is not an edit when the arguments are the model’s own', () => {
    const [row] = cutOff('mcp__1__note').rows;
    if (!row) throw new Error('no row');
    expect(withDecision(row, { decision: 'allow', arguments: '{}' })).not.toHaveProperty('edited');
  });

  it('executes nothing when the changed arguments are no object after all', async () => {
    const script = scriptedModel(calls(['mcp__1__note', {}]), says('Done'));
    const events = await collect(
      run(script, {}, { approve: deciding({ decision: 'allow', arguments: '[' }) }),
    );
    expect(types(events)).not.toContain('call_start');
    expect(only(events, 'call_end')).toMatchObject([{ status: 'error' }]);
  });

  it('may come with a word to the model, which the card and the log show with it', async () => {
    const script = scriptedModel(calls(['mcp__1__note', {}]), says('Done'));
    const approve = deciding({ decision: 'deny', word: 'Ask my boss first' });
    const events = await collect(run(script, {}, { approve }));
    expect(only(events, 'call_end')[0]?.result).toEqual({
      text: 'The user did not allow this call. It was not executed. The user says: Ask my boss first',
      isError: true,
      refusal: 'denied',
      word: 'Ask my boss first',
    });
    expect(contents(script.requests[1]?.messages).at(-1)).toBe(
      'To the call of mcp__1__note: Ask my boss first',
    );
  });

  it('holds in the row at once: allowed with the edit, denied or skipped with the result', () => {
    const [row] = cutOff('mcp__1__note').rows;
    if (!row) throw new Error('no row');
    const waiting = { ...row, wait: 'permission' as const };
    expect(withDecision(waiting, { decision: 'allow', arguments: '{"a":1}' })).toMatchObject({
      status: 'approved',
      edited: '{"a":1}',
    });
    expect(withDecision(waiting, { decision: 'deny' })).toMatchObject({
      status: 'denied',
      result: { isError: true },
    });
    expect(withDecision({ ...row, wait: 'unknown' }, { decision: 'deny', word: 'Leave it' })).toMatchObject({
      status: 'unknown',
      result: { text: expect.stringContaining('Leave it') },
    });
    expect(withDecision(waiting, { decision: 'deny' })).not.toHaveProperty('wait');
  });

  it('survives in the row: an edited call that was approved runs as edited after a restart', async () => {
    const { history, rows } = cutOff('mcp__1__note');
    const ledger = rows.map((row) => withDecision(row, { decision: 'allow', arguments: '{"to":"me"}' }));
    const script = scriptedModel(says('Done'));
    await collect(
      run(script, { history, ledger }, { approve: () => Promise.reject(new Error('asked again')) }),
    );
    expect(toolContents(script.requests[0]?.messages)[0]).toMatch(/note \{"to":"me"\}$/);
  });
});

describe('the progress of a call', () => {
  it('does not pile up: of what was not read yet only the newest is kept, and none comes after the end', async () => {
    let late = () => {};
    const script = scriptedModel(calls(['mcp__1__echo', {}]), async function* (_request) {
      late();
      yield* says('Done');
    });
    const events = await collect(
      run(
        script,
        {},
        {
          callTool: async (_call, _args, { started, progress }) => {
            await started();
            late = () => progress({ progress: -1 });
            for (let step = 1; step <= 10_000; step += 1) progress({ progress: step });
            return { status: 'success', result: { text: '', isError: false } };
          },
        },
      ),
    );
    expect(only(events, 'call_progress').map(({ progress }) => progress)).toEqual([10_000]);
    const order = types(events);
    expect(order.indexOf('call_progress')).toBeLessThan(order.indexOf('call_end'));
  });

  it('goes on being told after the reader has caught up', async () => {
    const read = Promise.withResolvers<void>();
    const script = scriptedModel(calls(['mcp__1__echo', {}]), says('Done'));
    const callTool: CallTool = async (_call, _args, { started, progress }) => {
      await started();
      progress({ progress: 1 });
      await read.promise;
      progress({ progress: 2 });
      return { status: 'success', result: { text: '', isError: false } };
    };
    const seen: number[] = [];
    for await (const event of run(script, {}, { callTool })) {
      if (event.type === 'call_progress') seen.push(event.progress ?? 0);
      if (seen.length > 0) read.resolve();
    }
    expect(seen).toEqual([1, 2]);
  });

  it('of one call does not hide that of another', async () => {
    const script = scriptedModel(calls(['mcp__1__echo', {}], ['mcp__1__look', {}]), says('Done'));
    const events: RunEvent[] = await collect(
      run(
        script,
        {},
        {
          callTool: async (_call, _args, { started, progress }) => {
            await started();
            progress({ progress: 1 });
            return { status: 'success', result: { text: '', isError: false } };
          },
        },
      ),
    );
    expect(new Set(only(events, 'call_progress').map(({ callId }) => callId))).toEqual(
      new Set(['m1.0', 'm1.1']),
    );
  });
});

describe('an answer', () => {
  it('tells its model, its timing and what it cost, cached tokens at their own price', async () => {
    let now = 1000;
    const usage = { inputTokens: 1_000_000, outputTokens: 100_000, cachedTokens: 400_000 };
    const model = scriptedModel(async function* (_request) {
      now += 300;
      yield { type: 'text', text: 'H' };
      now += 400;
      yield { type: 'text', text: 'i' };
      now += 300;
      yield ends({ content: 'Hi', usage });
    });
    const given = { modelName: 'swift-1', price: { input: 2, output: 10, cached: 0.5 } };
    const events = await collect(run(model, {}, { given, now: () => now }));
    expect(only(events, 'message_end')[0]?.message).toMatchObject({
      model: 'swift-1',
      usage,
      timing: { firstTokenMs: 300 },
      cost: 1.2 + 0.2 + 1,
    });
  });

  it.each([
    [
      'at the price of input where cached tokens have none',
      { inputTokens: 1_000_000, cachedTokens: 400_000 },
      2,
    ],
    ['with no more cached tokens than there were', { inputTokens: 1_000_000, cachedTokens: 9_000_000 }, 2],
    ['without cached tokens', { inputTokens: 500_000 }, 1],
  ])('costs %s', async (_how, used, cost) => {
    const model = scriptedModel(says('Hi', { usage: { outputTokens: 0, ...used } }));
    const events = await collect(run(model, {}, { given: { price: { input: 2, output: 10 } } }));
    expect(only(events, 'message_end')[0]?.message.cost).toBe(cost);
  });

  it('costs no more cached tokens than there were', async () => {
    const usage = { inputTokens: 1_000_000, outputTokens: 0, cachedTokens: 9_000_000 };
    const given = { price: { input: 2, output: 10, cached: 0.5 } };
    const events = await collect(run(scriptedModel(says('Hi', { usage })), {}, { given }));
    expect(only(events, 'message_end')[0]?.message.cost).toBe(0.5);
  });

  it('has no cost that is more than adds up', async () => {
    const usage = { inputTokens: Number.MAX_SAFE_INTEGER, outputTokens: 0 };
    const given = { price: { input: 1e300, output: 0 } };
    const events = await collect(run(scriptedModel(says('Hi', { usage })), {}, { given }));
    expect(only(events, 'message_end')[0]?.message).not.toHaveProperty('cost');
  });

  it('has no cost while no usage is told', async () => {
    const events = await collect(
      run(scriptedModel(says('Hi')), {}, { given: { price: { input: 2, output: 10 } } }),
    );
    expect(only(events, 'message_end')[0]?.message).not.toHaveProperty('cost');
  });

  it('has no cost while no price is known', async () => {
    const usage = { inputTokens: 10, outputTokens: 10 };
    const events = await collect(run(scriptedModel(says('Hi', { usage }))));
    expect(only(events, 'message_end')[0]?.message).not.toHaveProperty('cost');
  });
});
