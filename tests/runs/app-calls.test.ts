import { expect, it } from 'vitest';
import { createAppCalls } from '../../lib/runs/commands/app-calls.ts';
import type { Context } from '../../lib/runs/context.ts';
import type { Permission } from '../../lib/types/tools/approval.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';
import type { OfferedTool } from '../../lib/types/tools/tool.ts';

const parent = {
  callId: 'm1.0',
  messageId: 'm1',
  conversationId: 'c1',
  runId: 'r1',
  position: 0,
} as ToolCall;
const annotations = { readOnlyHint: true, openWorldHint: false };
const tool = {
  name: 'mcp__3__look',
  toolName: 'look',
  serverId: 3,
  inputSchema: {},
  annotations,
} as unknown as OfferedTool;

/** An app whose calls misfit, are blocked, or are denied as soon as the user is asked: `asked`, of so many. */
function rig({ violation, permission: first = 'block' }: { violation?: string; permission?: Permission }) {
  let permission = first;
  const rows = new Map<string, ToolCall>();
  const asked: string[] = [];
  let now = 0;
  const deps = {
    now: () => (now += 1_000),
    working: () => {},
    checkArguments: () => violation,
    definitionOf: async () => ({}),
    judge: async () => ({ permission }),
    taintOf: async () => undefined,
    event: (_id: string, { type, callId }: { type: string; callId: string }) => {
      if (type !== 'approval_required') return;
      asked.push(callId);
      context.appCalls.get(callId)?.decide({ decision: 'deny' });
    },
    callTool: async () => ({ result: { text: 'Seen', isError: false }, status: 'success' }),
    store: {
      appCalls: async () => [...rows.values()],
      call: async (callId: string) => rows.get(callId),
      write: async ({ calls, forgotten = [] }: { calls: ToolCall[]; forgotten?: string[] }) => {
        for (const row of calls) rows.set(row.callId, row);
        for (const callId of forgotten) rows.delete(callId);
      },
    },
  };
  const context = {
    deps,
    appCalls: new Map() as Context['appCalls'],
    lane: async (_id: string, job: () => unknown) => job(),
  };
  const calls = createAppCalls(context as unknown as Context, {
    channel: {} as never,
    changed: async () => {},
  });
  const call = (at: number, offered = tool, signal = new AbortController().signal) =>
    calls.call({ parent, tool: offered, args: { at } }, signal);
  const allow = (next: Permission): void => void (permission = next);
  return { rows, asked, call, allow, settle: () => calls.settle(parent) };
}

it.each([
  ['misfit its tool’s schema', 'no', 20],
  ['are blocked', undefined, 200],
])('rows of calls that %s make room for those after them', async (_what, violation, most) => {
  const { rows, call } = rig({ ...(violation && { violation }) });
  for (let at = 0; at < 300; at++) await call(at);
  expect(rows.size).toBe(most);
  const told = [...rows.values()].map((row) => (JSON.parse(row.arguments) as { at: number }).at);
  expect(Math.min(...told)).toBe(300 - most);
});

it('an app that was denied twice is denied without a question, until it is shown anew', async () => {
  const { asked, call, settle } = rig({ permission: 'ask' });
  for (let at = 0; at < 4; at++) expect((await call(at)).status).toBe('denied');
  expect(asked).toHaveLength(2);
  await settle();
  await call(4);
  expect(asked).toHaveLength(3);
});

it('what an app read of an open world makes no room for what it calls unasked after that', async () => {
  const { rows, call } = rig({ permission: 'allow' });
  await call(0, { ...tool, annotations: { readOnlyHint: true } });
  for (let at = 1; at < 300; at++) await call(at);
  expect(rows.size).toBe(21);
  expect([...rows.values()][0]).toMatchObject({ arguments: '{"at":0}', status: 'success' });
});

it('what an app read of an open world makes no room for calls that are blocked, however many', async () => {
  const { rows, call, allow } = rig({ permission: 'allow' });
  await call(0, { ...tool, annotations: { readOnlyHint: true } });
  allow('block');
  for (let at = 1; at < 300; at++) await call(at);
  expect(rows.size).toBe(200);
  expect([...rows.values()][0]).toMatchObject({ arguments: '{"at":0}', status: 'success' });
});

it('a call that the user was asked about gives its id to no other, which its card would allow', async () => {
  const { rows, asked, call, allow } = rig({ permission: 'allow' });
  for (let at = 0; at < 200; at++) await call(at, { ...tool, annotations: { readOnlyHint: true } });
  allow('ask');
  for (let at = 200; at < 203; at++) await call(at, tool, AbortSignal.abort());
  expect(asked).toHaveLength(3);
  expect(new Set(asked).size).toBe(3);
  expect(rows.size).toBe(200);
});
