import { toWire } from '../errors.ts';
import type { AssistantMessage, Message, RunEndReason, RunEvent, ToolCall, WireError } from '../types.ts';
import { orAborted } from './abort.ts';
import type { AgentDeps, Prepared, RunInput } from './deps.ts';
import { executeCall } from './execute.ts';
import { nextStep, toolMessage, unanswered } from './history.ts';
import { ledgerRows } from './ledger.ts';
import { merge } from './merge.ts';
import { streamTurn } from './turn.ts';

type End = { reason: RunEndReason; error?: WireError };

/**
 * The agent loop: asks the model, makes its calls, and so on until the answer stands (architecture.md, "The run").
 * Pure: what it does next follows from the history alone, so a run that was cut off anywhere goes on by being run
 * again. The reader must have written an event down before it asks for the next one. Exactly one `run_end` comes.
 */
export async function* runAgent(
  input: RunInput,
  deps: AgentDeps,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, void> {
  yield { type: 'run_start', runId: input.runId };
  let end: End;
  try {
    end = yield* iterate(input, deps, signal);
  } catch (error) {
    end = { reason: 'error', error: toWire(error) };
  }
  yield {
    type: 'run_end',
    runId: input.runId,
    ...(signal.aborted && end.reason !== 'done' ? { reason: 'cancelled' } : end),
  };
}

async function* iterate(
  input: RunInput,
  deps: AgentDeps,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, End> {
  const { maxIterations } = deps;
  let { history, ledger, iteration, replaces } = input;
  let prepared: Prepared | undefined;

  while (!signal.aborted) {
    const step = nextStep(history);
    if (step.type === 'over') return { reason: 'done' };
    if (step.type === 'execute') {
      history = yield* answer(step.message, history, ledger, deps, signal);
      yield { type: 'iteration_end', iteration };
      continue;
    }

    if (iteration >= maxIterations) return { reason: 'limit' };
    prepared ??= await readied(deps, signal);
    if (!prepared) break;
    iteration += 1;
    const messageId = replaces ?? deps.newId();
    replaces = undefined;
    yield { type: 'iteration_start', iteration, maxIterations, messageId };
    const turn = yield* streamTurn(input, history, messageId, prepared, deps, signal);
    if (turn.error) return { reason: 'error', error: turn.error };
    if (!turn.message) throw new Error('A turn ended with neither a message nor an error.');
    history = [...history, turn.message];
    ledger = ledgerRows(turn.message, prepared.tools);
    if (ledger.length === 0) yield { type: 'iteration_end', iteration };
  }
  return { reason: 'cancelled' };
}

/** What `prepare` gives; undefined when the run is stopped first, since servers may take their time. */
async function readied(deps: AgentDeps, signal: AbortSignal): Promise<Prepared | undefined> {
  const prepared = await orAborted(deps.prepare(), signal);
  return prepared === 'aborted' || signal.aborted ? undefined : prepared;
}

/** Makes the message's unanswered calls in parallel. @returns the history with their results, in call order */
async function* answer(
  message: AssistantMessage,
  history: Message[],
  ledger: ToolCall[],
  deps: AgentDeps,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, Message[]> {
  const open = unanswered(message, history);
  const calls = ledger.filter(
    ({ messageId, position }) => messageId === message.id && open.includes(position),
  );
  if (calls.length < open.length) throw new Error('A call of this message has no row in the ledger.');
  const results = yield* merge(calls.map((call) => (emit) => executeCall(call, deps, signal, emit)));
  const timestamp = new Date(deps.now()).toISOString();
  const added = calls.map((call, index) => {
    const result = results[index];
    if (!result) throw new Error('A call ended without a result.');
    return toolMessage(call, result, message.seq, timestamp);
  });
  return [...history, ...added].toSorted((a, b) => a.seq - b.seq || a.sub - b.sub);
}
