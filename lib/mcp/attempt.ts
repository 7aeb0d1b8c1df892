import { untilAborted } from './clock.ts';
import type { Connection } from './connection.ts';
import { isOutOfDate, isSessionLost, isUnreached } from './failures.ts';
import { isConnectionLost } from './outcome.ts';
import type { Session } from './session.ts';
import { SentTwiceError } from './transports.ts';

type Attempt<T> = {
  signal: AbortSignal;
  /** It may be sent again although nobody knows whether it was carried out. */
  repeatable: boolean;
  /** Awaited before it is sent again. A throw is why it is not. */
  mayRun: () => Promise<void>;
  send: (session: Session) => Promise<T>;
};

/**
 * Sends a request. When the server forgot the session, or the connection died, once more on another session if the
 * request may be repeated, else it is unknown what became of it; likewise, once the server is there, when a gateway did
 * not get through to it; once more on this session when the server says, before
 * it executes anything, that its tools are others by now.
 * @throws AppError when it could not be sent again or the person has to sign in; else what `send` rejects with
 */
export async function attempt<T>(connection: Connection, session: Session, request: Attempt<T>): Promise<T> {
  const { signal, repeatable, mayRun, send } = request;
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
    // The session was alive a moment ago (`needsProof` of connection.ts): what was refused may be the browser's own
    // second try, after the server executed the first and died of it.
    if (!repeatable && session.isForgotten(error)) throw new SentTwiceError(error);
    const isLost = isConnectionLost(error) || isUnreached(error);
    if (signal.aborted || !repeatable || !(isLost || isSessionLost(error))) throw error;
    if (isUnreached(error)) session.doubt();
    const next = await untilAborted(connection.ready(), signal).catch((reason: unknown) => {
      // What became of the first try is still unknown, which says more than why there is no second.
      throw isLost ? error : reason;
    });
    await untilAborted(mayRun(), signal);
    return once(next);
  }
}
