import { AppError, toWire } from '../errors.ts';
import type { WireError } from '../types/error.ts';
import type { AssistantMessage, Message } from '../types/message.ts';
import type { RunEndReason, RunEvent } from '../types/run.ts';
import { isUsedUp } from '../types/schedule.ts';
import { isInOrder } from '../types/tools/own-tool-rules.ts';
import type { ToolCall } from '../types/tools/tool-call.ts';
import { orAborted } from './abort.ts';
import { askModel } from './ask.ts';
import type { RunContext, AgentDeps, Prepared, RunInput } from './deps.ts';
import { executeCall, judge } from './execute.ts';
import { nextStep, toolMessage, unanswered, leafOf, userMessage } from './context/history.ts';
import { ledgerRows } from './ledger.ts';
import { callable } from './offer.ts';
import { streamOf } from './stream.ts';
import { compact } from './context/summary.ts';
import { emptyAnswer } from './turn.ts';
import { t } from '../../locales/texts/errors.ts';

type End = { reason: RunEndReason; error?: WireError };

/**
 * The agent loop: asks the model, makes its calls, and so on until the answer stands (architecture.md, "The run").
 * Pure: what it does next follows from the history alone, so a run that was cut off anywhere goes on by being run
 * again. The reader must have written an event down before it asks for the next one. Exactly one `run_end` comes.
 */
