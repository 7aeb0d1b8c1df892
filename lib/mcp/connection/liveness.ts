import { type Client, ProtocolError } from '@modelcontextprotocol/client';
import { isConnectionLost, isSessionLost, isUnreached } from '../failures/sdk-errors.ts';
import type { ClientChannel } from './client-channel.ts';
import { tap } from '../log/tap.ts';

/** Milliseconds of silence after which a server is pinged before a call. */
const PING_AFTER = 60_000;
const PING_TIMEOUT = 5000;

/** The same before a non-idempotent call: if its session is gone on its arrival, it was lost just then. */
const PROOF_AGE = 1000;
const PROOF_TIMEOUT = 2000;

/** Probes a server: any reply will do. @throws the client's error when there is none, or the session is forgotten */
export async function ping(client: Client, timeout = PING_TIMEOUT): Promise<void> {
  const options = { timeout };
  try {
    await (client.getProtocolEra() === 'modern' ? client.discover(options) : client.ping(options));
  } catch (error) {
    // It replied, if only that it knows no such method.
    if (!(error instanceof ProtocolError)) throw error;
  }
}

/**
 * Tracks when a server last sent something. After a sleep of the computer a connection may be dead without a sign: the
 * outcome of a call on it would stay unknown.
 */
export function trackLiveness({ client, transport }: ClientChannel) {
  // Wall-clock time, which goes on while the computer sleeps.
  let lastReceivedAt = Date.now();
  let pinging: Promise<void> | undefined;
  tap(transport, { received: () => void (lastReceivedAt = Date.now()) });

  return {
    /**
     * Pings after a long silence, for a proof after a short one too. After a short one only an error counts that says that
     * the session is gone or that a gateway does not reach the server: a slow server might carry out a call all the same.
     * @throws the client's error when the server is gone, or forgot the session
     */
    async check(needsProof: boolean): Promise<void> {
      const silence = Date.now() - lastReceivedAt;
      const isLong = silence >= PING_AFTER;
      if (!isLong && !(needsProof && silence >= PROOF_AGE)) return;
      pinging ??= ping(client, isLong ? PING_TIMEOUT : PROOF_TIMEOUT).finally(() => {
        pinging = undefined;
      });
      await pinging.catch((error: unknown) => {
        if (isLong || isSessionLost(error) || isConnectionLost(error) || isUnreached(error)) throw error;
      });
    },
    /** The next check pings. */
    doubt: (): void => void (lastReceivedAt = 0),
  };
}
