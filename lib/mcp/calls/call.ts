import { type Queue, untilAborted } from '../../async.ts';
import { AppError } from '../../errors.ts';
import type { Elicit } from '../../types/request.ts';
import type { CallOptions } from '../../types/tools/call-tool.ts';
import { attempt } from './attempt.ts';
import { startClock } from './call-clock.ts';
import type { ServerConnection } from '../connection/server-connection.ts';
import { signInNeeded } from '../failures/failures.ts';
import { isConnectionLost, isUnanswered } from '../failures/sdk-errors.ts';
import { answered, cancelled, errorLine, explain, failed, type Outcome, withRefusals } from './outcome.ts';
import type { Session } from '../connection/session.ts';
import { originOf } from '../settings.ts';
import { followTask } from '../tasks/follow.ts';
import { type Task, taskIn } from '../tasks/task.ts';

export type Call = { toolName: string; args: Record<string, unknown>; options: McpCallOptions };

export type McpCallOptions = CallOptions & {
  /**
   * Awaited whenever the call is about to be sent, also a second time on a new session: the server may have listed other
   * tools meanwhile. A throw is why it is not sent.
   */
  mayRun: () => Promise<void>;
  /** Puts the server's elicitations before the user; the call's clock stands still meanwhile. */
  elicit: Elicit;
  /** Read-only or idempotent, as the tool declares itself: it may be retried when its outcome is unknown. */
  idempotent: boolean;
  /** The server works on the call as this task, which an earlier worker began to follow. */
  task?: string | undefined;
};

/** One call from asking to outcome: connect if need be, queue, write down, dispatch, follow its task if it is one. Never throws. */
export async function makeCall(connection: ServerConnection, queue: Queue, call: Call): Promise<Outcome> {
  const { task } = call.options;
  if (task !== undefined) return followTask(connection, queue, call, task);
  const over = new AbortController();
  try {
    const made = await accept(connection, queue, call, over.signal);
    return 'id' in made ? await followTask(connection, queue, call, made) : made;
  } finally {
    over.abort();
  }
}

/** What comes of its dispatch. A task holds no place in the queue. */
async function accept(
  connection: ServerConnection,
  queue: Queue,
  call: Call,
  lasts: AbortSignal,
): Promise<Outcome | Task> {
  const { toolName, options } = call;
  try {
    // Before queueing, so that a dead server holds no place; again after it, since it may have died meanwhile.
    await untilAborted(connection.ready(), options.signal);
    const problem = connection.tools().find(({ name }) => name === toolName)?.problem;
    if (problem !== undefined) return failed('error', `${toolName} was not run. ${problem}`);
    return await queue.run(originOf(connection.config), options.signal, async () => {
      const needsProof = !options.idempotent;
      const session = await untilAborted(connection.ready({ needsProof }), options.signal);
      await untilAborted(options.mayRun(), options.signal);
      await untilAborted(options.started(), options.signal);
      return dispatch(connection, session, call, lasts);
    });
  } catch (error) {
    if (options.signal.aborted) return cancelled(toolName);
    const reason = error instanceof AppError ? errorLine(error) : 'Portside could not write it down first.';
    return failed('error', `${toolName} was not run: ${reason}`);
  }
}

/** From dispatch to outcome, against the clock. */
async function dispatch(
  connection: ServerConnection,
  session: Session,
  call: Call,
  lasts: AbortSignal,
): Promise<Outcome | Task> {
  const { toolName, args, options } = call;
  const { toolTimeout } = connection.config;
  const clock = startClock(toolTimeout, AbortSignal.any([options.signal, connection.gone]));
  const refusals: string[] = [];
  const sent = {
    signal: clock.signal,
    lasts,
    refused: (why: string): void => void refusals.push(why),
    elicit: ((request, signal) => clock.pause(() => options.elicit(request, signal))) satisfies Elicit,
    progress: ((step) => {
      clock.restart();
      options.progress(step);
    }) satisfies CallOptions['progress'],
  };
  try {
    const { idempotent, mayRun } = options;
    const send = (on: Session) => on.call(toolName, args, sent);
    const raw = await attempt(connection, session, { signal: clock.signal, idempotent, mayRun, send });
    const task = taskIn(raw);
    if (task) return task;
    const outcome = answered(raw);
    return refusals.length === 0 ? outcome : withRefusals(outcome, connection.config.name, refusals);
  } catch (error) {
    if (options.signal.aborted) return cancelled(toolName);
    if (connection.gone.aborted) return cancelled(toolName, connection.gone.reason);
    if (clock.timedOut()) return failed('timeout', `Tool execution timed out after ${toolTimeout}ms`);
    const refused = signInNeeded(connection.config, error) ?? error;
    if (refused instanceof AppError) return failed('error', `${toolName} was not run: ${errorLine(refused)}`);
    const status = isConnectionLost(error) || isUnanswered(error) ? 'unknown' : 'error';
    return failed(status, explain(connection.config, toolName, error));
  } finally {
    clock.stop();
  }
}

export function notConnected(toolName: string): Outcome {
  return failed('error', `${toolName} was not run: its server is not connected.`);
}
