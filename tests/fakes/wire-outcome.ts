import { expect } from 'vitest';
import type { Message } from '../../lib/types/message.ts';
import type { RunEndReason } from '../../lib/types/run.ts';
import type { ToolCall } from '../../lib/types/tool.ts';
import type { WireFixture } from './wire-fixture.ts';

/** What became of a fixture: the run's end, the conversation's rows in order, and what the model's server got. */
export type WireEnd = {
  reason: RunEndReason | undefined;
  error?: string | undefined;
  messages: Message[];
  toolCalls: ToolCall[];
  bodies: Record<string, unknown>[];
};

/** Fails unless all that the fixture says came true. */
export function expectOutcome({ outcome, check }: WireFixture, end: WireEnd): void {
  const answer = end.messages.findLast((message) => message.role === 'assistant');
  const seen = {
    reason: end.reason,
    error: end.error,
    ...(outcome.answer !== undefined && { answer: answer?.content }),
    ...(outcome.reasoning !== undefined && { reasoning: answer?.reasoning }),
    ...(outcome.calls && { calls: end.toolCalls.map((call, at) => ledgerLine(call, outcome.calls?.[at])) }),
    ...(outcome.requests !== undefined && { requests: end.bodies.length }),
  };
  const wanted = {
    reason: outcome.reason,
    error: outcome.error,
    ...(outcome.answer !== undefined && { answer: text(outcome.answer) }),
    ...(outcome.reasoning !== undefined && { reasoning: outcome.reasoning }),
    ...(outcome.calls && {
      calls: outcome.calls.map((call) => ({
        ...call,
        ...('result' in call && { result: text(call.result) }),
      })),
    }),
    ...(outcome.requests !== undefined && { requests: outcome.requests }),
  };
  expect(seen).toEqual(wanted);
  check?.(end.bodies);
}

function text(wanted: string | RegExp | undefined): unknown {
  return wanted instanceof RegExp ? expect.stringMatching(wanted) : wanted;
}

/** Of a ledger row only what the fixture speaks of; of a row that it does not expect, everything. */
function ledgerLine(call: ToolCall, wanted: object = { arguments: 0, result: 0 }): Record<string, unknown> {
  return {
    tool: call.toolName,
    status: call.status,
    ...('arguments' in wanted && { arguments: parsed(call.edited ?? call.arguments) }),
    ...('result' in wanted && { result: call.result?.text }),
  };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json; // malformed, as the model wrote it
  }
}
