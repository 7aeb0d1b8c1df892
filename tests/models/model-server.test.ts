import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call, gate, type ModelServer, startModelServer, stream, text } from '../fakes/model-server.ts';

/** The fake that the browser tests rely on, checked without the code under test. */
let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

const ask = (signal?: AbortSignal) =>
  fetch(`${server.url}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', messages: [] }),
    ...(signal && { signal }),
  });

describe('the fake model server', () => {
  it('holds a reply at a gate until the test opens it', async () => {
    const pause = gate();
    server.script(stream(text('one'), pause, text('two')));
    const reply = await ask();
    const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
    await pause.reached;
    expect((await reader?.read())?.value).toContain('one');
    const next = reader?.read();
    pause.open();
    expect((await next)?.value).toContain('two');
    await reader?.cancel();
  });

  it('cuts arguments into fragments that join to the whole', async () => {
    server.script(stream(call({ id: 'a', name: 'x', arguments: '{"k":"value"}', pieces: 4 })));
    const body = await (await ask()).text();
    const fragments = [...body.matchAll(/"arguments":("(?:[^"\\]|\\.)*")/g)].map(
      ([, json]) => JSON.parse(json ?? '') as string,
    );
    expect(fragments).toHaveLength(5);
    expect(fragments.join('')).toBe('{"k":"value"}');
    expect(body).toContain('"finish_reason":"tool_calls"');
    expect(body.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  it('notices that a client hung up at a gate, and goes on with the script', async () => {
    const pause = gate();
    server.script(stream(text('one'), pause), (request, index) =>
      stream(text(`${index} ${request.body.model}`)),
    );
    const stop = new AbortController();
    await ask(stop.signal);
    await pause.reached;
    stop.abort();
    const request = await server.waitForRequest(0);
    await request.closed;
    expect(request.aborted).toBe(true);
    expect(await (await ask()).text()).toContain('1 m');
    expect(server.requests[1]?.time).toBeGreaterThanOrEqual(request.time);
  });

  it('says so when a request is beyond the script, unless there is an answer for the rest', async () => {
    expect((await ask()).status).toBe(500);
    server.otherwise(stream(text('always')));
    expect(await (await ask()).text()).toContain('always');
    expect(await (await ask()).text()).toContain('always');
  });

  it('allows a preflight with any header', async () => {
    const reply = await fetch(`${server.url}/chat/completions`, { method: 'OPTIONS' });
    expect(reply.status).toBe(204);
    expect(reply.headers.get('access-control-allow-headers')).toContain('authorization');
  });
});
