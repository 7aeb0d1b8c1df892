import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { blocked } from '../../lib/agent/refusals.ts';
import { AppError } from '../../lib/errors.ts';
import type { Database } from '../../lib/storage/schema.ts';
import type { Permission } from '../../lib/types/tools/approval.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';
import { OWN_TOOLS } from '../../lib/types/tools/tool-source.ts';
import { NOW, offered } from '../fakes/rows.ts';
import { calls, prepared, says, scriptedModel } from '../fakes/scripted-model.ts';
import {
  hang,
  isWaiting,
  runEvent,
  send,
  succeed,
  startWorker as startWorkerOn,
  type WorkerOptions,
} from '../fakes/worker.ts';
import { ended, freshDatabase, stored } from './scene.ts';

let db: Database;
const startWorker = (options: Omit<WorkerOptions, 'db'>) => startWorkerOn({ ...options, db });

/** The ledger's rows, in call order. */
const rows = () => db.getAll('toolCalls');

beforeEach(async () => {
  db = await freshDatabase();
});

describe('a call that waits for the user', () => {
  it('keeps no worker alive while it waits for the user', async () => {
    const script = scriptedModel(calls(['mcp__1__note', {}]), says('Done'));
    const { runs, until, working } = startWorker({ model: script.model, permission: 'ask' });
    await send(runs, 'Note it');
    await until(isWaiting);
    expect([...working]).toEqual([]);
    const [row] = await db.getAll('toolCalls');
    expect(row).toMatchObject({ status: 'pending', wait: 'permission' });
    await runs.resolve({ callId: row?.callId ?? '', decision: 'allow' });
    await until(ended);
    expect(await db.getAll('toolCalls')).toMatchObject([{ status: 'success' }]);
  });

  it('does not count the time it waited for the user as a stall', async () => {
    let now = NOW;
    const first = startWorker({
      model: scriptedModel(calls(['mcp__1__look', {}])).model,
      callTool: hang,
      permission: 'ask',
      now: () => now,
    });
    await send(first.runs, 'Look');
    await first.until(isWaiting);
    now += 3_600_000;
    const [row] = await db.getAll('toolCalls');
    await first.runs.resolve({ callId: row?.callId ?? '', decision: 'allow' });
    await first.until(runEvent('call_start'));
    const second = startWorker({ model: scriptedModel(says('Done')).model, now: () => now });
    await second.runs.resume();
    await second.until(ended);
    expect(await db.get('runs', 'r1')).toMatchObject({ reason: 'done' });
  });
});

