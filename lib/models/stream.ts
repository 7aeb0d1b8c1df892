import type { ModelEvent, ModelRequest, StreamModel } from '../types.ts';
import { classify } from './classify.ts';
import { type ClientOptions, createClient } from './client.ts';
import { type Connection, openConnection } from './connection.ts';
import { describeFailure, type Failure } from './failure.ts';
import { readChunks } from './reply.ts';
import { createTurnAccumulator, type TurnAccumulator } from './turn.ts';
import { toWireRequest } from './wire-request.ts';

export type StreamModelOptions = ClientOptions & {
  model: string;
  /** Longest wait between two pieces of a reply, and for its first; milliseconds, default 120 000. */
  idleTimeoutMs?: number;
  /** For calls that come without an id. */
  newId?: () => string;
};

const IDLE_TIMEOUT_MS = 120_000;

/**
 * A model of an OpenAI-compatible server, over streamed chat completions. It never throws: what fails is one
 * last `error` event, after whatever text had arrived. Aborting the signal, or leaving the loop over the
 * events, ends the HTTP request at once.
 */
export function createStreamModel(options: StreamModelOptions): StreamModel {
  return (request, signal) => stream(options, request, signal);
}

async function* stream(
  options: StreamModelOptions,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const idleTimeoutMs = options.idleTimeoutMs ?? IDLE_TIMEOUT_MS;
  const connection = openConnection(signal, idleTimeoutMs);
  const turn = createTurnAccumulator(options.newId ?? (() => crypto.randomUUID()));
  let failure: Failure | undefined;
  try {
    for await (const chunk of exchange(options, request, connection)) yield* turn.push(chunk);
  } catch (error) {
    failure = classify(error);
  } finally {
    connection.close();
  }
  // Once the model said that it is done, a connection that breaks or lingers takes nothing away.
  if (signal.aborted) failure = { type: 'cancelled' };
  else if (turn.finished()) failure = undefined;
  else if (connection.timedOut()) failure = { type: 'timeout', ms: idleTimeoutMs };
  failure ??= judge(turn, connection);
  yield failure === undefined
    ? { type: 'end', turn: turn.turn() }
    : { type: 'error', error: describeFailure(failure, options) };
}

/** Sends the request and gives the chunks of the reply. */
async function* exchange(
  options: StreamModelOptions,
  request: ModelRequest,
  connection: Connection,
): AsyncGenerator<unknown> {
  const client = createClient(options);
  const response = await client.chat.completions
    .create(toWireRequest(options.model, request), { signal: connection.controller.signal })
    .asResponse();
  yield* readChunks(response, connection, client);
}

/** What is wrong with a reply that came to its end. */
function judge(turn: TurnAccumulator, connection: Connection): Failure | undefined {
  if (!turn.finished() && !connection.sawDone()) {
    return { type: 'incomplete', detail: 'the stream ended without finish_reason or [DONE]' };
  }
  const { content, toolCalls, finish } = turn.turn();
  return content.trim() === '' && toolCalls.length === 0 ? { type: 'empty', finish } : undefined;
}
