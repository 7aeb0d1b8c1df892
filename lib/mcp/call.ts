import { AppError } from '../errors.ts';
import type { CallOptions } from '../types/tool.ts';
import { startClock, untilAborted } from './clock.ts';
import type { Connection } from './connection.ts';
import { isSessionLost } from './failures.ts';
import { answered, errorLine, explain, failed, isConnectionLost, taskOnly } from './outcome.ts';
import type { Outcome } from './outcome.ts';
import type { CallQueue } from './queue.ts';
import type { Session } from './session.ts';

export type Call = { toolName: string; args: Record<string, unknown>; options: McpCallOptions };

export type McpCallOptions = CallOptions & {
  /**
   * Awaited whenever the call is about to be sent, also a second time on a new session: the server may have listed other
   * tools meanwhile. A throw is why it is not sent.
   */
  mayRun: () => Promise<void>;
};

/** One call from asking to outcome: connect if need be, queue, write down, dispatch. Never throws. */
export async function makeCall(connection: Connection, queue: CallQueue, call: Call): Promise<Outcome> {
  const { toolName, options } = call;
  try {
    // Before queueing, so that a dead server holds no place; again after it, since it may have died meanwhile.
    await untilAborted(connection.ready(), options.signal);
    if (connection.tools().some((tool) => tool.name === toolName && tool.taskOnly)) {
      return failed('error', taskOnly(connection.config, toolName));
    }
    return await queue.run(new URL(connection.config.url).origin, options.signal, async () => {
      const session = await untilAborted(connection.ready(), options.signal);
      await untilAborted(options.mayRun(), options.signal);
      await untilAborted(options.started(), options.signal);
      return dispatch(connection, session, call);
    });
  } catch (error) {
    if (options.signal.aborted) return cancelled(toolName);
    const reason = error instanceof AppError ? errorLine(error) : 'Portside could not write it down first.';
    return failed('error', `${toolName} was not run: ${reason}`);
  }
}

/** From dispatch to outcome, against the clock. */
async function dispatch(connection: Connection, session: Session, call: Call): Promise<Outcome> {
  const { toolName, options } = call;
  const { toolTimeout } = connection.config;
  const clock = startClock(toolTimeout, options.signal);
  const progress: CallOptions['progress'] = (step) => {
    clock.restart();
    options.progress(step);
  };
  try {
    return answered(await send(connection, session, call, { signal: clock.signal, progress }));
  } catch (error) {
    if (options.signal.aborted) return cancelled(toolName);
    if (clock.timedOut()) return failed('timeout', `Tool execution timed out after ${toolTimeout}ms`);
    if (error instanceof AppError) return failed('error', `${toolName} was not run: ${errorLine(error)}`);
    return failed('error', explain(connection.config, toolName, error));
  } finally {
    clock.stop();
  }
}

/** When the server forgot the session, which it says before executing anything, sends once more on a new one. */
async function send(
  connection: Connection,
  session: Session,
  { toolName, args, options: { mayRun } }: Call,
  options: Pick<CallOptions, 'signal' | 'progress'>,
): Promise<Record<string, unknown>> {
  const attempt = (on: Session): Promise<Record<string, unknown>> =>
    on.call(toolName, args, options).catch((error: unknown) => {
      if (isConnectionLost(error)) connection.lose(on, error);
      throw error;
    });
  try {
    return await attempt(session);
  } catch (error) {
    if (!isSessionLost(error)) throw error;
    const renewed = await untilAborted(connection.renew(session), options.signal);
    await untilAborted(mayRun(), options.signal);
    return attempt(renewed);
  }
}

export function cancelled(toolName: string): Outcome {
  return failed('cancelled', `${toolName} was cancelled.`);
}
