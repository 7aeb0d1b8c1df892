import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAgent } from '../../lib/agent/run.ts';
import { checkArguments } from '../../lib/tools/check-arguments.ts';
import type { Message } from '../../lib/types/message.ts';
import type { CallTool, OfferedTool, ToolCall } from '../../lib/types/tool.ts';
import { FIXTURE_MODEL, type FixtureServer, startFixtureServer } from '../fakes/fixture-server.ts';
import { loopDeps, loopInput, unknownModel } from '../fakes/loop.ts';
import { offered } from '../fakes/rows.ts';
import type { WireFixture } from '../fakes/wire-fixture.ts';
import { expectOutcome, type WireEnd } from '../fakes/wire-outcome.ts';
import { fixtures, ROWS } from './fixtures/all.ts';

const tools: OfferedTool[] = [
  { ...offered('add'), inputSchema: schema({ a: 'number', b: 'number' }) },
  { ...offered('echo'), inputSchema: schema({ message: 'string' }) },
];

let server: FixtureServer;

beforeAll(async () => {
  server = await startFixtureServer(fixtures);
});
afterAll(() => server.close());

describe('through the loop and the openai package', () => {
  it.each(fixtures.map((fixture, index) => ({ ...fixture, index })))('row $row: $name', async (fixture) => {
    expectOutcome(fixture, await run(fixture, fixture.index));
  });
});

it.each(ROWS)('row %i of the quirks has a fixture', (row) => {
  expect(fixtures.filter((fixture) => fixture.row === row)).not.toEqual([]);
});

async function run(fixture: WireFixture, index: number): Promise<WireEnd> {
  const settings = fixture.settings ?? {};
  const model = unknownModel(server.url(index), {
    model: FIXTURE_MODEL,
    settings,
    ...(fixture.preset && { preset: fixture.preset }),
    ...(fixture.traits && { traits: fixture.traits }),
  });
  const deps = loopDeps(
    {
      model,
      tools,
      modelName: FIXTURE_MODEL,
      callsTools: fixture.traits?.tools ?? true,
      contextWindow: fixture.traits?.contextWindow ?? 128_000,
      ...(settings.system !== undefined && { system: settings.system }),
    },
    { callTool, checkArguments },
  );
  const messages = new Map<string, Message>();
  const calls = new Map<string, ToolCall>();
  const end: WireEnd = { reason: undefined, messages: [], toolCalls: [], bodies: [] };
  for await (const event of runAgent(loopInput(fixture.ask ?? 'Go'), deps, new AbortController().signal)) {
    if (event.type === 'message_end') {
      messages.set(event.message.id, event.message);
      for (const call of event.calls) calls.set(call.callId, call);
    } else if (event.type === 'call_end') {
      const row = calls.get(event.callId);
      if (row) calls.set(event.callId, { ...row, status: event.status, result: event.result });
    } else if (event.type === 'run_end') {
      end.reason = event.reason;
      end.error = event.error?.code;
    }
  }
  return {
    ...end,
    messages: [...messages.values()],
    toolCalls: [...calls.values()],
    bodies: server.bodies(index),
  };
}

const callTool: CallTool = async ({ toolName }, { a, b, message }, { started }) => {
  await started();
  const text = toolName === 'add' ? String(Number(a) + Number(b)) : String(message);
  return { status: 'success', result: { text, isError: false } };
};

function schema(types: Record<string, string>): Record<string, unknown> {
  const properties = Object.entries(types).map(([name, type]) => [name, { type }]);
  return { type: 'object', properties: Object.fromEntries(properties), required: Object.keys(types) };
}
