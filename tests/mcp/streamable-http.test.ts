import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CallTransport, createTransport } from '../../lib/mcp/transport/streamable-http.ts';
import { config, startServer } from './harness.ts';

/** A real MCP server that answers every request with plain JSON instead of a stream. */
async function startJsonServer(): Promise<string> {
  const http = createServer(async (request, response) => {
    const server = new McpServer({ name: 'json', version: '1' });
    server.registerTool('hello', {}, () => ({ content: [{ type: 'text', text: 'Hello' }] }));
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport as Transport);
    if (request.method === 'POST') await transport.handleRequest(request, response);
    else response.writeHead(405).end();
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
}

type Rpc = { id: number; method: string };
type Call = { id: number; signal: AbortSignal | null | undefined; streaming: Promise<unknown> };

/** A client on the transport, and every `tools/call` that it sends. */
async function connect(url: string) {
  const calls: Call[] = [];
  const transport = new CallTransport(new URL(url), {
    fetch: (input, init) => {
      const response = fetch(input, init);
      const rpc = init?.method === 'POST' ? (JSON.parse(String(init.body)) as Rpc) : undefined;
      if (rpc?.method === 'tools/call') calls.push({ id: rpc.id, signal: init?.signal, streaming: response });
      return response;
    },
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const send = vi.spyOn(transport, 'send');
  /** Resolves when the transport is done with everything it was given to send. */
  const done = () => Promise.allSettled(send.mock.results.map(({ value }) => value));
  return { client, transport, calls, done };
}

const servers = [
  ['as JSON', startJsonServer, { name: 'hello', arguments: {} }],
  ['as a stream', async () => (await startServer()).url, { name: 'add', arguments: { a: 1, b: 1 } }],
] as const;

describe('the transport', () => {
  it.each(servers)('keeps nothing of the calls that were answered %s', async (_how, start, params) => {
    const { client, transport, calls, done } = await connect(await start());
    for (let call = 0; call < 50; call++) await client.callTool(params);
    await done();
    // A cancellation closes what the transport still holds under the id.
    for (const { id: requestId } of calls) {
      await transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
    }
    expect(calls).toHaveLength(50);
    expect(calls.filter(({ signal }) => signal?.aborted)).toEqual([]);
  });

  it('is done with a call that is cancelled while its reply streams in', async () => {
    const server = await startServer();
    const { client, calls, done } = await connect(server.url);
    server.hold('look_up');
    const stop = new AbortController();
    const call = client.callTool({ name: 'look_up', arguments: { word: 'a' } }, { signal: stop.signal });
    await server.until(() => server.executions.length === 1);
    await calls[0]?.streaming;
    stop.abort();
    await expect(call).rejects.toThrow('aborted');
    await done();
    expect(calls[0]?.signal?.aborted).toBe(true);
  });
});

describe('the server’s own stream', () => {
  /** At which seconds it is asked for, when each ends after `life` milliseconds, having said how soon to ask again. */
  async function openedAt(retry: string, life: () => number): Promise<number[]> {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const start = Date.now();
    const opened: number[] = [];
    const endless: typeof fetch = async () => {
      opened.push(Math.round((Date.now() - start) / 1000));
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(`retry: ${retry}\n\n`));
          setTimeout(() => controller.close(), life());
        },
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    };
    const transport = createTransport(config('http://127.0.0.1:1/mcp'), {
      kind: 'streamable-http',
      fetch: endless,
      authProvider: undefined,
      resume: undefined,
      onStreamFailing: () => undefined,
    }) as CallTransport;
    await transport.start();
    await transport.resumeStream('');
    await vi.advanceTimersByTimeAsync(200_000);
    await transport.close();
    return opened;
  }

  it.each(['1', '99999999999'])(
    'is reopened with backoff when it always ends at once and says `retry: %s`',
    async (retry) => {
      const opened = await openedAt(retry, () => 1);
      expect(opened).toEqual(retry === '1' ? [0, 1, 3, 7, 15, 31, 63, 123, 183] : [0, 60, 120, 180]);
    },
  );

  it('is reopened within a second once one lived for a while', async () => {
    let count = 0;
    const opened = await openedAt('1', () => (++count === 4 ? 100_000 : 1));
    expect(opened).toEqual([0, 1, 3, 7, 108, 110, 114, 122, 138, 170]);
  });
});
