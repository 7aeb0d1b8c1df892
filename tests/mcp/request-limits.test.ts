import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { describe, expect, it, vi } from 'vitest';
import { createElicitations, ELICIT } from '../../lib/mcp/elicitation/elicitations.ts';
import { answerServerRequests } from '../../lib/mcp/elicitation/server-requests.ts';
import { limitRequests } from '../../lib/mcp/elicitation/request-limits.ts';
import type { Elicit } from '../../lib/types/request.ts';
import { connectPeer } from './raw-peer.ts';

const form = {
  message: 'Who?',
  requestedSchema: { type: 'object', properties: { who: { type: 'string' } } },
};

/** A server whose answers leave one after another, as the test lets them, and a user who has not answered yet. */
async function start() {
  const elicitations = createElicitations();
  const asked = vi.fn<Elicit>(async (_request, signal) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return { action: 'cancel' };
  });
  const stuck: (() => void)[] = [];
  let isOpen = true;
  let leaving = 0;
  const peer = await connectPeer({
    prepare(client, transport) {
      answerServerRequests(client, (ctx) => elicitations.of(ctx));
      const send = transport.send.bind(transport);
      transport.send = async (message, options) => {
        if (!('method' in message)) leaving++;
        if (!isOpen && !('method' in message)) await new Promise<void>((resolve) => stuck.push(resolve));
        return send(message, options);
      };
      limitRequests(transport, elicitations);
    },
  });
  const answers = () => peer.sent.filter((message) => !('method' in message));
  return {
    ...peer,
    elicitations,
    asked,
    answers,
    /** How many of its answers have left the queue. */
    leaving: () => leaving,
    hold: () => (isOpen = false),
    release() {
      isOpen = true;
      for (const go of stuck.splice(0)) go();
    },
    askMany: (count: number, method: string, params: Record<string, unknown>): unknown[] =>
      Array.from({ length: count }, () => peer.ask(method, params)),
  };
}

const codes = (answers: JSONRPCMessage[]) =>
  answers.map((each) => ('error' in each ? each.error.code : 'result'));

describe('a request of a server that is answered at once', () => {
  it.each(['ping', 'roots/list'])('is dropped beyond fifty open ones (%s)', async (method) => {
    const server = await start();
    server.hold();
    server.askMany(200, method, {});
    await new Promise((resolve) => setImmediate(resolve));
    server.release();
    await vi.waitUntil(() => server.answers().length === 50);
    await server.ask(method, {});
    expect(server.answers()).toHaveLength(51);
  });

  it('is not answered any more once the connection is closed', async () => {
    const server = await start();
    server.hold();
    server.askMany(10, 'ping', {});
    await new Promise((resolve) => setImmediate(resolve));
    expect(server.leaving()).toBe(1);
    await server.client.close();
    server.release();
    await new Promise((resolve) => setImmediate(resolve));
    expect(server.leaving()).toBe(1);
  });
});

describe('a request that a server cancels', () => {
  it.each(['elicitation/create', 'ping'])('makes room for the next (%s)', async (method) => {
    const server = await start();
    server.elicitations.start(server.asked);
    for (let each = 1; each <= 60; each++) {
      void server.ask(method, form);
      await server.notify('notifications/cancelled', { requestId: `s${each}` });
    }
    server.elicitations.start(async () => ({ action: 'decline' }));
    expect(await server.ask(method, form)).toHaveProperty('result');
  });
});

describe('elicitations of a server', () => {
  it('are answered with an error beyond fifty, while their request goes on', async () => {
    const server = await start();
    let told = 0;
    server.elicitations.start(server.asked, () => ++told <= 20);
    server.askMany(100, 'elicitation/create', form);
    await vi.waitUntil(() => server.answers().length >= 20);
    await new Promise((resolve) => setImmediate(resolve));
    expect(codes(server.answers())).toEqual(Array(20).fill(-32602));
    expect([server.asked.mock.calls.length, told]).toEqual([50, 50]);
  });

  it('are not answered any more once their request was ended because of them', async () => {
    const server = await start();
    let told = 0;
    const end = server.elicitations.start(server.asked, () => ++told < 10);
    const ofIt = { ...form, _meta: { [ELICIT]: server.asked } };
    server.askMany(100, 'elicitation/create', ofIt);
    await vi.waitUntil(() => told >= 10);
    end();
    await vi.waitUntil(() => server.answers().length >= 50);
    const before = server.answers().length;
    server.askMany(100, 'elicitation/create', ofIt);
    await new Promise((resolve) => setImmediate(resolve));
    expect(server.answers()).toHaveLength(before);
  });
});

it('a form’s format that is not known is ignored, and those that are known stay', async () => {
  const server = await start();
  server.elicitations.start(server.asked);
  const field = (format: string) => ({ type: 'string', format });
  const properties = { address: field('ipv4'), mail: field('email') };
  server.askMany(1, 'elicitation/create', { ...form, requestedSchema: { type: 'object', properties } });
  await vi.waitUntil(() => server.asked.mock.calls.length === 1);
  expect(server.asked.mock.calls[0]?.[0]).toMatchObject({
    schema: { properties: { address: { type: 'string' }, mail: field('email') } },
  });
});
