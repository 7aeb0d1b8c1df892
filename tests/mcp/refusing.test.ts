import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { AppError } from '../../lib/errors.ts';
import type { Elicit } from '../../lib/types/request.ts';
import { config, createRig, options } from './harness.ts';
import { startModernServer } from './modern-server.ts';

type Reply = { result?: { action?: string }; error?: { code: number; message: string } };

type Nosy = {
  url: string;
  replies: Reply[];
  /** Of its replies that were under way at the same time the most. */
  busiest: () => number;
  cancelled: Promise<void>;
};

/**
 * A server of revision 2025-11-25 that asks all of this at once while its tool runs, and ends it when all is answered.
 * `untaken`: so many of the first answers get no response. `method`: of what it asks. `during`: what
 * it does so, `tools/list` it ends at once.
 */
async function startNosy(
  questions: unknown[],
  { untaken = 0, method = 'elicitation/create', during = 'tools/call' } = {},
): Promise<Nosy> {
  const replies: Reply[] = [];
  const cancel = Promise.withResolvers<void>();
  let [underWay, busiest] = [0, 0];
  let end = (): void => {};
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const rpc = JSON.parse(text) as { id?: number | string; method?: string } & Reply;
    const answer = (result: unknown): string => JSON.stringify({ jsonrpc: '2.0', id: rpc.id, result });
    if (rpc.method === undefined || rpc.id === undefined) {
      if (rpc.method === 'notifications/cancelled') cancel.resolve();
      if (rpc.method === undefined) {
        busiest = Math.max(busiest, ++underWay);
        await new Promise((resolve) => setTimeout(resolve, 5));
        underWay--;
        const count = replies.push(rpc);
        if (count === questions.length) end();
        if (count <= untaken) return undefined;
      }
      response.writeHead(202).end();
      return undefined;
    }
    if (rpc.method !== during) {
      response.writeHead(200, { 'content-type': 'application/json' });
      return void response.end(answer(rpc.method === 'initialize' ? HANDSHAKE : { tools: [] }));
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const [id, params] of questions.entries()) {
      const question = { jsonrpc: '2.0', id: `q${id}`, method, params };
      response.write(`data: ${JSON.stringify(question)}\n\n`);
    }
    end = () =>
      response.end(`data: ${answer({ content: [{ type: 'text', text: 'Done.' }], tools: [] })}\n\n`);
    if (during !== 'tools/call') end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    replies,
    busiest: () => busiest,
    cancelled: cancel.promise,
  };
}

const HANDSHAKE = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'nosy', version: '1' },
};

const form = (field: object) => ({
  message: 'Who?',
  requestedSchema: { type: 'object', properties: { who: field } },
});

/** A user who is asked ten things at once, and answers them when no more come. */
function tenAtOnce(): { elicit: Elicit; asked: () => number } {
  let asked = 0;
  const elicit: Elicit = async () => {
    if (asked === 10)
      throw new AppError({ code: 'too_many_requests', message: 'Nosy sent too many requests at once.' });
    asked++;
    return { action: 'accept', content: { who: 'Ada' } };
  };
  return { elicit, asked: () => asked };
}

