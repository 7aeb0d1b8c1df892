import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { describe, expect, it, vi } from 'vitest';
import { createAsks } from '../../lib/mcp/asks.ts';
import { answerServerRequests } from '../../lib/mcp/requests/server-requests.ts';
import { watchRefusals } from '../../lib/mcp/requests/watch-refusals.ts';
import type { Ask } from '../../lib/types/request.ts';
import { connectPeer } from './raw-peer.ts';

const form = {
  message: 'Who?',
  requestedSchema: { type: 'object', properties: { who: { type: 'string' } } },
};

/** A server whose answers leave one after another, as the test lets them, and a person who is asked and thinks about it. */
async function start() {
  const asks = createAsks();
  const asked = vi.fn<Ask>(async (_request, signal) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return { action: 'cancel' };
  });
  const stuck: (() => void)[] = [];
  let isOpen = true;
  let leaving = 0;
  const peer = await connectPeer({
    prepare(client, transport) {
      answerServerRequests(client, (ctx) => asks.of(ctx));
      const send = transport.send.bind(transport);
      transport.send = async (message, options) => {
        if (!('method' in message)) leaving++;
        if (!isOpen && !('method' in message)) await new Promise<void>((resolve) => stuck.push(resolve));
        return send(message, options);
      };
      watchRefusals(transport, asks);
    },
  });
  const answers = () => peer.sent.filter((message) => !('method' in message));
  return {
    ...peer,
    asks,
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

describe('what a server asks and gets an answer to at once', () => {
  it.each(['ping', 'roots/list'])('is dropped when fifty of it wait to be answered (%s)', async (method) => {
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

describe('what a server takes back', () => {
  it.each(['elicitation/create', 'ping'])('leaves its place to what it asks next (%s)', async (method) => {
    const server = await start();
    server.asks.start(server.asked);
    for (let each = 1; each <= 60; each++) {
      void server.ask(method, form);
      await server.notify('notifications/cancelled', { requestId: `s${each}` });
    }
    server.asks.start(async () => ({ action: 'decline' }));
    expect(await server.ask(method, form)).toHaveProperty('result');
  });
});

describe('questions of a server', () => {
  it('are answered with an error beyond fifty, for as long as somebody wants to hear of it', async () => {
    const server = await start();
    let told = 0;
    server.asks.start(server.asked, () => ++told <= 20);
    server.askMany(100, 'elicitation/create', form);
    await vi.waitUntil(() => server.answers().length >= 20);
    await new Promise((resolve) => setImmediate(resolve));
    expect(codes(server.answers())).toEqual(Array(20).fill(-32602));
    expect([server.asked.mock.calls.length, told]).toEqual([50, 50]);
  });
});

it('a form’s format that is not known is ignored, and those that are known stay', async () => {
  const server = await start();
  server.asks.start(server.asked);
  const field = (format: string) => ({ type: 'string', format });
  const properties = { address: field('ipv4'), mail: field('email') };
  server.askMany(1, 'elicitation/create', { ...form, requestedSchema: { type: 'object', properties } });
  await vi.waitUntil(() => server.asked.mock.calls.length === 1);
  expect(server.asked.mock.calls[0]?.[0]).toMatchObject({
    schema: { properties: { address: { type: 'string' }, mail: field('email') } },
  });
});
