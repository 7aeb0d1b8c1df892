import { parseJson, recordOf } from '../../json.ts';

/** A request to a model that answers inside of Portside, by the streaming part of OpenAI's chat completions API. */
export type InnerRequest =
  | { type: 'list' }
  | { type: 'chat'; body: Record<string, unknown> }
  | { type: 'unknown'; route: string };

export function readRequest(input: RequestInfo | URL, init: RequestInit | undefined): InnerRequest {
  const { pathname } = new URL(input instanceof Request ? input.url : input);
  const route = `${init?.method ?? 'GET'} ${pathname}`;
  if (route === 'GET /v1/models') return { type: 'list' };
  if (route !== 'POST /v1/chat/completions') return { type: 'unknown', route };
  const body = typeof init?.body === 'string' ? parseJson(init.body) : undefined;
  return { type: 'chat', body: recordOf(body) };
}

/** A reply of server-sent events. What `lines` throws breaks it off. */
export function eventStream(lines: AsyncIterator<string>): Response {
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { value, done } = await lines.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
  return new Response(stream, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
}

export const eventLine = (data: object | '[DONE]'): string =>
  `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

export const newChunkBase = (model: string) => ({
  id: `chatcmpl-${crypto.randomUUID()}`,
  object: 'chat.completion.chunk',
  created: Math.floor(Date.now() / 1000),
  model,
});

export type Refused = { message: string; code: string | null; param: string | null };

export function refusal(status: number, error: Partial<Refused> & { message: string }): Response {
  const { message, code = null, param = null } = error;
  return Response.json({ error: { message, type: 'invalid_request_error', code, param } }, { status });
}
