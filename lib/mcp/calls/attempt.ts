import { untilAborted } from '../../async.ts';
import type { ServerConnection } from '../connection/server-connection.ts';
import { isConnectionLost, isOutOfDate, isSessionLost, isUnreached } from '../failures/sdk-errors.ts';
import type { Session } from '../connection/session.ts';
import { SentTwiceError } from '../transport/streamable-http.ts';

type Attempt<T> = {
  signal: AbortSignal;
  /** It may be retried although its first outcome is unknown. */
  idempotent: boolean;
  /** Awaited before it is sent again. A throw is why it is not. */
  mayRun: () => Promise<void>;
  send: (session: Session) => Promise<T>;
};

/**
 * Sends a request. An idempotent one is retried once, on a live session, when the server forgot the session, the
 * connection died or a gateway did not reach the server; the outcome of any other is unknown then. Any is retried once
 * when the server says, before it executes anything, that its tools have changed.
 * @throws AppError when it could not be sent again or the user has to sign in; else what `send` rejects with
 */
export async function attempt<T>(
  connection: ServerConnection,
  session: Session,
  request: Attempt<T>,
): Promise<T> {
  const { signal, idempotent, mayRun, send } = request;
  const once = (on: Session): Promise<T> =>
    send(on).catch((error: unknown) => {
      if (!signal.aborted) connection.found(on, error);
      throw error;
    });
  try {
    return await once(session);
  } catch (error) {
    if (!signal.aborted && isOutOfDate(error)) {
      await untilAborted(session.relist(), signal);
      await untilAborted(mayRun(), signal);
      return once(session);
    }
    // The session was alive a moment ago (`needsProof`): what was refused may be the browser's own
    // second try, after the server executed the first and died of it.
    if (!idempotent && session.isForgotten(error)) throw new SentTwiceError(error);
    const isLost = isConnectionLost(error) || isUnreached(error);
    if (signal.aborted || !idempotent || !(isLost || isSessionLost(error))) throw error;
    if (isUnreached(error)) session.doubt();
    const next = await untilAborted(connection.ready(), signal).catch((reason: unknown) => {
      // What became of the first try is still unknown, which says more than why there is no second.
      throw isLost ? error : reason;
    });
    await untilAborted(mayRun(), signal);
    return once(next);
  }
}
