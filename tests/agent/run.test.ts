import { describe, expect, it } from 'vitest';
import type { AgentDeps } from '../../lib/agent/deps.ts';
import type { RunEvent } from '../../lib/types/run.ts';
import { aborted, calls, ends, failed, says, saysThenHangs, scriptedModel } from '../fakes/scripted-model.ts';
import { PAGE_TOOLS } from '../../lib/types/tools/tool-source.ts';
import type { OfferedTool } from '../../lib/types/tools/tool.ts';
import { offered } from '../fakes/rows.ts';
import { collect, cutOff, only, run, toolContents, types } from './harness.ts';

describe('runAgent', () => {
  it('answers in one iteration when the model calls nothing', async () => {
    const events = await collect(run(scriptedModel(says('Hi'))));
    expect(types(events)).toEqual([
      'run_start',
      'iteration_start',
      'text_delta',
      'message_end',
      'iteration_end',
      'run_end',
    ]);
    expect(events.at(-1)).toEqual({ type: 'run_end', runId: 'r1', reason: 'done' });
  });

  it('keeps with the answer what had to be left out of the question', async () => {
    const notes = ['example.test refused tools, so this answer was written without them.'];
    const events = await collect(run(scriptedModel(says('Hi', { notes }))));
    const end = events.find((event) => event.type === 'message_end');
    expect(end?.message).toMatchObject({ content: 'Hi', notes });
  });

  it('makes the calls and asks again with their results', async () => {
    const script = scriptedModel(calls(['mcp__1__echo', { word: 'port' }]), says('Done'));
    const events = await collect(run(script));
    expect(types(events)).toEqual([
      'run_start',
      'iteration_start',
      'call_delta',
      'message_end',
      'call_start',
      'call_end',
      'iteration_end',
      'iteration_start',
      'text_delta',
      'message_end',
      'iteration_end',
      'run_end',
    ]);
    expect(toolContents(script.requests[1]?.messages)).toEqual(['echo {"word":"port"}']);
  });

  it('offers what pages offer by then with each request, and writes down of which page a call is', async () => {
    const script = scriptedModel(calls(['page__7__add', {}]), says('Done'));
    const add: OfferedTool = {
      ...offered('add'),
      name: 'page__7__add',
      serverId: PAGE_TOOLS,
      page: { tab: 7, site: 'https://shop.example' },
    };
    const looks = [[add], []];
    const live = async () => looks.shift() ?? [];
    const events = await collect(run(script, {}, { given: { live } }));
    const names = script.requests.map((request) => request.tools.map(({ name }) => name));
    expect(names[0]).toEqual([...(names[1] ?? []), 'page__7__add']);
    const [first, last] = only(events, 'message_end');
    expect(first?.message).toMatchObject({ offeredBy: ['https://shop.example'] });
    expect(first?.calls).toMatchObject([{ status: 'pending', tab: 7, reads: 'https://shop.example' }]);
    expect(last?.message).not.toHaveProperty('offeredBy');
  });

  it('runs the calls of one iteration in parallel and appends the results in call order', async () => {
    const script = scriptedModel(calls(['mcp__1__echo', {}], ['mcp__1__look', {}]), says('Done'));
    const lookEnded = Promise.withResolvers<void>();
    const events = await collect(
      run(
        script,
        {},
        {
          callTool: async ({ toolName }, _args, { started }) => {
            await started();
            if (toolName === 'echo') await lookEnded.promise;
            else lookEnded.resolve();
            return { status: 'success', result: { text: toolName, isError: false } };
          },
        },
      ),
    );
    const ended = events.filter((event) => event.type === 'call_end').map(({ callId }) => callId);
    expect(ended).toEqual(['m1.1', 'm1.0']);
    expect(toolContents(script.requests[1]?.messages)).toEqual(['echo', 'look']);
  });

  it('does not dispatch a call before its call_start was dealt with', async () => {
    const log: string[] = [];
    const script = scriptedModel(calls(['mcp__1__echo', {}]), says('Done'));
    const events = run(
      script,
      {},
      {
        callTool: async (_call, _args, { started }) => {
          await started();
          log.push('dispatched');
          return { status: 'success', result: { text: '', isError: false } };
        },
      },
    );
    for await (const event of events) {
      if (event.type !== 'call_start') continue;
      await new Promise((resolve) => setTimeout(resolve, 5));
      log.push('written down');
    }
    expect(log).toEqual(['written down', 'dispatched']);
  });

  it.each([
    ['a tool that does not exist', ['mcp__9__nothing', {}], 'There is no tool named mcp__9__nothing.'],
    ['malformed arguments', ['mcp__1__echo', '{"word":'], 'The arguments are not valid JSON'],
    [
      'arguments over the size limit',
      ['mcp__1__echo', `{"word":"${'x'.repeat(1_000_000)}"}`],
      'at most 1000000',
    ],
    ['arguments that are no object', ['mcp__1__echo', '[1]'], 'The arguments must be a JSON object.'],
  ] as const)('answers %s with an error result and executes nothing', async (_what, call, problem) => {
    const script = scriptedModel(calls([call[0], call[1]]), says('Sorry'));
    const events = await collect(run(script));
    expect(types(events)).not.toContain('call_start');
    const [content] = toolContents(script.requests[1]?.messages);
    expect(JSON.parse(content ?? '')).toMatchObject({
      isError: true,
      error: expect.stringContaining(problem),
    });
  });

  it('never executes a call that the output limit cut off, whole as it may look', async () => {
    const turn = calls(['mcp__1__echo', {}], ['mcp__1__note', '']);
    const cut = turn.map((event) =>
      event.type === 'end' ? ends({ ...event.turn, finish: 'length' }) : event,
    );
    const events = await collect(run(scriptedModel(cut, says('Done'))));
    const started = events.filter((event) => event.type === 'call_start').map(({ toolName }) => toolName);
    expect(started).toEqual(['echo']);
  });

  it('tells the model why a denied call was not made, and lets the others go on', async () => {
    const script = scriptedModel(calls(['mcp__1__note', {}], ['mcp__1__look', {}]), says('Done'));
    const events = await collect(
      run(
        script,
        {},
        {
          approve: async ({ toolName }) =>
            toolName === 'note' ? { decision: Promise.resolve({ decision: 'deny' as const }) } : 'allow',
        },
      ),
    );
    expect(types(events)).toContain('approval_required');
    expect(types(events)).toContain('approval_resolved');
    const statuses = events.flatMap((event) =>
      event.type === 'call_end' ? [[event.callId, event.status]] : [],
    );
    expect(Object.fromEntries(statuses)).toEqual({ 'm1.0': 'denied', 'm1.1': 'success' });
    const [note, look] = toolContents(script.requests[1]?.messages);
    expect(JSON.parse(note ?? '')).toMatchObject({ isError: true });
    expect(look).toBe('look {}');
  });

  it('keeps what was said when the model breaks off, as a partial message, and ends with the error', async () => {
    const turn = [
      { type: 'text', text: 'Half an ans' } as const,
      failed('model_incomplete', 'It broke off.'),
    ];
    const events = await collect(run(scriptedModel(turn)));
    expect(events.find((event) => event.type === 'message_end')?.message).toMatchObject({
      content: 'Half an ans',
      status: 'partial',
    });
    expect(events.at(-1)).toMatchObject({ reason: 'error', error: { code: 'model_incomplete' } });
  });

  it('ends with the error when the model or its tools can’t be made ready', async () => {
    const prepare = () => Promise.reject(new Error('no database'));
    const events = await collect(run(scriptedModel(), {}, { prepare }));
    expect(types(events)).toEqual(['run_start', 'run_end']);
    expect(events.at(-1)).toMatchObject({ reason: 'error', error: { cause: 'Error: no database' } });
  });

  it('stops the model and every pending call, and each call has its result', async () => {
    const stop = new AbortController();
    const script = scriptedModel(calls(['mcp__1__echo', {}], ['mcp__1__note', {}]), says('Never said'));
    const events: RunEvent[] = [];
    const deps: Partial<AgentDeps> = {
      callTool: async (_call, _args, { started, signal }) => {
        await started();
        await aborted(signal);
        return { status: 'cancelled', result: { text: 'cancelled', isError: true } };
      },
      approve: async ({ toolName }) => (toolName === 'note' ? { decision: new Promise(() => {}) } : 'allow'),
    };
    for await (const event of run(script, {}, deps, stop.signal)) {
      events.push(event);
      if (types(events).includes('call_start') && event.type === 'approval_required') stop.abort();
      if (event.type === 'call_start' && types(events).includes('approval_required')) stop.abort();
    }
    expect(events.filter((event) => event.type === 'call_end').map(({ status }) => status)).toEqual([
      'cancelled',
      'cancelled',
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'run_end', reason: 'cancelled' });
    expect(script.requests).toHaveLength(1);
  });

  it('keeps the partial text when it is stopped in mid-answer', async () => {
    const stop = new AbortController();
    const events: RunEvent[] = [];
    for await (const event of run(scriptedModel(saysThenHangs('So far')), {}, {}, stop.signal)) {
      events.push(event);
      if (event.type === 'text_delta') stop.abort();
    }
    expect(events.find((event) => event.type === 'message_end')?.message.content).toBe('So far');
    expect(events.at(-1)).toEqual({ type: 'run_end', runId: 'r1', reason: 'cancelled' });
  });

  it('ends with `limit` after the last allowed iteration', async () => {
    const script = scriptedModel(calls(['mcp__1__echo', {}]), calls(['mcp__1__echo', {}]), says('Never'));
    const events = await collect(run(script, {}, { maxIterations: 2 }));
    expect(events.at(-1)).toMatchObject({ reason: 'limit' });
    expect(script.requests).toHaveLength(2);
  });
});

