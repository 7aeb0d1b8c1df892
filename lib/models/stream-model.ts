import type { Message } from '../types/message.ts';
import type { Picture } from '../types/picture.ts';
import type {
  ChatSettings,
  Learned,
  ModelApi,
  ModelEvent,
  ModelRequest,
  ModelTurn,
  PresetId,
  StreamModel,
  Traits,
} from '../types/model.ts';
import { isLoopback } from '../origins.ts';
import { classify } from './refusals/classify.ts';
import { type ClientOptions, createClient } from './client.ts';
import { startLifetime, TIMEOUTS, type Timeouts } from './request-lifetime.ts';
import { describeFailure, type Failure, hostOf } from './refusals/failure.ts';
import { learnFrom } from './refusals/learn.ts';
import { quirksFor } from './request-quirks.ts';
import { answers } from './discovery/local-servers.ts';
import { notesOf } from './request/notes.ts';
import { picturesOf, withoutRefused } from './request/picture-parts.ts';
import { readChunks } from './reply/framing.ts';
import { createResponseReader } from './reply/responses-events.ts';
import { createTurnAccumulator } from './reply/turn-accumulator.ts';
import { withoutOutput } from './output-items.ts';
import { toResponsesRequest } from './request/responses-request.ts';
import { toWireRequest } from './request/wire-request.ts';
import { t } from '../../locales/texts/errors.ts';

export type StreamModelOptions = ClientOptions & {
  preset: PresetId;
  /** Absent: chat completions. */
  api?: ModelApi;
  model: string;
  traits: Traits;
  settings: ChatSettings;
  learned: Learned;
  /** Told what a refusal taught, merged with what was known, so that it can be remembered. */
  learn: (learned: Learned) => void;
  /** Longest wait for a sign of life of the server; milliseconds, default 120 000. */
  idleTimeoutMs?: number;
  /** Longest wait for a piece of the answer, whatever keep-alives there are; milliseconds, default 600 000. */
  stallTimeoutMs?: number;
  /** Pieces of a reply are read at least so far apart; milliseconds, default `FRAME_MS`, 0 for as fast as they come. */
  frameMs?: number;
  /** For calls that come without an id. */
  newId?: () => string;
};

/** Requests that are made again at once, because a refusal said what to change. */
const MAX_LESSONS = 3;

/**
 * What a model's refusals taught while it is in use. `hint`: a line for its next request only. `notes`: what the user
 * is to be told with the next answer. `refused`: pictures that are not sent again. `withoutThoughts`: nor is what it put
 * out before.
 */
type Memory = {
  learned: Learned;
  hint?: string;
  notes: string[];
  refused: Set<Picture>;
  withoutThoughts?: true;
};

const PATHS: Record<ModelApi, string> = { chat: '/chat/completions', responses: '/responses' };

/**
 * A model of an OpenAI-compatible server, over streamed chat completions or responses. It never throws: what fails is one
 * last `error` event, after whatever text had arrived. Aborting the signal, or leaving the loop over the
 * events, ends the HTTP request at once. A refusal that says what to change is answered by a changed request, or, when
 * something was already said, by an error that is worth a retry.
 */
export function createStreamModel(options: StreamModelOptions): StreamModel {
  const memory: Memory = { learned: options.learned, notes: [], refused: new Set() };
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
    const messages = withoutRefused(request.messages, memory.refused);
    const body = bodyFor(
      { ...options, learned, ...(hint !== undefined && { hint }) },
      { ...request, messages: memory.withoutThoughts ? messages.map(withoutOutput) : messages },
    );
    const ended = yield* attempt(options, body, request, signal);
    if ('turn' in ended) {
      const { notes } = memory;
      memory.notes = [];
      yield { type: 'end', turn: { ...ended.turn, ...(notes.length > 0 && { notes }) } };
      return;
    }
    const mayRepeat =
      learn(options, memory, ended.failure, { body, messages, hint }) && lessons < MAX_LESSONS;
    if (mayRepeat && !ended.said && !signal.aborted) continue;
    const error = describeFailure(await whetherRunning(ended.failure, options), options);
    yield { type: 'error', error: mayRepeat ? { ...error, retryable: true } : error };
    return;
  }
}

type Body = ReturnType<typeof bodyFor>;

function bodyFor(options: StreamModelOptions & { hint?: string }, request: ModelRequest) {
  return options.api === 'responses'
    ? toResponsesRequest(options, request, hostOf(options.baseUrl))
    : toWireRequest(options, request);
}