describe('a request of a server that Portside refuses during a call', () => {
  it('is refused when there are too many at once, which the result says once', async () => {
    const server = await startNosy(Array.from({ length: 40 }, () => form({ type: 'string' })));
    const rig = createRig();
    await rig.connect(config(server.url, { name: 'Nosy' }));
    const user = tenAtOnce();
    const { status, result } = await rig.call(1, 'work', {}, options({ elicit: user.elicit }));
    expect(status).toBe('success');
    expect(user.asked()).toBe(10);
    const refused = server.replies.flatMap(({ error }) => error ?? []);
    expect(refused).toHaveLength(30);
    expect(refused[0]).toEqual({ code: -32602, message: 'Nosy sent too many requests at once.' });
    const said =
      '[Portside refused 30 requests that Nosy made meanwhile, the first for this reason: Nosy sent too many requests at once.]';
    expect(result.text).toBe(`Done.\n${said}`);
    expect(result.blocks?.at(-1)).toEqual({ type: 'text', text: said });
  });

  it('is refused when it fits no schema, which the result and the log say in a line', async () => {
    const server = await startNosy([form({ type: 'object', properties: {} }), form({ type: 'string' })]);
    const rig = createRig();
    await rig.connect(config(server.url, { name: 'Nosy' }));
    const { result } = await rig.call(1, 'work', {}, options({ elicit: tenAtOnce().elicit }));
    expect(
      server.replies.map(({ error, result: answer }) => error?.code ?? answer?.action).toSorted(),
    ).toEqual([-32602, 'accept']);
    expect(result.text).toMatch(
      /^Done\.\n\[Portside refused a request that Nosy made meanwhile: Invalid elicitation request: [^\n]*who[^\n]*\]$/,
    );
    expect(rig.log(1).map(({ summary }) => summary)).toContainEqual(
      expect.stringMatching(/^error -32602: Invalid elicitation request: [^\n]*who[^\n]*$/),
    );
  });

  it('ends the call when they come without end, before the answers delay anything else', async () => {
    const server = await startNosy(Array.from({ length: 3000 }, () => form({ type: 'string' })));
    const rig = createRig();
    await rig.connect(config(server.url, { name: 'Nosy' }));
    const { status, result } = await rig.call(1, 'work', {}, options({ elicit: tenAtOnce().elicit }));
    expect(status).toBe('error');
    expect(result.text).toMatch(
      /^Nosy asked one question after another while work was running, so Portside ended the call: the server is probably caught in a loop\. It may have done part of the work: check before running it again\. \(Portside refused 50 of its questions, the last for this reason: .*\)$/,
    );
    await server.cancelled;
    await rig.disconnect(1);
    expect(server.replies.length).toBeLessThanOrEqual(100);
  });

  it('delays no cancel when it is one ping after another', async () => {
    const server = await startNosy(
      Array.from({ length: 3000 }, () => ({})),
      { method: 'ping' },
    );
    const rig = createRig();
    await rig.connect(config(server.url, { name: 'Nosy' }));
    const stop = new AbortController();
    const call = rig.call(1, 'work', {}, options({ signal: stop.signal }));
    await vi.waitUntil(() => server.replies.length > 0);
    stop.abort();
    await server.cancelled;
    expect((await call).status).toBe('cancelled');
    await rig.disconnect(1);
    expect(server.replies.length).toBeLessThanOrEqual(150);
  });

  it('is answered by one request at a time during the handshake, too', async () => {
    const questions = Array.from({ length: 3000 }, () => ({}));
    const server = await startNosy(questions, { method: 'ping', during: 'tools/list' });
    const rig = createRig();
    await rig.connect(config(server.url, { name: 'Nosy' }));
    await vi.waitUntil(() => server.replies.length > 10);
    expect(server.busiest()).toBeLessThanOrEqual(2);
  });

  it('is answered though the server ignores the answers before', async () => {
    const server = await startNosy(
      Array.from({ length: 3 }, () => form({ type: 'string' })),
      { untaken: 2 },
    );
    const rig = createRig();
    await rig.connect(config(server.url, { name: 'Nosy' }));
    const { status } = await rig.call(1, 'work', {}, options({ elicit: tenAtOnce().elicit }));
    expect(status).toBe('success');
    expect(server.replies).toHaveLength(3);
  }, 15_000);

  it('is answered by one request at a time', async () => {
    const server = await startNosy(Array.from({ length: 40 }, () => form({ type: 'string' })));
    const rig = createRig();
    await rig.connect(config(server.url, { name: 'Nosy' }));
    await rig.call(1, 'work', {}, options({ elicit: tenAtOnce().elicit }));
    expect(server.replies).toHaveLength(40);
    expect(server.busiest()).toBeLessThanOrEqual(2);
  });

  it('is not mentioned when it was the user who declined', async () => {
    const server = await startNosy([form({ type: 'string' })]);
    const rig = createRig();
    await rig.connect(config(server.url, { name: 'Nosy' }));
    const { result } = await rig.call(
      1,
      'work',
      {},
      options({ elicit: async () => ({ action: 'decline' }) }),
    );
    expect(result.text).toBe('Done.');
  });

  it('ends the call when there are too many at once (2026-07-28)', async () => {
    const forms = Array.from({ length: 3000 }, (_, at): [string, unknown] => [
      `q${at}`,
      { method: 'elicitation/create', params: { mode: 'form', ...form({ type: 'string' }) } },
    ]);
    const inputRequests = Object.fromEntries(forms);
    const server = await startModernServer(({ method }) =>
      method === 'tools/call' ? { result: { resultType: 'input_required', inputRequests } } : undefined,
    );
    const rig = createRig();
    await rig.connect(config(server.url, { name: 'Nosy' }));
    const user = tenAtOnce();
    const { status, result } = await rig.call(1, 'work', {}, options({ elicit: user.elicit }));
    expect(user.asked()).toBe(10);
    expect(status).toBe('error');
    expect(result.text).toBe(
      'Nosy asked for what no user can be asked while work was running. (Nosy sent too many requests at once.)',
    );
  });
});
