import { AppError } from '../../errors.ts';
import type { Elicit } from '../../types/request.ts';
import type { ContentBlock } from '../../types/tools/tool-result.ts';
import { attempt } from './attempt.ts';
import { startClock } from './call-clock.ts';
import type { RequestOptions } from './request-sender.ts';
import type { ServerConnection } from '../connection/server-connection.ts';
import type { Session } from '../connection/session.ts';
import { type PromptMessage, toPromptMessages, toResourceBlocks } from '../content/blocks.ts';
import { causeOf, connectFailure, signInNeeded, timedOut, unreachable } from '../failures/failures.ts';
import { isConnectionLost } from '../failures/sdk-errors.ts';
import { originOf } from '../settings.ts';
import type { Raw } from '../content/raw.ts';
import { ProtocolError } from '@modelcontextprotocol/client';
import { type Queue, untilAborted } from '../../async.ts';
import { t } from '../../../locales/texts/errors.ts';

/** `elicit`: puts the server's elicitations before the user; the clock stands still meanwhile. */
export type FetchOptions = { signal: AbortSignal; elicit: Elicit };

type Fetch<T> = {
  /** What is fetched, in words. */
  what: string;
  send: (on: Session, options: RequestOptions) => Promise<T>;
};

/** `prompts/get`. @throws AppError; `signal.reason` when aborted */
export async function getPrompt(
  connection: ServerConnection,
  queue: Queue,
  name: string,
  args: Record<string, string>,
  options: FetchOptions,
): Promise<PromptMessage[]> {
  const params = { name, arguments: args };
  const request: Fetch<Raw> = {
    what: t(($) => $.errors.mcp.prompt, { name }),
    send: (on, sent) => on.request('prompts/get', params, sent),
  };
  return toPromptMessages(await fetchFrom(connection, queue, request, options));
}

/** `resources/read`. @throws AppError; `signal.reason` when aborted */
export async function readResource(
  connection: ServerConnection,
  queue: Queue,
  uri: string,
  options: FetchOptions,
): Promise<ContentBlock[]> {
  return toResourceBlocks(await readRawResource(connection, queue, uri, options));
}

/** The same as the server answered it. @throws AppError; `signal.reason` when aborted */
export async function readRawResource(
  connection: ServerConnection,
  queue: Queue,
  uri: string,
  options: FetchOptions,
): Promise<Raw> {
  const request: Fetch<Raw> = {
    what: t(($) => $.errors.mcp.resource, { uri }),
    send: (on, sent) => on.request('resources/read', { uri }, sent),
  };
  return fetchFrom(connection, queue, request, options);
}

/**
 * One request that changes nothing at the server, in the queue of its calls and against their clock.
 * @throws AppError; `signal.reason` when aborted
 */
export async function fetchFrom<T>(
  connection: ServerConnection,
  queue: Queue,
  request: Fetch<T>,
  options: FetchOptions,
): Promise<T> {
  // Before queueing, as with calls: a dead server holds no place.
  await untilAborted(connection.ready(), options.signal);
  return queue.run(originOf(connection.config), options.signal, () => dispatch(connection, request, options));
}

async function dispatch<T>(
  connection: ServerConnection,
  { what, send }: Fetch<T>,
  { signal, elicit }: FetchOptions,
): Promise<T> {
  const { config } = connection;
  const session = await untilAborted(connection.ready(), signal);
  const clock = startClock(config.toolTimeout, AbortSignal.any([signal, connection.gone]));
  try {
    return await attempt(connection, session, {
      signal: clock.signal,
      idempotent: true,
      mayRun: () => Promise.resolve(),
      send: (on) =>
        send(on, {
          signal: clock.signal,
          elicit: (request, until) => clock.pause(() => elicit(request, until)),
          progress: () => clock.restart(),
        }),
    });
  } catch (error) {
    signal.throwIfAborted();
    connection.gone.throwIfAborted();
    if (error instanceof AppError) throw error;
    if (clock.timedOut()) throw timedOut(config, config.toolTimeout);
    const signIn = signInNeeded(config, error);
    if (signIn) throw signIn;
    if (error instanceof ProtocolError) throw refused(connection, what, error);
    throw isConnectionLost(error) ? unreachable(config, error) : connectFailure(config, error);
  } finally {
    clock.stop();
  }
}

function refused({ config }: ServerConnection, what: string, error: ProtocolError): AppError {
  return new AppError({
    code: 'server_refused',
    ...t(($) => $.errors.mcp.refused, { name: config.name, what }),
    cause: causeOf(config, error),
  });
}
