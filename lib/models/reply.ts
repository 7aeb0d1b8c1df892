import type OpenAI from 'openai';
import { Stream } from 'openai/streaming';
import { isHtml, wordsOf } from './classify.ts';
import type { Connection } from './connection.ts';
import { ModelFailure } from './failure.ts';
import { isRecord, parseJson } from './json.ts';

/**
 * The chunks of a reply of status 200, as unknown JSON. A server that does not stream answers with one whole
 * completion; it is passed on as the only chunk.
 * @throws ModelFailure, or the openai package's APIError for an `{"error": …}` in the stream
 */
export async function* readChunks(
  response: Response,
  connection: Connection,
  client: OpenAI,
): AsyncGenerator<unknown> {
  if (response.body === null) return;
  const watched = new Response(response.body.pipeThrough(connection.watch()));
  if (response.headers.get('content-type')?.includes('text/event-stream')) {
    yield* readEvents(watched, connection, client);
    return;
  }
  const text = await watched.text();
  if (/^\s*(data|event|id|retry)?:/.test(text)) yield* readEvents(new Response(text), connection, client);
  else yield wholeCompletion(text);
}

function readEvents(response: Response, connection: Connection, client: OpenAI): AsyncIterable<unknown> {
  return Stream.fromSSEResponse<unknown>(response, connection.controller, client);
}

function wholeCompletion(text: string): unknown {
  const body = parseJson(text);
  if (isRecord(body)) {
    if (body.error) throw new ModelFailure({ type: 'stream_error', detail: wordsOf(body.error) });
    if (Array.isArray(body.choices)) return body;
  }
  const detail = isHtml(text) ? 'an HTML page' : text.trim() || 'an empty reply';
  throw new ModelFailure({ type: 'not_a_model', detail });
}
