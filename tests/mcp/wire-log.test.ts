import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/client';
import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { listTools } from '../../lib/mcp/offer/listing.ts';
import { anyObject } from '../../lib/mcp/content/raw.ts';
import { createRedaction } from '../../lib/mcp/log/redact.ts';
import { createWireLog, type WireLogDeps } from '../../lib/mcp/log/wire-log.ts';
import type { WireEntry } from '../../lib/types/wire-log.ts';
import { connectPeer, type PeerOptions } from './raw-peer.ts';
import { config, createRig } from './harness.ts';
import '../properties.ts';

function createLog(deps: Partial<WireLogDeps> = {}) {
  let time = Date.parse('2026-01-01T00:00:00Z');
  const seen: WireEntry[] = [];
  const log = createWireLog({
    now: () => (time += 10),
    onEntry: (entry) => seen.push(entry),
    secrets: () => ['s3cr3t-value'],
    ...deps,
  });
  return { log, seen };
}

async function connectLogged(options: PeerOptions, deps: Partial<WireLogDeps> = {}) {
  const { log, seen } = createLog(deps);
  const peer = await connectPeer({ ...options, prepare: (_client, transport) => log.watch(transport) });
  return { ...peer, log, seen };
}

/** What is logged of messages that the server sends. */
async function logged(messages: unknown[], deps: Partial<WireLogDeps> = {}): Promise<WireEntry[]> {
  const { log, seen } = createLog(deps);
  const [transport, far] = InMemoryTransport.createLinkedPair();
  log.watch(transport);
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the transport is no EventTarget
  transport.onmessage = () => {};
  await transport.start();
  for (const message of messages)
    await far.send({ jsonrpc: '2.0', ...(message as object) } as JSONRPCMessage);
  return seen;
}

