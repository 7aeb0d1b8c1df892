import { systemPrompt } from '../../lib/agent/context/system-prompt.ts';
import { FENCE, userMessage } from '../fakes/rows.ts';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentDeps } from '../../lib/agent/deps.ts';
import { leafOf, placeAfter, toolMessage } from '../../lib/agent/context/history.ts';
import { runAgent } from '../../lib/agent/run.ts';
import { answered } from '../../lib/mcp/calls/outcome.ts';
import { unfitTools } from '../../lib/models/request/wire-request.ts';
import { checkArguments } from '../../lib/tools/check-arguments.ts';
import type { Message } from '../../lib/types/message.ts';
import { type Learned, MODEL_APIS, type ModelApi } from '../../lib/types/model.ts';
import type { CallTool } from '../../lib/types/tools/call-tool.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';
import type { OfferedTool } from '../../lib/types/tools/tool.ts';
import { FIXTURE_MODEL, type FixtureServer, startFixtureServer } from '../fakes/fixture-server.ts';
import { loopDeps, loopInput, unknownModel } from '../fakes/loop.ts';
import type { WireAsk, WireFixture } from '../fakes/wire-fixture.ts';
import { expectOutcome, type WireEnd } from '../fakes/wire-outcome.ts';
import { offeredWireTool, wireTool } from '../fakes/wire-tools.ts';
import { fixtures, fixturesOfBoth, ROWS } from './fixtures/all.ts';

let server: FixtureServer;
let api: ModelApi;

describe.each(MODEL_APIS)('through the loop and the openai package (%s)', (each) => {
  const own = each === 'chat' ? fixtures : fixturesOfBoth;
  beforeAll(async () => {
    server = await startFixtureServer(own);
    api = each;
  });
  afterAll(() => server.close());

  it.each(own.map((fixture, index) => ({ ...fixture, index })))('row $row: $name', async (fixture) => {
    expectOutcome(fixture, await run(fixture, fixture.index));
  });
});

it.each(ROWS)('row %i of the quirks has a fixture', (row) => {
  expect(fixtures.filter((fixture) => fixture.row === row)).not.toEqual([]);
});

async function run(fixture: WireFixture, index: number): Promise<WireEnd> {
  const messages = new Map(fixture.history?.map((message) => [message.id, message]));
  const calls = new Map<string, ToolCall>();
  const end: Pick<WireEnd, 'reason' | 'error' | 'unfit'> = { reason: undefined, error: undefined, unfit: [] };
  let learned: Learned = {};
  for (const ask of fixture.asks ?? [{}]) {
    const tools = (ask.tools ?? ['add', 'echo']).map(offeredWireTool);
    // Every run has a model of its own, which knows only what was remembered.
    const deps = depsOf(fixture, tools, server.url(index), learned, (now) => (learned = now));
    const question = questionAfter(inOrder(messages), ask);
    messages.set(question.id, question);
    const input = { ...loopInput(''), history: inOrder(messages) };
    end.unfit = unfitTools(tools).map(({ toolName }) => toolName);
    for await (const event of runAgent(input, deps, new AbortController().signal)) {
      if (event.type === 'message_end') {
        messages.set(event.message.id, event.message);
        for (const call of event.calls) calls.set(call.callId, call);
      } else if (event.type === 'call_end') {
        const row = calls.get(event.callId);
        const asked = row && messages.get(row.messageId);
        if (!row || !asked) continue;
        calls.set(event.callId, { ...row, status: event.status, result: event.result });
        const result = toolMessage(row, event.result, asked.seq, asked.timestamp);
        messages.set(result.id, result);
      } else if (event.type === 'run_end') {
        end.reason = event.reason;
        end.error = event.error;
      }
    }
  }
  return {
    ...end,
    messages: inOrder(messages),
    toolCalls: [...calls.values()],
    bodies: server.bodies(index),
    arrivals: server.arrivals(index),
  };
}

function depsOf(
  { preset, traits = {}, settings = {}, outcome }: WireFixture,
  tools: OfferedTool[],
  baseUrl: string,
  learned: Learned,
  learn: (learned: Learned) => void,
): AgentDeps {
  const asked = { api, model: FIXTURE_MODEL, settings, traits, learned, learn, ...(preset && { preset }) };
  const prepared = {
    model: unknownModel(baseUrl, asked),
    tools,
    modelName: FIXTURE_MODEL,
    callsTools: traits.tools ?? true,
    contextWindow: traits.contextWindow ?? 128_000,
    system: systemPrompt(settings.system, [], FENCE),
  };
  return loopDeps(prepared, {
    callTool,
    checkArguments,
    newId: () => crypto.randomUUID(),
    // Only where the wait is what is looked at.
    ...(outcome.minWaitMs !== undefined && { wait: (ms, signal) => setTimeout(ms, undefined, { signal }) }),
  });
}

function questionAfter(history: Message[], { text = 'Go' }: WireAsk): Message {
  return userMessage(text, { id: crypto.randomUUID(), ...placeAfter(leafOf(history)) });
}

function inOrder(messages: Map<string, Message>): Message[] {
  return [...messages.values()].toSorted((a, b) => a.seq - b.seq || a.sub - b.sub);
}

const callTool: CallTool = async ({ toolName }, args, { started }) => {
  await started();
  return answered(wireTool(toolName).result(args));
};
