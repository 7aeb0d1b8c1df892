import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';
import { type Queue, untilAborted, wait } from '../../async.ts';
import { AppError } from '../../errors.ts';
import type { Elicit } from '../../types/request.ts';
import type { CallOptions } from '../../types/tools/call-tool.ts';
import { answered, cancelled, explain, failed, lostTask, type Outcome } from '../calls/outcome.ts';
import { fetchFrom } from '../calls/prompts-and-resources.ts';
import type { RequestOptions } from '../calls/request-sender.ts';
import type { ServerConnection } from '../connection/server-connection.ts';
import type { Session } from '../connection/session.ts';
import type { Raw } from '../content/raw.ts';
import { answerRequest, EndlessError } from '../elicitation/server-requests.ts';
import { isSignIn } from '../failures/failures.ts';
import { readTask, type Task } from './task.ts';
import { t } from '../../../locales/texts/errors.ts';

type TaskCall = {
  toolName: string;
  options: Pick<CallOptions, 'signal' | 'accepted' | 'progress'> & { elicit: Elicit };
};

/** Requests to the user in one task: a server that has more is in a loop. */
const MOST_REQUESTS = 100;
/** In a row a task is asked for so often, a minute apart in the end, at a server that can't be reached. */
const MOST_FAILURES = 60;
const LONGEST_PAUSE = 60_000;
const CANCEL_TIME = 10_000;
/** A program that is asked nothing for ten minutes is ended. */
const LONGEST_SILENCE = 5 * 60_000;

/**
 * Follows a call that its server works on as a task to its outcome, by polling: over lost sessions, and from any later
 * worker on. What the server asks of the user meanwhile is put before them. Aborting cancels the task. Never throws.
 * @param begun as the server accepted it, or its id alone
 */
export async function followTask(
  connection: ServerConnection,
  queue: Queue,
  { toolName, options }: TaskCall,
  begun: Task | string,
): Promise<Outcome> {
  const taskId = typeof begun === 'string' ? begun : begun.id;
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, connection.gone, stop.signal]);
  const cancel = (): void => cancelTask(connection, taskId);
  // At once, while a connection that is being closed is still there.
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();

  const send = (method: string, params: Raw = {}, until = signal): Promise<Raw> => {
    const request = {
      what: toolName,
      send: (on: Session, sent: RequestOptions) => on.request(method, { ...params, taskId }, sent),
    };
    return fetchFrom(connection, queue, request, { signal: until, elicit: options.elicit });
  };
  const answerRequests = createAnswers({
    answer: (request, until) => answerRequest(request, options.elicit, until),
    send: (inputResponses, until) => send('tasks/update', { inputResponses }, until),
    signal,
    fail: (error) => stop.abort(error),
  });
  /** Before 2026-07-28: it waits for the task's end, and brings what the server asks of the user. */
  const result = ({ message }: Task): Promise<Outcome> =>
    send('tasks/result').then(answered, (error: unknown) => {
      if (!isRefused(error)) throw error;
      const why = message || error.detail;
      return failed('error', `${connection.config.name} could not run ${toolName}. (${why})`);
    });
  const outcomeOf = async (task: Task): Promise<Outcome | undefined> => {
    answerRequests(task.inputRequests ?? {});
    switch (task.status) {
      case 'working':
        return undefined;
      case 'input_required':
        return task.inputRequests ? undefined : result(task).catch(unlessPassing);
      case 'completed':
        return task.result ? answered(task.result) : whileUnreached(() => result(task), signal);
      case 'failed':
        if (task.error) throw protocolError(task.error);
        return whileUnreached(() => result(task), signal);
      case 'cancelled':
        return failed('cancelled', `${connection.config.name} cancelled ${toolName}. ${task.message}`.trim());
    }
  };

  try {
    let task = typeof begun === 'string' ? undefined : begun;
    let said = '';
    if (task) await options.accepted(taskId);
    for (let isKnown = task !== undefined; ; isKnown = true) {
      task ??= readTask(await whileUnreached(() => send('tasks/get'), signal));
      if (!isKnown) await options.accepted(taskId);
      signal.throwIfAborted();
      if (task.message !== '' && task.message !== said) options.progress({ message: (said = task.message) });
      const outcome = await outcomeOf(task);
      if (outcome) return outcome;
      const most = connection.config.transport === 'stdio' ? LONGEST_SILENCE : Infinity;
      await untilAborted(wait(Math.min(task.pollMs, most), signal), signal);
      task = undefined;
    }
  } catch (error) {
    if (options.signal.aborted) return cancelled(toolName);
    if (connection.gone.aborted) return cancelled(toolName, connection.gone.reason);
    if (error instanceof AppError) return lostTask(toolName, error.detail ?? error.message);
    return failed('error', explain(connection.config, toolName, error));
  } finally {
    signal.removeEventListener('abort', cancel);
    answerRequests({});
  }
}