describe('the log of a server', () => {
  it.each(['legacy', 'modern'] as const)(
    'has every message of both directions once, in order (%s)',
    async (era) => {
      const result = {
        ...(era === 'modern' && { resultType: 'complete' }),
        tools: [{ name: 'a', inputSchema: { type: 'object' } }],
      };
      const { client, log } = await connectLogged({ era, answers: { 'tools/list': () => result } });
      await listTools(client, {});
      const lines = log.entries().map(({ kind, summary }) => `${kind} ${summary}`);
      expect(lines.slice(-2)).toEqual(['sent tools/list', 'received result, 1 tool']);
      expect(lines[0]).toMatch(
        era === 'modern' ? /^sent server\/discover/ : /^sent (server\/discover|initialize)/,
      );
      expect(log.entries().map(({ seq }) => seq)).toEqual(log.entries().map((_entry, index) => index + 1));
      expect(log.entries().at(-1)?.body).toContain('"name":"a"');
    },
  );

  it('ties a reply to its request, and says how long that took', async () => {
    const { client, log } = await connectLogged({
      answers: { 'tools/call': () => ({ content: [{ type: 'text', text: 'hi' }] }) },
    });
    await client.request({ method: 'tools/call', params: { name: 'search_issues' } }, anyObject);
    const [request, reply] = log.entries().slice(-2);
    expect(request).toMatchObject({ kind: 'sent', summary: 'tools/call search_issues' });
    expect(reply).toMatchObject({ kind: 'received', summary: 'result, 1 block', id: request?.id });
    expect(reply?.tookMs).toBeGreaterThan(0);
  });

  it.each([
    [{ id: 1, error: { code: -32602, message: 'No such tool' } }, 'error -32602: No such tool', true],
    [{ id: 1, result: { isError: true, content: [] } }, 'result, the tool reports an error', true],
    [{ id: 1, result: {} }, 'result', undefined],
    [{ id: 1, result: { resultType: 'input_required' } }, 'result, asks for input', undefined],
    [
      { method: 'notifications/progress', params: { progress: 1, total: 4 } },
      'notifications/progress 1/4',
      undefined,
    ],
    [
      { id: 's', method: 'elicitation/create', params: { message: 'Who?' } },
      'elicitation/create Who?',
      undefined,
    ],
  ])('says a message in a few words: %j', async (message, summary, isError) => {
    const [entry] = await logged([message]);
    expect([entry?.summary, entry?.isError]).toEqual([summary, isError]);
  });

  it('keeps the last 200 lines', async () => {
    const { log, seen } = createLog();
    for (let at = 1; at <= 250; at += 1) log.note(`line ${at}`);
    expect(seen).toHaveLength(250);
    expect(log.entries()).toHaveLength(200);
    expect(log.entries()[0]).toMatchObject({ seq: 51, summary: 'line 51', kind: 'note' });
  });

  it('has the server’s log messages, with their severity', () => {
    const { log } = createLog();
    log.logged('warning', 'low on disk', 'storage');
    log.logged('critical', { code: 7 });
    expect(log.entries()).toMatchObject([
      { kind: 'log', summary: 'storage: low on disk', level: 'warning' },
      { kind: 'log', summary: '{"code":7}', level: 'critical', isError: true },
    ]);
    expect(log.entries()[0]).not.toHaveProperty('isError');
  });

  it('leaves a logged message to that line', async () => {
    expect(await logged([{ method: 'notifications/message', params: { level: 'info', data: 'x' } }])).toEqual(
      [],
    );
  });

  it('says what could not be sent', async () => {
    const { log } = createLog();
    const [transport] = InMemoryTransport.createLinkedPair();
    transport.send = () => Promise.reject(new Error('HTTP 502 with s3cr3t-value'));
    log.watch(transport);
    await expect(transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' })).rejects.toThrow('502');
    expect(log.entries().at(-1)).toMatchObject({
      kind: 'note',
      summary: 'tools/list failed: HTTP 502 with •••',
      isError: true,
    });
  });
});

describe('a list that can’t be read', () => {
  const base = { protocolVersion: '2025-11-25', serverInfo: { name: 'x', version: '1' } };
  const initialize = { ...base, capabilities: { tools: {}, prompts: {} } };
  const notes = async (prompts: () => Response): Promise<string[]> => {
    const instead: typeof fetch = async (_url, init) => {
      if (init?.method !== 'POST') return new Response(null, { status: 405 });
      const { id, method } = JSON.parse(String(init.body)) as { id?: number; method: string };
      if (id === undefined) return new Response(null, { status: 202 });
      if (method === 'prompts/list') return prompts();
      const result = { initialize, 'tools/list': { tools: [] } }[method];
      const answer = result ? { result } : { error: { code: -32601, message: 'No such method' } };
      return Response.json({ jsonrpc: '2.0', id, ...answer });
    };
    const rig = createRig({ fetch: instead });
    await rig.connect(config('http://127.0.0.1:1/mcp'));
    return rig.log(1).flatMap(({ kind, summary }) => (kind === 'note' ? summary : []));
  };

  it('is logged once, be it refused by HTTP or cut off', async () => {
    expect(await notes(() => new Response('Broken', { status: 500 }))).toEqual([
      expect.stringMatching(/^prompts\/list failed: .*Broken/),
    ]);
    const cut = (): never => {
      throw new TypeError('Failed to fetch');
    };
    expect(await notes(cut)).toHaveLength(1);
  });
});

describe('a line of the log', () => {
  it('has no known secret, wherever it stood', async () => {
    const [entry] = await logged([
      { id: 's3cr3t-value', method: 'x/s3cr3t-value', params: { 's3cr3t-value': ['say s3cr3t-value'] } },
    ]);
    expect(JSON.stringify(entry)).not.toContain('s3cr3t');
    expect(entry?.body).toContain('say •••');
  });

  it('has no known secret in another form: as in an address, or in base64', () => {
    const secret = 'päss w0rd/=&1';
    const redaction = createRedaction([secret, 'short']);
    for (const form of [encodeURIComponent(secret), Buffer.from(secret).toString('base64')]) {
      const told = redaction.text(`got <${form}>`, 200);
      expect(told).toMatch(/^got <•••/);
      expect(told.length).toBeLessThan(14);
    }
    expect(redaction.text(`${Buffer.from(`${secret}\n`).toString('base64')} \uD800`, 200)).toMatch(/^•••/);
    expect(() => createRedaction(['lone \uD800 half'])).not.toThrow();
  });

  it('makes the forms of a secret once, not for each line', async () => {
    const encode = vi.spyOn(globalThis, 'btoa');
    const message = { method: 'notifications/message', params: { level: 'info', data: 'All is well' } };
    const secret = `token-${crypto.randomUUID()}`;
    await logged(
      Array.from({ length: 50 }, () => message),
      { secrets: () => [secret] },
    );
    expect(encode).toHaveBeenCalledOnce();
    encode.mockRestore();
  });

  it('has no secret as it stands in JSON, where its quotes and line ends are escaped', () => {
    const secret = 'pa"ss\\word\nof two';
    expect(createRedaction([secret]).text(JSON.stringify({ at: secret }), 200)).toBe('{"at":"•••"}');
    const named = JSON.stringify({ password: secret, of: 'bob' });
    expect(createRedaction([]).text(named, 200)).toBe('{"password":"•••","of":"bob"}');
  });

  it('has no value that its name or form calls a secret', async () => {
    const params = {
      authorization: 'hunter2',
      accessToken: 'hunter2',
      'x-api-key': 'hunter2',
      client_secret: ['hunter2'],
      password: 1234567,
      words: 'Authorization: Bearer hunter2hunter2, which is basic authentication',
      json: '{"api_key": "hunter2"}',
      url: 'https://x.test/?access_token=hunter2&a=1',
      progressToken: 5,
      maxTokens: 100,
    };
    const [entry] = await logged([{ method: 'x', params }]);
    expect(entry?.body).not.toMatch(/hunter2|1234567/);
    expect(entry?.body).toContain('"progressToken":5,"maxTokens":100');
    expect(entry?.body).toContain('&a=1');
    expect(entry?.body).toContain('basic authentication');
  });

  it('keeps a schema readable that describes a secret', async () => {
    const [entry] = await logged([{ id: 1, result: { properties: { password: { type: 'string' } } } }]);
    expect(entry?.body).toContain('"password":{"type":"string"}');
  });

  it('is JSON where it is not cut', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const body = createRedaction([]).json(value, 1_000_000);
        expect(() => JSON.parse(body)).not.toThrow();
      }),
    );
  });

  it('never has a secret that the cut goes through', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(40)), fc.integer({ min: 1, max: 120 }), (gaps, most) => {
        const text = gaps.map((gap) => `${'.'.repeat(gap)}s3cr3t-value`).join('');
        const redaction = createRedaction(['s3cr3t-value', 's3cr3t']);
        for (const shown of [redaction.text(text, most), redaction.json({ a: [text] }, most)]) {
          expect(shown).not.toMatch(/s3/);
          expect(shown.length).toBeLessThanOrEqual(most + 1);
        }
      }),
    );
  });

  it('of a huge message costs only what is shown of it', async () => {
    const touched = vi.fn();
    const content = Array.from({ length: 1000 }, () => ({ type: 'text', text: 'x'.repeat(50_000) }));
    const huge = { id: 1, result: { content, toJSON: touched } };
    const stringify = vi.spyOn(JSON, 'stringify');
    onTestFinished(() => stringify.mockRestore());
    const [entry] = await logged([huge]);
    const longest = Math.max(...stringify.mock.calls.map(([value]) => String(value).length));
    expect(longest).toBeLessThan(10_000);
    expect(touched).not.toHaveBeenCalled();
    expect(entry?.body).toHaveLength(8001);
    expect(entry?.size).toBeGreaterThan(50_000_000);
  });

  it('costs the connection nothing when it can’t be written', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    onTestFinished(() => warned.mockRestore());
    const { client } = await connectLogged(
      { answers: { 'tools/list': () => ({ tools: [{ name: 'a', inputSchema: {} }] }) } },
      {
        onEntry: () => {
          throw new Error('full');
        },
      },
    );
    expect(await listTools(client, {})).toHaveLength(1);
    expect(warned).toHaveBeenCalled();
  });
});
