import { nextTask } from '../../async.ts';
import type { ModelApi } from '../../types/model.ts';
import { failureInReply } from '../refusals/classify.ts';
import type { RequestLifetime } from '../request-lifetime.ts';
import { createEventStream, type ServerEvent } from './event-stream.ts';
import { ModelFailure } from '../refusals/failure.ts';
import { isRecord, parseJson } from '../../json.ts';
import { apiOfReply, otherApiOf } from '../discovery/other-apis.ts';
import { isHtml } from '../refusals/read-refusal.ts';
import { t } from '../../../locales/texts/errors.ts';

/** Stands among the chunks for the end that the server announced. */
export const DONE = '[DONE]';

/** Characters of one event, or of a reply that does not stream: no answer is so long. */
const MAX_PIECE = 64 * 1024 * 1024;

/** Characters of a whole reply: a hundred thousand tokens have a quarter of it. */
const MAX_REPLY = 2 * MAX_PIECE;

/** A read costs more than the token it brings. The screen changes once a frame, so one read a frame is enough. */
export const FRAME_MS = 16;

/** Bytes of a read that is worth its cost: what comes so fast is read as it comes. */
const LARGE = 4096;

/** A field of server-sent events; whether text begins with one shows in its first six characters. */
const EVENT_FIELD = /^(data|event|id|retry)?:/;
const FIELD_LENGTH = 'retry:'.length;

/**
 * The chunks of a reply of status 200, as unknown JSON, together as they arrived; `DONE` is the last where there is
 * one. What the reply is shows in its beginning, since content types lie: a server that does not stream answers with
 * one whole completion or response, which is passed on as the only chunk.
 * @throws ModelFailure, after the chunks before it
 */
export async function* readChunks(
  response: Response,
  lifetime: RequestLifetime,
  api: ModelApi,
  frameMs = FRAME_MS,
): AsyncGenerator<Iterable<unknown>> {
  const saysEvents = response.headers.get('content-type')?.includes('text/event-stream') === true;
  const events = createEventStream();
  let isStream: boolean | undefined;
  let isDone = false;
  // A piece's chunks come one after another, so that what stands before a failure is taken first.
  const chunksOf = function* (complete: ServerEvent[]): Generator<unknown> {
    for (const event of complete) {
      if (isHeartbeat(event)) continue;
      isDone = event.data.trim() === DONE;
      yield isDone ? DONE : chunkOf(event, api);
      if (isDone) return;
    }
  };
  // The beginning until it shows what the reply is, then a whole completion; white space before either means nothing.
  let whole = '';
  let length = 0;
  for await (const text of readText(response, lifetime, frameMs)) {
    length += text.length;
    if (isStream) {
      yield chunksOf(events.push(text));
    } else {
      whole = whole === '' ? text.trimStart() : whole + text;
      if (isStream === undefined && whole.length >= FIELD_LENGTH) {
        isStream = EVENT_FIELD.test(whole) || (saysEvents && !/^[{[<]/.test(whole));
        if (isStream) yield chunksOf(events.push(whole));
      }
    }
    if (isDone) return;
    if ((isStream ? events.held() : whole.length) > MAX_PIECE || length > MAX_REPLY)
      throw garbage(t(($) => $.errors.models.replies.tooMuch));
  }
  if (isStream) yield chunksOf(events.end());
  else if (!lifetime.controller.signal.aborted) yield [wholeReply(whole, api)];
}

/** The body as text: without a byte order mark, and with U+FFFD for what is no UTF-8. */
async function* readText(
  response: Response,
  lifetime: RequestLifetime,
  frameMs: number,
): AsyncGenerator<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  const { signal } = lifetime.controller;
  const cancel = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  const decoder = new TextDecoder();
  const read = () => {
    const asked = reader.read();
    asked.catch(() => undefined); // the awaiting caller gets the error
    return asked;
  };
  let reading = read();
  let waited = false;
  try {
    while (!signal.aborted) {
      const { value, done } = await reading;
      if (done) break;
      const pieces = [value];
      reading = read();
      // What came during the wait lies in as many reads as there were packets: Chromium does not put them together.
      if (waited) {
        const over = nextTurn();
        for (let next = await inTime(reading, over); next?.value; next = await inTime(reading, over)) {
          pieces.push(next.value);
          reading = read();
        }
      }
      lifetime.alive();
      yield pieces.map((piece) => decoder.decode(piece, { stream: true })).join('');
      waited = frameMs > 0 && pieces.reduce((sum, { length }) => sum + length, 0) < LARGE;
      if (waited) await pause(frameMs, signal);
      // What lies there already is read without a wait: a stream that never ends would leave no time for anything else.
      else await nextTask();
    }
    yield decoder.decode();
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
}

/** Resolves once what lies there by now could be read. */
function nextTurn(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined)));
}

/** What was read, if that comes before it is over; a failure reaches the caller that awaits the read. */
function inTime<T>(reading: Promise<T>, over: Promise<undefined>): Promise<T | undefined> {
  return Promise.race([reading, over]).catch(() => undefined);
}

/** Resolves after so long, or as soon as the signal aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms);
    function end(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    }
    signal.addEventListener('abort', end);
  });
}

function chunkOf({ event, data }: ServerEvent, api: ModelApi): unknown {
  const chunk = parseJson(data);
  if (event === 'error') throw failed(chunk ?? data);
  if (chunk === undefined) throw garbage(data);
  return isRecord(chunk) ? checked(chunk, api) : chunk;
}

/** Servers that mean to keep a connection open send events without data, or a word under a name of their own. */
function isHeartbeat({ event, data }: ServerEvent): boolean {
  const text = data.trim();
  if (event === 'error' || text === DONE) return false;
  if (text === '' || /^["']?(ping|pong|heartbeat|keep-?alive)["']?$/i.test(text)) return true;
  // What looks like JSON is part of an answer, broken or not.
  return event !== '' && !/^[{[]/.test(text) && parseJson(text) === undefined;
}

/** @throws ModelFailure for what is no piece of an answer, but an error or another API's */
function checked(body: Record<string, unknown>, asked: ModelApi): Record<string, unknown> {
  const saysError = body.object === 'error' || body.type === 'error';
  const hasDetail = !('choices' in body) && body.detail !== undefined && body.detail !== null;
  if (body.error || saysError || hasDetail) throw failed(body);
  const theirs = apiOfReply(body);
  if (theirs !== undefined && theirs !== asked) throw new ModelFailure({ type: 'wrong_api', detail: '' });
  const api = otherApiOf(body);
  if (api !== undefined) throw new ModelFailure({ type: 'other_api', detail: api });
  return body;
}

function wholeReply(text: string, api: ModelApi): unknown {
  // The first line alone is enough to know what speaks in lines of JSON.
  const body = parseJson(text) ?? parseJson(text.slice(0, text.indexOf('\n') + 1));
  const first: unknown = Array.isArray(body) ? body[0] : body;
  if (isRecord(first) && Array.isArray(checked(first, api)[api === 'chat' ? 'choices' : 'output']))
    return first;
  throw garbage(text);
}

function failed(body: unknown): ModelFailure {
  return new ModelFailure(failureInReply(body));
}

function garbage(text: string): ModelFailure {
  const detail = isHtml(text)
    ? t(($) => $.errors.models.replies.html)
    : text.slice(0, 1000).trim() || t(($) => $.errors.models.replies.nothing);
  return new ModelFailure({ type: 'not_a_model', detail });
}
