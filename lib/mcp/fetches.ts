import { AppError } from '../errors.ts';
import type { CompletionRef } from '../types/offer.ts';
import type { ContentBlock } from '../types/tool.ts';
import { attempt } from './attempt.ts';
import { startClock, untilAborted } from './clock.ts';
import type { Connection } from './connection.ts';
import type { FetchOptions } from './connections.ts';
import { toPromptMessages, toResourceBlocks } from './content/blocks.ts';
import { causeOf, connectFailure, signInNeeded, timedOut, unreachable } from './failures.ts';
import { isConnectionLost } from './outcome.ts';
import { isRecord, isText } from './content/raw.ts';
import type { Raw } from './content/raw.ts';
import { ProtocolError } from '@modelcontextprotocol/client';

type Fetch = { method: string; params: Raw; /** What is fetched, for a person. */ what: string };

/** `prompts/get`. @throws AppError; `signal.reason` when aborted */
export async function getPrompt(
  connection: Connection,
  name: string,
  args: Record<string, string>,
  options: FetchOptions,
): Promise<{ role: 'user' | 'assistant'; block: ContentBlock }[]> {
  const params = { name, arguments: args };
  const request = { method: 'prompts/get', params, what: `the prompt “${name}”` };
  return toPromptMessages(await fetchFrom(connection, request, options));
}

/** `resources/read`. @throws AppError; `signal.reason` when aborted */
export async function readResource(
  connection: Connection,
  uri: string,
  options: FetchOptions,
): Promise<ContentBlock[]> {
  const request = { method: 'resources/read', params: { uri }, what: `the resource ${uri}` };
  return toResourceBlocks(await fetchFrom(connection, request, options));
}

const MOST_VALUES = 100;

/** `completion/complete`; nothing where the server does not complete. @throws AppError */
export async function complete(
  connection: Connection,
  ref: CompletionRef,
  argument: { name: string; value: string },
  others: Record<string, string>,
): Promise<{ values: string[]; hasMore: boolean }> {
  const nothing = { values: [], hasMore: false };
  const { capabilities } = await connection.ready();
  if (!capabilities['completions']) return nothing;
  const named =
    ref.type === 'prompt'
      ? { type: 'ref/prompt', name: ref.name }
      : { type: 'ref/resource', uri: ref.uriTemplate };
  const params = {
    ref: named,
    argument,
    ...(Object.keys(others).length > 0 && { context: { arguments: others } }),
  };
  const request = { method: 'completion/complete', params, what: 'what could stand there' };
  const nobody: FetchOptions = {
    signal: new AbortController().signal,
    ask: () => Promise.resolve({ action: 'cancel' }),
  };
  const { completion } = await fetchFrom(connection, request, nobody);
  if (!isRecord(completion) || !Array.isArray(completion['values'])) return nothing;
  const values = completion['values'].filter(isText).slice(0, MOST_VALUES);
  return { values, hasMore: completion['hasMore'] === true };
}

/** One request that changes nothing at the server, against the clock of its calls. */
async function fetchFrom(
  connection: Connection,
  { method, params, what }: Fetch,
  { signal, ask }: FetchOptions,
): Promise<Raw> {
  const { config } = connection;
  const session = await untilAborted(connection.ready(), signal);
  const clock = startClock(config.toolTimeout, signal);
  try {
    return await attempt(connection, session, {
      signal: clock.signal,
      repeatable: true,
      mayRun: () => Promise.resolve(),
      send: (on) =>
        on.request(method, params, {
          signal: clock.signal,
          ask: (request, until) => clock.pause(() => ask(request, until)),
          progress: () => clock.restart(),
        }),
    });
  } catch (error) {
    signal.throwIfAborted();
    if (clock.timedOut()) throw timedOut(config, config.toolTimeout);
    const signIn = signInNeeded(config, error);
    if (signIn) throw signIn;
    if (error instanceof ProtocolError) throw refused(connection, what, error);
    throw isConnectionLost(error) ? unreachable(config, error) : connectFailure(config, error, undefined);
  } finally {
    clock.stop();
  }
}

function refused({ config }: Connection, what: string, error: ProtocolError): AppError {
  return new AppError({
    code: 'server_refused',
    message: `${config.name} did not give ${what}.`,
    cause: causeOf(config, error),
    fix: 'Check what you entered; the server may also no longer have it.',
  });
}