describe('a decision', () => {
  it('that is a Never is written first, and refuses its call and the others that wait as blocked', async () => {
    const forbidden: string[] = [];
    const script = scriptedModel(calls(['mcp__1__note', {}], ['mcp__1__look', {}]), says('Done'));
    const { runs, until } = startWorker({
      model: script.model,
      permission: async () => (forbidden.length > 0 ? 'block' : 'ask'),
      forbid: async ({ toolName }, kind) => {
        expect(await rows()).toMatchObject([{ wait: 'permission' }, {}]);
        forbidden.push(`${toolName} ${kind}`);
      },
    });
    await send(runs, 'Note it, and look');
    await until(isWaiting);
    const [first] = await rows();
    await runs.resolve({ callId: first?.callId ?? '', decision: 'deny', never: 'click' });
    await until(ended);
    expect(forbidden).toEqual(['note click']);
    expect(await rows()).toMatchObject([
      { status: 'denied', result: blocked },
      { status: 'denied', result: blocked },
    ]);
  });

  it('with a grant is written first and releases no other call that waits', async () => {
    const granted: string[] = [];
    const script = scriptedModel(
      calls(['mcp__1__note', { a: 1 }], ['mcp__1__note', {}], ['mcp__1__look', {}]),
    );
    const worker = startWorker({
      model: script.model,
      permission: async ({ toolName }) => (granted.includes(`${toolName} chat`) ? 'allow' : 'ask'),
      grant: async ({ toolName }, scope) => {
        expect(await rows()).toMatchObject([{ wait: 'permission' }, {}, {}]);
        granted.push(`${toolName} ${scope}`);
      },
    });
    await send(worker.runs, 'Go');
    await worker.until(isWaiting);
    const [first] = await db.getAll('toolCalls');
    await worker.runs.resolve({ callId: first?.callId ?? '', decision: 'allow', scope: 'chat' });
    await expect
      .poll(rows)
      .toMatchObject([
        { status: 'success' },
        { status: 'pending', wait: 'permission' },
        { status: 'pending', wait: 'permission' },
      ]);
    expect(granted).toEqual(['note chat']);
    await worker.runs.stop({ conversationId: 'c1' });
  });

  it('allows its call all the same when its tool is not what it was: nothing is granted, and that is said', async () => {
    const { runs, until } = startWorker({
      model: scriptedModel(calls(['mcp__1__note', {}], ['mcp__1__note', {}]), says('Done')).model,
      permission: 'ask',
      grant: () => Promise.reject(new AppError({ code: 'definition_changed', message: 'Changed.' })),
    });
    await send(runs, 'Go');
    await until(isWaiting);
    const [first] = await rows();
    const resolved = runs.resolve({ callId: first?.callId ?? '', decision: 'allow', scope: 'always' });
    await expect(resolved).rejects.toMatchObject({ code: 'definition_changed' });
    await expect.poll(rows).toMatchObject([{ status: 'success' }, { wait: 'permission' }]);
    await runs.stop({ conversationId: 'c1' });
  });

  it('is granted by the arguments that the user made of its own: they are what was allowed', async () => {
    const grant = vi.fn<WorkerOptions['grant'] & {}>(async () => undefined);
    const { runs, until } = startWorker({
      model: scriptedModel(calls(['mcp__1__note', { text: 'mine' }]), says('Done')).model,
      permission: 'ask',
      grant,
    });
    await send(runs, 'Go');
    await until(isWaiting);
    const [first] = await rows();
    const edited = '{"text":"yours"}';
    await runs.resolve({ callId: first?.callId ?? '', decision: 'allow', scope: 'chat', arguments: edited });
    await until(ended);
    expect(grant).toHaveBeenCalledWith(expect.objectContaining({ edited }), 'chat');
  });

  it('is for once alone where the arguments were not shown whole', async () => {
    const grant = vi.fn<WorkerOptions['grant'] & {}>(async () => undefined);
    const { runs, until } = startWorker({
      model: scriptedModel(calls(['mcp__1__note', { text: 'x'.repeat(300_000) }]), says('Done')).model,
      permission: 'ask',
      grant,
    });
    await send(runs, 'Go');
    await until(isWaiting);
    const [first] = await rows();
    await runs.resolve({ callId: first?.callId ?? '', decision: 'allow', scope: 'chat' });
    await until(ended);
    expect(grant).not.toHaveBeenCalled();
    expect(await rows()).toMatchObject([{ status: 'success', allowed: 'once' }]);
  });

  it('is not needed where the call is allowed: its row remembers by what, also of one that waited', async () => {
    const verdicts = [
      { permission: 'allow', basis: 'tier' },
      { permission: 'ask' },
      { permission: 'allow', basis: 'always' },
    ] as const;
    let judged = 0;
    const { runs, until } = startWorker({
      model: scriptedModel(calls(['mcp__1__note', {}], ['mcp__1__note', {}]), says('Done')).model,
      judge: async () => verdicts[judged++] ?? { permission: 'ask' },
    });
    await send(runs, 'Go');
    await until(isWaiting);
    await runs.reconsider();
    await until(ended);
    expect(await rows()).toMatchObject([
      { allowed: 'before', basis: 'tier' },
      { allowed: 'before', basis: 'always' },
    ]);
  });

  it('is asked for a definition that the row remembers, over restarts too', async () => {
    const script = () => scriptedModel(calls(['mcp__1__note', {}]), says('Done')).model;
    const first = startWorker({
      model: script(),
      permission: 'ask',
      definitionOf: async () => ({ fingerprint: 'seen', annotations: {} }),
    });
    await send(first.runs, 'Go');
    await first.until(isWaiting);
    expect(await rows()).toMatchObject([{ wait: 'permission', fingerprint: 'seen' }]);
    const second = startWorker({
      model: script(),
      permission: 'ask',
      definitionOf: async () => ({ fingerprint: 'other', annotations: {} }),
    });
    await second.runs.resume();
    await second.until(runEvent('approval_required'));
    expect(await rows()).toMatchObject([{ wait: 'permission', fingerprint: 'seen' }]);
    await second.runs.stop({ conversationId: 'c1' });
  });

  it('is not needed where the call is allowed: its row remembers for which definition', async () => {
    const model = scriptedModel(calls(['mcp__1__note', {}]), says('Done')).model;
    const { runs, until } = startWorker({
      model,
      permission: 'allow',
      definitionOf: async () => ({ fingerprint: 'seen', annotations: {} }),
    });
    await send(runs, 'Go');
    await until(ended);
    expect(await rows()).toMatchObject([{ status: 'success', fingerprint: 'seen' }]);
  });

  it('without a scope holds for its call only, and a Deny never grants', async () => {
    const grant = vi.fn(async () => {});
    const script = scriptedModel(calls(['mcp__1__note', {}], ['mcp__1__note', {}]), says('Done'));
    const { runs, until } = startWorker({ model: script.model, permission: 'ask', grant });
    await send(runs, 'Go');
    await until(isWaiting);
    const [first, second] = await db.getAll('toolCalls');
    await runs.resolve({ callId: first?.callId ?? '', decision: 'allow' });
    await expect.poll(rows).toMatchObject([{ status: 'success' }, { wait: 'permission' }]);
    await runs.resolve({ callId: second?.callId ?? '', decision: 'deny', word: 'Not now', scope: 'always' });
    await until(ended);
    expect(grant).not.toHaveBeenCalled();
    expect(await rows()).toMatchObject([{ status: 'success' }, { status: 'denied' }]);
    expect((await stored(db)).find((line) => line.includes('Not now'))).toContain('tool: {"isError":true');
  });

  describe('with other arguments than the card showed', () => {
    const clicks = { name: 'click', toolName: 'click', serverId: OWN_TOOLS };
    const site = 'https://shop.example';
    /** What the references name by the time that they are looked at. */
    const definitionOf = async ({ edited, arguments: text, at: kept, targets, submits }: ToolCall) => {
      const { ref, tab = 7 } = JSON.parse(edited ?? text);
      expect([kept?.tab, targets, submits]).toEqual([
        edited && tab === 7 ? 7 : undefined,
        undefined,
        undefined,
      ]);
      const at = { tab, document: edited ? 0.9 : 0.7 };
      const is = { [ref]: edited ? `link "later ${ref}"` : `link "${ref}"` };
      const page = { at, reads: tab === 7 ? site : 'https://bank.example', targets: is };
      return { fingerprint: edited ? 'later' : 'seen', annotations: {}, ...page, ...(!edited && SENDS) };
    };
    const SENDS = { submits: true } as const;

    const there = { reads: site, at: { tab: 7, document: 0.7 } };
    const elsewhere = { reads: 'https://bank.example', at: { tab: 8, document: 0.9 } };
    it.each([
      ['stays bound to what the card showed', { ref: 'e1', count: 2 }, there, { e1: 'link "e1"' }, 'chat'],
      ['is bound to what else these name', { ref: 'e9' }, there, { e9: 'link "later e9"' }, 'chat'],
      ['holds once at another site', { ref: 'e1', tab: 8 }, elsewhere, { e1: 'link "later e1"' }, 'once'],
    ])('%s', async (_what, edited, page, targets, allowed) => {
      const grant = vi.fn(async () => {});
      const called = vi.fn(succeed);
      const { model } = scriptedModel(calls(['click', { ref: 'e1' }]), says('Done'));
      const tools = [{ ...offered('click'), ...clicks }];
      const { runs, until } = startWorker({
        model,
        permission: 'ask',
        grant,
        callTool: called,
        definitionOf,
        prepare: async () => ({ ...prepared(model, tools), missing: [], unfit: [] }),
      });
      await send(runs, 'Go');
      await until(isWaiting);
      const [row] = await rows();
      expect(row).toMatchObject({ at: { tab: 7 }, targets: { e1: 'link "e1"' }, submits: true });
      const answer = { decision: 'allow', scope: 'chat', arguments: JSON.stringify(edited) } as const;
      await runs.resolve({ callId: row?.callId ?? '', ...answer });
      await until(ended);
      const bound = { ...page, targets };
      expect(await rows()).toMatchObject([{ ...bound, fingerprint: 'seen', allowed, status: 'success' }]);
      expect((await rows())[0]).not.toHaveProperty('submits');
      expect(called.mock.calls[0]?.[0]).toMatchObject(bound);
      expect(grant).toHaveBeenCalledTimes(allowed === 'chat' ? 1 : 0);
    });
  });

  describe('of what the model asks the user to do', () => {
    const asks = { name: 'ask_user', toolName: 'ask_user', serverId: OWN_TOOLS };
    const start = (script: ReturnType<typeof scriptedModel>) =>
      startWorker({
        model: script.model,
        permission: 'ask',
        definitionOf: async () => ({ fingerprint: 'seen', annotations: {}, reads: 'https://tides.example' }),
        prepare: async () => ({
          ...prepared(script.model, [{ ...offered('ask_user'), ...asks }]),
          missing: [],
          unfit: [],
        }),
      });
    const asked = () => calls(['ask_user', { what: 'Sign in', why: 'Members only' }]);

    it('waits over a death of the worker, and goes on with what the user says', async () => {
      const first = start(scriptedModel(asked()));
      await send(first.runs, 'Go');
      await first.until(isWaiting);
      const waiting = { status: 'pending', wait: 'hand_over', reads: 'https://tides.example' };
      expect(await rows()).toMatchObject([waiting]);
      const script = scriptedModel(says('Done'));
      const second = start(script);
      await second.runs.resume();
      await second.until(runEvent('approval_required'));
      const [row] = await rows();
      expect(row).toMatchObject(waiting);
      await second.runs.resolve({
        callId: row?.callId ?? '',
        decision: 'allow',
        word: 'The second',
        scope: 'always',
      });
      await second.until(ended);
      expect(await rows()).toMatchObject([
        { status: 'success', allowed: 'once', result: { word: 'The second' } },
      ]);
      expect(script.requests[0]?.messages.at(-1)).toMatchObject({
        role: 'user',
        content: 'To the call of ask_user: The second',
      });
    });

    it('is told as declined, with the user’s word', async () => {
      const script = scriptedModel(asked(), says('As you like'));
      const { runs, until } = start(script);
      await send(runs, 'Go');
      await until(isWaiting);
      const [row] = await rows();
      await runs.resolve({ callId: row?.callId ?? '', decision: 'deny', word: 'Later' });
      await until(ended);
      expect(await rows()).toMatchObject([
        { status: 'denied', result: { refusal: 'declined', word: 'Later' } },
      ]);
      expect(JSON.stringify(script.requests[1]?.messages)).toContain('The user declined to do it.');
    });
  });

  it('with arguments that do not fit is refused, and the call still waits; with others that is what runs', async () => {
    const ran: unknown[] = [];
    const { runs, until } = startWorker({
      model: scriptedModel(calls(['mcp__1__note', { a: 1 }]), says('Done')).model,
      permission: 'ask',
      checkArguments: (_schema, args) => (args['a'] === 'x' ? 'a must be a number.' : undefined),
      callTool: (call, args, options) => {
        ran.push(args);
        return succeed(call, args, options);
      },
    });
    await send(runs, 'Go');
    await until(isWaiting);
    const callId = (await db.getAll('toolCalls'))[0]?.callId ?? '';
    for (const text of ['{"a":"x"}', '[]', '{'])
      await expect(runs.resolve({ callId, decision: 'allow', arguments: text })).rejects.toMatchObject({
        code: 'bad_arguments',
      });
    expect(await rows()).toMatchObject([{ status: 'pending', wait: 'permission' }]);
    expect(await runs.checkArguments({ callId, arguments: '{"a":"x"}' })).toBe('a must be a number.');
    expect(await runs.checkArguments({ callId, arguments: '{"a":2}' })).toBeNull();
    await runs.resolve({ callId, decision: 'allow', arguments: '{"a":2}' });
    await until(ended);
    expect(ran).toEqual([{ a: 2 }]);
    expect(await rows()).toMatchObject([{ arguments: '{"a":1}', edited: '{"a":2}', status: 'success' }]);
  });

  it('made elsewhere holds for calls that wait: a tool that is blocked now is not called', async () => {
    let permission: Permission = 'ask';
    const made: string[] = [];
    const { runs, until } = startWorker({
      model: scriptedModel(calls(['mcp__1__note', {}]), says('Done')).model,
      permission: async () => permission,
      callTool: (call, args, options) => {
        made.push(call.toolName);
        return succeed(call, args, options);
      },
    });
    await send(runs, 'Go');
    await until(isWaiting);
    await runs.reconsider();
    expect(await rows()).toMatchObject([{ wait: 'permission' }]);
    permission = 'block';
    await runs.reconsider();
    await until(ended);
    expect(await rows()).toMatchObject([{ status: 'denied', result: blocked }]);
    expect(made).toEqual([]);
  });

  it('that came while the call was about to wait releases it too', async () => {
    const permissions: Permission[] = ['ask', 'allow'];
    const { runs, until } = startWorker({
      model: scriptedModel(calls(['mcp__1__note', {}]), says('Done')).model,
      permission: async () => permissions.shift() ?? 'allow',
    });
    await send(runs, 'Go');
    await until(ended);
    expect(await rows()).toMatchObject([{ status: 'success' }]);
  });
});

describe('the number of calls that wait', () => {
  it('is told whenever it changes, also by a worker that starts', async () => {
    const script = () => scriptedModel(calls(['mcp__1__note', {}], ['mcp__1__note', {}]), says('Done')).model;
    const first = startWorker({ model: script(), permission: 'ask' });
    await send(first.runs, 'Go');
    await first.until(isWaiting);
    expect(first.badge.at(-1)).toBe(2);
    const second = startWorker({ model: scriptedModel(says('Done')).model, permission: 'ask' });
    await second.runs.resume();
    expect(second.badge).toEqual([2]);
    expect([...second.working]).toEqual([]);
    for (const { callId } of await db.getAll('toolCalls'))
      await second.runs.resolve({ callId, decision: 'allow' });
    await second.until(ended);
    expect(second.badge).toEqual([2, 1, 0]);
  });

  it('is nought when nothing waits, and again once a waiting run is stopped', async () => {
    const { runs, until, badge } = startWorker({
      model: scriptedModel(calls(['mcp__1__note', {}])).model,
      permission: 'ask',
    });
    await runs.resume();
    await send(runs, 'Go');
    await until(isWaiting);
    await runs.stop({ conversationId: 'c1' });
    expect(badge).toEqual([0, 1, 0]);
  });
});