/** The server decides what becomes of it, and whether it still can. */
function cancelTask(connection: ServerConnection, taskId: string): void {
  const session = connection.current();
  const send = (on: Session): Promise<Raw> =>
    on.request('tasks/cancel', { taskId }, { signal: AbortSignal.timeout(CANCEL_TIME), elicit: noUser });
  (session ? send(session) : connection.ready().then(send)).catch(() => undefined);
}

const noUser: Elicit = async () => ({ action: 'cancel' });

type Answers = {
  answer: (request: unknown, signal: AbortSignal) => Promise<Raw>;
  send: (responses: Raw, signal: AbortSignal) => Promise<unknown>;
  signal: AbortSignal;
  /** One can't be answered, which ends the call. */
  fail: (error: unknown) => void;
};

/**
 * Answers a task's requests to the user as they come, each once, while the task is polled on.
 * @returns to be told those that are open; what is open no more is withdrawn
 */
function createAnswers({ answer, send, signal, fail }: Answers): (open: Raw) => void {
  const asked = new Map<string, AbortController>();
  const ask = async (key: string, request: unknown, until: AbortSignal): Promise<void> => {
    const response = await answer(request, until);
    if (until.aborted) return;
    // What did not arrive is asked again, if the server still wants to know.
    await send({ [key]: response }, until).catch(() => asked.delete(key));
  };
  return (open) => {
    for (const [key, over] of asked) if (!Object.hasOwn(open, key)) over.abort();
    for (const [key, request] of Object.entries(open)) {
      if (asked.has(key)) continue;
      if (asked.size >= MOST_REQUESTS)
        return fail(new EndlessError(t(($) => $.errors.mcp.tooManyAsked, { most: MOST_REQUESTS })));
      const over = new AbortController();
      asked.set(key, over);
      ask(key, request, AbortSignal.any([signal, over.signal])).catch((error: unknown) => {
        if (!over.signal.aborted) fail(error);
      });
    }
  };
}

/** Repeats a request, with backoff, as long as its server can't be reached, or the user has to sign in or unlock something first. */
export async function whileUnreached<T>(request: () => Promise<T>, signal: AbortSignal): Promise<T> {
  let failures = 0;
  for (let pause = 1000; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    try {
      return await untilAborted(request(), signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!isPassing(error) || (error.retryable && ++failures === MOST_FAILURES)) throw error;
      const { retryAfterMs = 0 } = error;
      await untilAborted(wait(Math.min(Math.max(pause, retryAfterMs), LONGEST_PAUSE), signal), signal);
    }
  }
}

const isPassing = (error: unknown): error is AppError =>
  error instanceof AppError && (error.retryable || error.code === 'secrets_locked' || isSignIn(error));

const isRefused = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === 'server_refused';

function unlessPassing(error: unknown): undefined {
  if (!isPassing(error)) throw error;
}

function protocolError({ code, message }: Raw): ProtocolError {
  const number = typeof code === 'number' ? code : ProtocolErrorCode.InternalError;
  return new ProtocolError(number, typeof message === 'string' ? message : '');
}
