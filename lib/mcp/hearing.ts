import { ProtocolError } from '@modelcontextprotocol/client';
import type { Client } from '@modelcontextprotocol/client';
import { isSessionLost, isUnreached } from './failures.ts';
import type { Line } from './line.ts';
import { tap } from './log/tap.ts';
import { isConnectionLost } from './outcome.ts';

/** After so long without a word a server is asked whether it is there before a call is entrusted to it, in milliseconds. */
const QUIET = 60_000;
/** How long it may think about that. */
const PATIENCE = 5000;

/** The same before a call that may be made only once: if its session is gone on its arrival, it was lost just then. */
const PROOF_AGE = 1000;
const PROOF_PATIENCE = 2000;

/** Asks a server whether it is there. @throws the client's error when it is not, or forgot the session */
export async function requireThere(client: Client, timeout = PATIENCE): Promise<void> {
  const options = { timeout };
  try {
    await (client.getProtocolEra() === 'modern' ? client.discover(options) : client.ping(options));
  } catch (error) {
    // It answered, if only that it does not know the question.
    if (!(error instanceof ProtocolError)) throw error;
  }
}

type Hearing = {
  /**
   * Asks after a long silence, for a proof after a short one too. After a short one only what says that the session is
   * gone, or that a gateway does not reach the server, counts: a server that is slow or knows no such question might carry out a call all the same.
   * @throws the client's error when the server is not there, or forgot the session
   */
  check(needsProof: boolean): Promise<void>;
  /** The next check asks. */
  doubt(): void;
};

/**
 * When a server was last heard. After a sleep of the computer a connection may be dead without anybody knowing: a call
 * would vanish in it, and nobody could say whether it was carried out.
 */
export function startHearing({ client, transport }: Line): Hearing {
  // By the clock on the wall, which goes on while the computer sleeps.
  let heardAt = Date.now();
  let asking: Promise<void> | undefined;
  tap(transport, { received: () => void (heardAt = Date.now()) });

  const ask = (timeout: number): Promise<void> =>
    requireThere(client, timeout).finally(() => {
      asking = undefined;
    });
  return {
    async check(needsProof) {
      const silence = Date.now() - heardAt;
      const isLong = silence >= QUIET;
      if (!isLong && !(needsProof && silence >= PROOF_AGE)) return;
      asking ??= ask(isLong ? PATIENCE : PROOF_PATIENCE);
      await asking.catch((error: unknown) => {
        if (isLong || isSessionLost(error) || isConnectionLost(error) || isUnreached(error)) throw error;
      });
    },
    doubt: () => (heardAt = 0),
  };
}
