import type {
  ChatSettings,
  Learned,
  ModelEvent,
  ModelRequest,
  ModelTurn,
  PresetId,
  StreamModel,
  Traits,
} from '../types/model.ts';
import { classify } from './classify.ts';
import { type ClientOptions, createClient } from './client.ts';
import { openConnection } from './connection.ts';
import { describeFailure, type Failure } from './failure.ts';
import { learnFrom } from './learn.ts';
import { readChunks } from './reply.ts';
import { createTurnAccumulator } from './turn.ts';
import { toWireRequest } from './wire-request.ts';

export type StreamModelOptions = ClientOptions & {
  preset: PresetId;
  model: string;
  traits: Traits;
  settings: ChatSettings;
  learned: Learned;
  /** Told what a refusal taught, merged with what was known, so that it can be remembered. */
  learn: (learned: Learned) => void;
  /** Longest wait between two pieces of a reply, and for its first; milliseconds, default 120 000. */
  idleTimeoutMs?: number;
  /** Pieces of a reply are read at least so far apart; milliseconds, default `FRAME_MS`, 0 for as fast as they come. */
  frameMs?: number;
  /** For calls that come without an id. */
  newId?: () => string;
};

const IDLE_TIMEOUT_MS = 120_000;
/** Requests that are made again at once, because a refusal said what to change. */
const MAX_LESSONS = 3;

/** What a model's refusals taught while it is in use. `hint`: a line for its next request only. */
type Memory = { learned: Learned; hint?: string };

/**
 * A model of an OpenAI-compatible server, over streamed chat completions. It never throws: what fails is one
 * last `error` event, after whatever text had arrived. Aborting the signal, or leaving the loop over the
 * events, ends the HTTP request at once. A refusal that says what to change is answered by a changed request, or, when
 * something was already said, by an error that is worth a retry.
 */
export function createStreamModel(options: StreamModelOptions): StreamModel {
  const memory: Memory = { learned: options.learned };
  return (request, signal) => stream(options, memory, request, signal);
}

async function* stream(
  options: StreamModelOptions,
  memory: Memory,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  for (let lessons = 0; ; lessons++) {
    const { hint } = memory;
    delete memory.hint;
    const { learned } = memory;
    const body = toWireRequest({ ...options, learned, ...(hint !== undefined && { hint }) }, request);
    const failed = yield* attempt(options, body, request, signal);
    if (failed === undefined) return;
    const mayRepeat = learn(options, memory, failed.failure, body, hint) && lessons < MAX_LESSONS;
    if (mayRepeat && !failed.said && !signal.aborted) continue;
    const error = describeFailure(failed.failure, options);
    yield { type: 'error', error: mayRepeat ? { ...error, retryable: true } : error };
    return;
  }
}

/** Remembers what a failure teaches. @returns whether the request, written again, may pass */
function learn(
  options: StreamModelOptions,
  memory: Memory,
  failure: Failure,
  sent: object,
  hinted: string | undefined,
): boolean {
  const lesson = learnFrom(failure, memory.learned, sent);
  if (lesson === undefined || (lesson.hint !== undefined && hinted !== undefined)) return false;
  if (lesson.learned !== memory.learned) options.learn(lesson.learned);
  memory.learned = lesson.learned;
  if (lesson.hint !== undefined) memory.hint = lesson.hint;
  return lesson.again;
}

/** One request and its reply. @returns why it failed, and whether anything had been said by then */
async function* attempt(
  options: StreamModelOptions,
  body: ReturnType<typeof toWireRequest>,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, { failure: Failure; said: boolean } | undefined> {
  const idleTimeoutMs = options.idleTimeoutMs ?? IDLE_TIMEOUT_MS;
  const connection = openConnection(signal, idleTimeoutMs);
  const turn = createTurnAccumulator(options.newId ?? (() => crypto.randomUUID()), request.tools);
  let failure: Failure | undefined;
  let said = false;
  try {
    const response = await createClient(options)
      .chat.completions.create(body, { signal: connection.controller.signal })
      .asResponse();
    for await (const chunks of readChunks(response, connection, options.frameMs)) {
      for (const chunk of chunks) turn.push(chunk);
      for (const event of turn.take()) {
        said = true;
        yield event;
      }
      if (turn.problem() !== undefined) break;
      if (turn.finished()) connection.hurry();
    }
  } catch (error) {
    failure = classify(error);
  } finally {
    connection.close();
  }
  if (connection.timedOut()) failure = { type: 'timeout', ms: idleTimeoutMs };
  // Once the model said that it is done, a connection that breaks or lingers takes nothing away.
  if (turn.finished() || turn.problem() !== undefined) failure = turn.problem();
  else failure ??= { type: 'incomplete', detail: 'the stream ended without finish_reason or [DONE]' };
  if (signal.aborted) failure = { type: 'cancelled' };
  turn.end(failure === undefined);
  for (const event of turn.take()) {
    said = true;
    yield event;
  }
  const whole = turn.turn();
  failure ??= turn.problem() ?? emptiness(whole);
  if (failure !== undefined) return { failure, said };
  yield { type: 'end', turn: whole };
  return undefined;
}

function emptiness({ content, toolCalls, finish }: ModelTurn): Failure | undefined {
  return content.trim() === '' && toolCalls.length === 0 ? { type: 'empty', finish } : undefined;
}