/** What was out of reach on this computer is asked whether it runs at all. */
async function whetherRunning(failure: Failure, { baseUrl, fetch }: StreamModelOptions): Promise<Failure> {
  if (failure.type !== 'unreachable' || !isLoopback(baseUrl)) return failure;
  return (await answers(baseUrl, fetch)) ? failure : { ...failure, type: 'not_running' };
}

/** Remembers what a failure teaches. @returns whether the request, written again, may pass */
function learn(
  options: StreamModelOptions,
  memory: Memory,
  failure: Failure,
  sent: { body: object; messages: Message[]; hint: string | undefined },
): boolean {
  const lesson = learnFrom(failure, memory.learned, sent.body);
  if (lesson === undefined || (lesson.hint !== undefined && sent.hint !== undefined)) return false;
  if (lesson.learned !== memory.learned) options.learn(lesson.learned);
  memory.notes.push(...notesOf(failure, memory.learned, lesson, options));
  memory.learned = lesson.learned;
  if (lesson.hint !== undefined) memory.hint = lesson.hint;
  if (lesson.withoutThoughts) memory.withoutThoughts = true;
  if (lesson.withoutPictures) for (const picture of picturesOf(sent.messages)) memory.refused.add(picture);
  return lesson.again;
}

/** One request and its reply. @returns the turn, or why it failed and whether anything had been said by then */
async function* attempt(
  options: StreamModelOptions,
  body: Body,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, { turn: ModelTurn } | { failure: Failure; said: boolean }> {
  const lifetime = startLifetime(signal, timeoutsOf(options));
  const { api = 'chat', preset, model } = options;
  const { leaksCalls } = quirksFor(preset, model);
  const reader = api === 'responses' ? createResponseReader(hostOf(options.baseUrl)) : undefined;
  const turn = createTurnAccumulator(
    options.newId ?? (() => crypto.randomUUID()),
    request.tools,
    leaksCalls ? () => JSON.stringify(body) : undefined,
    reader?.size,
  );
  let failure: Failure | undefined;
  let said = false;
  try {
    const response = await createClient(options)
      .post(PATHS[api], { body, signal: lifetime.controller.signal, stream: true })
      .asResponse();
    for await (const chunks of readChunks(response, lifetime, api, options.frameMs)) {
      const before = turn.size();
      for (const chunk of chunks) {
        if (reader) reader.read(chunk).forEach(turn.push);
        else turn.push(chunk);
      }
      if (turn.size() > before) lifetime.progress();
      for (const event of turn.take()) {
        said = true;
        yield event;
      }
      if (turn.problem() !== undefined || turn.isFull()) break;
      if (turn.finished()) lifetime.linger();
    }
  } catch (error) {
    failure = classify(error);
  } finally {
    lifetime.close();
  }
  const waited = lifetime.timedOut();
  if (waited !== undefined) failure = { type: 'timeout', ms: waited };
  // Once the model said that it is done, a connection that breaks or lingers takes nothing away.
  if (turn.finished() || turn.problem() !== undefined) failure = turn.problem();
  else failure ??= { type: 'incomplete', detail: t(($) => $.errors.models.replies.noEnd) };
  if (signal.aborted) failure = { type: 'cancelled' };
  turn.end(failure === undefined);
  for (const event of turn.take()) {
    said = true;
    yield event;
  }
  const { raw: fields, ...rest } = turn.turn();
  const raw = !reader ? fields : turn.isFull() ? undefined : reader.raw();
  const whole = { ...rest, ...(raw && { raw }) };
  failure ??= turn.problem() ?? emptiness(whole);
  return failure === undefined ? { turn: whole } : { failure, said };
}

function timeoutsOf({ idleTimeoutMs, stallTimeoutMs }: StreamModelOptions): Timeouts {
  const idleMs = idleTimeoutMs ?? TIMEOUTS.idleMs;
  return {
    idleMs,
    stallMs: stallTimeoutMs ?? TIMEOUTS.stallMs,
    lingerMs: Math.min(TIMEOUTS.lingerMs, idleMs),
  };
}

function emptiness({ content, toolCalls, finish, reasoning }: ModelTurn): Failure | undefined {
  if (content.trim() !== '' || toolCalls.length > 0) return undefined;
  return { type: 'empty', finish, thought: reasoning !== undefined };
}