export function runAgent(
  input: RunInput,
  deps: AgentDeps,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, void> {
  return streamOf<RunEvent>(async (emit) => {
    const { runId } = input;
    let { retry } = input;
    const takeRetry = () => {
      const left = retry;
      retry = undefined;
      return left;
    };
    await emit({ type: 'run_start', runId });
    const end = await iterate({ input, deps, signal, emit, takeRetry }).catch((error: unknown): End => {
      return { reason: 'error', error: toWire(error) };
    });
    const stopped = signal.aborted && end.reason !== 'done';
    await emit({ type: 'run_end', runId, ...(stopped ? { reason: 'cancelled' } : end) });
  });
}

async function iterate(context: RunContext): Promise<End> {
  const { deps, signal, emit } = context;
  if (context.input.compacts) return runCompaction(context);
  let { history, ledger, iteration, replaces } = context.input;
  let prepared: Prepared | undefined;

  while (!signal.aborted) {
    const step = nextStep(history);
    if (step.type === 'over') return { reason: 'done' };
    if (step.type === 'execute') {
      history = await execute(context, step.message, history, ledger);
      await emit({ type: 'iteration_end', iteration });
      continue;
    }

    const messageId = replaces ?? deps.newId();
    replaces = undefined;
    if (iteration >= deps.maxIterations) return endAtLimit(context, history, messageId);
    if (deps.limit && isUsedUp(deps.limit.most, deps.limit.used()))
      throw new AppError({ code: 'used_up', ...t(($) => $.errors.chat.usedUp) });
    prepared ??= await prepareUnlessStopped(context);
    if (!prepared) break;
    if (deps.limit?.most.cost !== undefined && !prepared.price) throw noPrice(prepared.modelName);
    if (history.at(-1)?.role === 'tool') history = await applySteers(context, history);
    iteration += 1;
    const current = await withLive(prepared, history);
    const asked = await askModel({ ...context, prepared: current }, history, iteration, messageId);
    const { message, error } = asked;
    if (message) {
      const checks = { ...deps, withheld: prepared.withheld, skillOf: prepared.skillOf };
      ledger = message.status === 'complete' ? ledgerRows(message, callable(current), checks) : [];
      await emit({ type: 'message_end', message, calls: ledger });
      history = [...asked.history, message];
    }
    if (error) return { reason: 'error', error };
    if (!message) break;
    if (ledger.length === 0) await emit({ type: 'iteration_end', iteration });
  }
  return { reason: 'cancelled' };
}

/** The user has the older part summarised: the model answers nothing. */
async function runCompaction(context: RunContext): Promise<End> {
  const prepared = await prepareUnlessStopped(context);
  if (!prepared) return { reason: 'cancelled' };
  const { error } = await compact({ ...context, prepared }, context.input.history);
  if (error) return { reason: 'error', error };
  return { reason: context.signal.aborted ? 'cancelled' : 'done' };
}

/**
 * Appends the warning to the answer. It is a `partial` message, which Continue replaces by what the model says next; a
 * history that goes on otherwise is accepted with it.
 */
async function endAtLimit(context: RunContext, history: Message[], messageId: string): Promise<End> {
  const { deps, emit } = context;
  const empty = emptyAnswer(context, history, messageId, deps.now());
  const content = t(($) => $.errors.chat.limit, { iterations: deps.maxIterations });
  await emit({
    type: 'message_end',
    message: { ...empty, status: 'partial', finish: 'limit', content },
    calls: [],
  });
  return { reason: 'limit' };
}

/** What it costs can't be told, so no limit of money would hold. */
const noPrice = (model: string): AppError =>
  new AppError({ code: 'no_price', ...t(($) => $.errors.chat.noPrice, { model }) });

/** What `prepare` gives; undefined when the run is stopped first, since servers may take their time. */
async function prepareUnlessStopped({ deps, signal }: RunContext): Promise<Prepared | undefined> {
  const prepared = await orAborted(deps.prepare(), signal);
  return prepared === 'aborted' || signal.aborted ? undefined : prepared;
}

/** With the tools that are there for the next request. */
async function withLive(prepared: Prepared, history: Message[]): Promise<Prepared> {
  const live = (prepared.callsTools && (await prepared.live?.(history))) || [];
  return live.length === 0 ? prepared : { ...prepared, tools: [...prepared.tools, ...live] };
}

/**
 * Makes the message's unanswered calls in parallel, but those that act on pages, or change what a tab shows, one after another: they are
 * a plan, in which each relies on what came before, in an earlier life of the worker, too.
 * @returns the history with their results, in call order
 */
async function execute(
  context: RunContext,
  message: AssistantMessage,
  history: Message[],
  ledger: ToolCall[],
): Promise<Message[]> {
  const open = new Set(unanswered(message, history));
  const all = ledger.filter(({ messageId }) => messageId === message.id);
  const calls = all.filter(({ position }) => open.has(position));
  if (calls.length < open.size) throw new Error('A call of this message has no row in the ledger.');
  // Those that ended before the worker did are part of the plan.
  const plan: ReturnType<typeof executeCall>[] = all.flatMap((call) =>
    call.result && !open.has(call.position) && isInOrder(call.serverId, call.toolName)
      ? [Promise.resolve({ call, result: call.result })]
      : [],
  );
  const judged = calls.map((call) => judge(call, context));
  const judgedAll = Promise.allSettled(judged.map(({ approval }) => approval));
  const executed = await Promise.all(
    judged.map((each) => {
      const { serverId, toolName } = each.call;
      if (!isInOrder(serverId, toolName)) return executeCall(each, context, judgedAll);
      const executing = executeCall(each, context, judgedAll, [...plan]);
      plan.push(executing);
      return executing;
    }),
  );
  const timestamp = new Date(context.deps.now()).toISOString();
  const added = executed.map(({ call, result }) => toolMessage(call, result, message.seq, timestamp));
  return [...history, ...added].toSorted((a, b) => a.seq - b.seq || a.sub - b.sub);
}

/** Adds the steering messages that came meanwhile. @returns the history with them */
async function applySteers({ input, deps, emit }: RunContext, history: Message[]): Promise<Message[]> {
  for (const said of await deps.takeSteers()) {
    const timestamp = new Date(deps.now()).toISOString();
    const message = userMessage(input.conversationId, leafOf(history), said, timestamp);
    await emit({ type: 'steered', message });
    history = [...history, message];
  }
  return history;
}
