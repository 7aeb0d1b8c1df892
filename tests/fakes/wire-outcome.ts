import { expect } from 'vitest';
import type { WireError } from '../../lib/types/error.ts';
import type { Message } from '../../lib/types/message.ts';
import type { RunEndReason } from '../../lib/types/run.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';
import type { WireFixture } from './wire-fixture.ts';

/** What became of a fixture: the last run's end, the conversation's rows in order, and what the model's server got. */
export type WireEnd = {
  reason: RunEndReason | undefined;
  error: WireError | undefined;
  /** Tools of which the user is told that they were left out. */
  unfit: string[];
  messages: Message[];
  toolCalls: ToolCall[];
  bodies: Record<string, unknown>[];
  /** When the requests came, in milliseconds. */
  arrivals: number[];
};

/** Fails unless all that the fixture says came true. */
export function expectOutcome({ outcome, check }: WireFixture, end: WireEnd): void {
  const answer = end.messages.findLast((message) => message.role === 'assistant');
  const { minWaitMs, ...wanted } = outcome;
  const seen = {
    reason: end.reason,
    error: end.error?.code,
    errorText: [end.error?.message, end.error?.fix].join(' '),
    answer: answer?.content,
    reasoning: answer?.reasoning,
    usage: answer?.usage,
    notes: end.messages.flatMap((message) => (message.role === 'assistant' && message.notes) || []),
    calls: end.toolCalls.map((call, at) => ledgerLine(call, outcome.calls?.[at])),
    unfit: end.unfit,
    requests: end.bodies.length,
  };
  const spokenOf = Object.entries(seen).filter(([name]) => name === 'error' || name in wanted);
  expect(Object.fromEntries(spokenOf)).toEqual({
    error: undefined,
    ...wanted,
    ...(wanted.answer !== undefined && { answer: text(wanted.answer) }),
    ...(wanted.errorText && { errorText: text(wanted.errorText) }),
    ...(wanted.notes && { notes: wanted.notes.map(text) }),
    ...(wanted.calls && {
      calls: wanted.calls.map((call) => ({
        ...call,
        ...('result' in call && { result: text(call.result) }),
      })),
    }),
  });
  if (minWaitMs !== undefined) {
    const [first = NaN, second = NaN] = end.arrivals;
    expect(second - first).toBeGreaterThanOrEqual(minWaitMs);
  }
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
