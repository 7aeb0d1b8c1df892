import { ProtocolError } from '@modelcontextprotocol/client';
import type { Client } from '@modelcontextprotocol/client';
import type { Line } from './line.ts';
import { tap } from './log/tap.ts';

/** After so long without a word a server is asked whether it is there before a call is entrusted to it, in milliseconds. */
const QUIET = 60_000;
/** How long it may think about that. */
const PATIENCE = 5000;

/** Asks a server whether it is there. @throws the client's error when it is not, or forgot the session */
export async function requireThere(client: Client): Promise<void> {
  const options = { timeout: PATIENCE };
  try {
    await (client.getProtocolEra() === 'modern' ? client.discover(options) : client.ping(options));
  } catch (error) {
    // It answered, if only that it does not know the question.
    if (!(error instanceof ProtocolError)) throw error;
  }
}

/**
 * When a server was last heard. After a sleep of the computer a connection may be dead without anybody knowing: a call
 * would vanish in it, and nobody could say whether it was carried out.
 */
export function startHearing({ client, transport }: Line): { check(): Promise<void>; doubt(): void } {
  // By the clock on the wall, which goes on while the computer sleeps.
  let heardAt = Date.now();
  let asking: Promise<void> | undefined;
  tap(transport, { received: () => (heardAt = Date.now()) });

  const ask = (): Promise<void> =>
    requireThere(client).finally(() => {
      asking = undefined;
    });
  return {
    check() {
      if (Date.now() - heardAt < QUIET) return Promise.resolve();
      asking ??= ask();
      return asking;
    },
    doubt: () => (heardAt = 0),
  };
}