describe('runAgent, picked up after the worker died', () => {
  it('executes the calls of a whole message that have no result yet, without asking the model again', async () => {
    const { history, rows } = cutOff('mcp__1__echo', 'mcp__1__look');
    const script = scriptedModel(says('Done'));
    const events = await collect(run(script, { history, ledger: rows, iteration: 1 }));
    expect(events.filter((event) => event.type === 'call_end')).toHaveLength(2);
    expect(script.requests).toHaveLength(1);
    expect(toolContents(script.requests[0]?.messages)).toHaveLength(2);
  });

  it('makes a call again that was found running and may be repeated', async () => {
    const { history, rows } = cutOff('mcp__1__look');
    const ledger = rows.map((row) => ({ ...row, status: 'running' as const }));
    const events = await collect(run(scriptedModel(says('Done')), { history, ledger }));
    expect(types(events)).not.toContain('approval_required');
    expect(types(events)).toContain('call_start');
  });

  it.each([
    ['deny', 'unknown', false],
    ['allow', 'success', true],
  ] as const)(
    'asks the user about any other call that was found running: %s ends it as %s',
    async (decision, status, again) => {
      const { history, rows } = cutOff('mcp__1__note');
      const ledger = rows.map((row) => ({ ...row, status: 'running' as const }));
      const approve = async () => ({ decision: Promise.resolve({ decision }) });
      const events = await collect(run(scriptedModel(says('Done')), { history, ledger }, { approve }));
      expect(events.find((event) => event.type === 'approval_required')).toMatchObject({ wait: 'unknown' });
      expect(types(events).includes('call_start')).toBe(again);
      expect(events.find((event) => event.type === 'call_end')).toMatchObject({ status });
      expect(events.at(-1)).toMatchObject({ reason: 'done' });
    },
  );

  it('gives the replaced message’s id to its retry', async () => {
    const events = await collect(run(scriptedModel(says('Whole')), { replaces: 'broken' }));
    expect(events.find((event) => event.type === 'message_end')?.message.id).toBe('broken');
  });
});
