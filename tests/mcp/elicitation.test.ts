import { CLIENT_CAPABILITIES_META_KEY } from '@modelcontextprotocol/client';
import { describe, expect, it, vi } from 'vitest';
import type { Elicit, RequestBody } from '../../lib/types/request.ts';
import { config, createRig, noUser, options, streamOf } from './harness.ts';
import { startModernServer } from './modern-server.ts';
import { startRawServer, UNKNOWN_METHOD } from './raw-server.ts';

const form = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'Who?',
    requestedSchema: { type: 'object', properties: { who: { type: 'string' } } },
  },
};
const cache = { ttlMs: 0, cacheScope: 'private' };
const text = (words: string) => ({
  result: { resultType: 'complete', ...cache, content: [{ type: 'text', text: words }] },
});

/** A server of the 2026-07-28 revision that wants to know who, whatever it is called for, and says so then. */
async function curious() {
  const server = await startModernServer(({ method, params }) => {
    if (method !== 'tools/call' && method !== 'prompts/get' && method !== 'resources/read') return undefined;
    const responses = params?.['inputResponses'] as { who?: { content?: { who?: string } } } | undefined;
    if (!responses) {
      return { result: { resultType: 'input_required', inputRequests: { who: form }, requestState: 'kept' } };
    }
    const who = responses.who?.content?.who ?? 'no one';
    if (method === 'prompts/get') {
      const messages = [{ role: 'user', content: { type: 'text', text: who } }];
      return { result: { resultType: 'complete', messages } };
    }
    if (method === 'resources/read') {
      return { result: { resultType: 'complete', ...cache, contents: [{ uri: 'note://1', text: who }] } };
    }
    return text(who);
  });
  const rig = createRig();
  await rig.connect(config(server.url));
  return { server, rig };
}

const saying =
  (who: string): Elicit =>
  async () => ({ action: 'accept', content: { who } });

describe('an elicitation in a result (2026-07-28)', () => {
  it('is put before the user for the call that it belongs to, among concurrent calls', async () => {
    const { server, rig } = await curious();
    const calls = ['Ada', 'Bea', 'Cleo'].map((who) =>
      rig.call(1, 'echo', {}, options({ elicit: saying(who) })),
    );
    const answers = (await Promise.all(calls)).map(({ result }) => result.text);
    expect(answers).toEqual(['Ada', 'Bea', 'Cleo']);
    const states = server.requests.map(({ params }) => params?.['requestState']).filter(Boolean);
    expect(states).toEqual(['kept', 'kept', 'kept']);
  });

  it('is put before the user while a prompt or a resource is fetched, too', async () => {
    const { rig } = await curious();
    const { signal } = new AbortController();
    expect(await rig.getPrompt(1, 'p', {}, { signal, elicit: saying('Ada') })).toEqual([
      { role: 'user', block: { type: 'text', text: 'Ada' } },
    ]);
    expect(await rig.readResource(1, 'note://1', { signal, elicit: saying('Bea') })).toEqual([
      { type: 'resource', resource: { uri: 'note://1', text: 'Bea' } },
    ]);
  });

  it('is not shown as progress', async () => {
    const { rig } = await curious();
    const progress = vi.fn();
    await rig.call(1, 'echo', {}, options({ elicit: saying('Ada'), progress }));
    expect(progress).not.toHaveBeenCalled();
  });

  it('is withdrawn when the call is stopped', async () => {
    const { rig } = await curious();
    const stop = new AbortController();
    const asked = Promise.withResolvers<AbortSignal>();
    const elicit: Elicit = (_request, signal) => {
      asked.resolve(signal);
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    };
    const call = rig.call(1, 'echo', {}, options({ elicit, signal: stop.signal }));
    const signal = await asked.promise;
    stop.abort();
    expect((await call).status).toBe('cancelled');
    expect(signal.aborted).toBe(true);
  });

  const choices = Array.from({ length: 2001 }, (_each, at) => `c${at}`);
  const fields = Array.from({ length: 101 }, (_each, at) => [`f${at}`, { type: 'string' }]);
  it.each<[string, object]>([
    ['more than 100 fields', Object.fromEntries(fields) as object],
    ['more than 2000 choices', { who: { type: 'array', items: { type: 'string', enum: choices } } }],
  ])('ends the call with an error when it is too large: %s', async (much, properties) => {
    const requestedSchema = { type: 'object', properties };
    const huge = { ...form, params: { ...form.params, requestedSchema } };
    const server = await startModernServer(({ method }) =>
      method === 'tools/call'
        ? { result: { resultType: 'input_required', inputRequests: { who: huge } } }
        : undefined,
    );
    const rig = createRig();
    await rig.connect(config(server.url));
    const { status, result } = await rig.call(1, 'echo', {}, options({ elicit: saying('Ada') }));
    expect(status).toBe('error');
    expect(result.text).toBe(
      `Notes asked for what no user can be asked while echo was running. (More than a user can be asked: the form has ${much}.)`,
    );
  });

  it('ends the call with an error, and is logged, when it fits no schema', async () => {
    const requestedSchema = { type: 'object', properties: { who: { type: 'object' } } };
    const odd = { ...form, params: { ...form.params, requestedSchema } };
    const server = await startModernServer(({ method }) =>
      method === 'tools/call'
        ? { result: { resultType: 'input_required', inputRequests: { who: odd } } }
        : undefined,
    );
    const rig = createRig();
    await rig.connect(config(server.url));
    const { status, result } = await rig.call(1, 'echo', {}, options({ elicit: saying('Ada') }));
    expect(status).toBe('error');
    expect(result.text).toMatch(
      /^Notes asked for what no user can be asked while echo was running. \(Invalid elicitation request: .*who.*\)$/,
    );
    expect(rig.log(1).map(({ summary }) => summary)).toContainEqual(
      expect.stringMatching(/^The server’s question was not shown to you: Invalid elicitation request/),
    );
  });

  it('does not turn the server’s own error into a refusal of Portside’s', async () => {
    const server = await startModernServer(({ method, params }) => {
      if (method !== 'tools/call') return undefined;
      if (params?.['inputResponses']) return { error: { code: -32602, message: 'No such word' } };
      return { result: { resultType: 'input_required', inputRequests: { who: form } } };
    });
    const rig = createRig();
    await rig.connect(config(server.url));
    const { result } = await rig.call(1, 'echo', {}, options({ elicit: saying('Ada') }));
    expect(result.text).toMatch(/^Notes refused the call of echo.*No such word/);
  });

  it('ends the call with an error when Portside lacks the capability', async () => {
    const server = await startModernServer(({ method }) =>
      method === 'tools/call'
        ? { result: { resultType: 'input_required', inputRequests: { roots: { method: 'roots/list' } } } }
        : undefined,
    );
    const rig = createRig();
    await rig.connect(config(server.url));
    const { status, result } = await rig.call(1, 'echo', {}, options());
    expect(status).toBe('error');
    expect(result.text).toContain('asked for something that Portside does not offer');
  });
});

it('a page that is asked for again in one request says that the user was there (2026-07-28)', async () => {
  const page = { mode: 'url', message: 'Sign', url: 'https://example.com/ok' };
  const inputRequests = { page: { method: 'elicitation/create', params: page } };
  let calls = 0;
  const server = await startModernServer(({ method }) =>
    method !== 'tools/call'
      ? undefined
      : ++calls < 3
        ? { result: { resultType: 'input_required', inputRequests, requestState: `${calls}` } }
        : text('done'),
  );
  const rig = createRig();
  await rig.connect(config(server.url));
  const asked: RequestBody[] = [];
  const elicit: Elicit = async (request) => {
    asked.push(request);
    return { action: 'accept' };
  };
  expect((await rig.call(1, 'echo', {}, options({ elicit }))).result.text).toBe('done');
  expect(asked.map((request) => request.kind === 'url' && request.isOpened === true)).toEqual([false, true]);
  const made = server.requests.filter(({ method }) => method === 'tools/call');
  const declared = made.map(({ params }) => Object(params?.['_meta'])[CLIENT_CAPABILITIES_META_KEY]);
  const elicitation = { form: {}, url: {} };
  expect(declared).toMatchObject([{ elicitation }, { elicitation }, { elicitation }]);
});

describe('a server that wants a page visited first (-32042)', () => {
  const wanted = {
    elicitations: [
      { mode: 'url', message: 'Please confirm.', url: 'https://example.com/ok', elicitationId: 'e1' },
    ],
  };
  const accepted = { action: 'accept' } as const;
  const done = { action: 'accept', isDone: true } as const;
  /** @param needs how many calls are refused */
  const needy = async (needs = 1, deps: Parameters<typeof createRig>[0] = {}) => {
    let calls = 0;
    const url = await startRawServer(({ method }) => {
      if (method === 'tools/list') return { result: { tools: [] } };
      if (method !== 'tools/call') return UNKNOWN_METHOD;
      if (++calls <= needs) return { error: { code: -32042, message: 'Visit first', data: wanted } };
      return { result: { content: [{ type: 'text', text: 'done' }] } };
    });
    const rig = createRig(deps);
    await rig.connect(config(url));
    return { rig, calls: () => calls };
  };

  const asking = (...answers: Awaited<ReturnType<Elicit>>[]) => {
    const asked: RequestBody[] = [];
    const elicit: Elicit = async (request) => {
      asked.push(request);
      return answers.shift() ?? { action: 'cancel' };
    };
    return { asked, elicit };
  };

  it('gets the call again once the user says that they are done there, who may open it once more', async () => {
    const { rig, calls } = await needy();
    const { asked, elicit } = asking(accepted, accepted, done);
    expect((await rig.call(1, 't', {}, options({ elicit }))).result.text).toBe('done');
    const page = { kind: 'url', url: 'https://example.com/ok' };
    expect(asked[0]).not.toHaveProperty('isOpened');
    expect(asked).toMatchObject([page, { ...page, isOpened: true }, { ...page, isOpened: true }]);
    expect(calls()).toBe(2);
  });

  it('asks again when the user was not done, which they may give up, and not for ever', async () => {
    const { rig, calls } = await needy(100);
    const { asked, elicit } = asking(accepted, done, done, { action: 'cancel' });
    expect((await rig.call(1, 't', {}, options({ elicit }))).status).toBe('error');
    expect([asked.length, calls()]).toEqual([4, 3]);
    expect((await rig.call(1, 't', {}, options({ elicit: async () => done }))).status).toBe('error');
    expect(calls()).toBe(3 + 11);
  });

  it('gets it as soon as it says that the user is done, and of no other page', async () => {
    const stream = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>();
    const writer = stream.writable.getWriter();
    const complete = (elicitationId: string): void => {
      const message = {
        jsonrpc: '2.0',
        method: 'notifications/elicitation/complete',
        params: { elicitationId },
      };
      void writer.write(new TextEncoder().encode(`data: ${JSON.stringify(message)}\n\n`));
    };
    const { rig, calls } = await needy(1, {
      fetch: async (input, init) =>
        init?.method === 'GET'
          ? new Response(stream.readable, { headers: { 'content-type': 'text/event-stream' } })
          : fetch(input, init),
    });
    complete('e1'); // nothing waits for it yet
    const waits = Promise.withResolvers<void>();
    const elicit: Elicit = async (request, signal) => {
      if (request.kind !== 'url' || !request.isOpened) return accepted;
      waits.resolve();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return { action: 'cancel' };
    };
    const call = rig.call(1, 't', {}, options({ elicit }));
    await waits.promise;
    complete('e2');
    expect(calls()).toBe(1);
    complete('e1');
    expect((await call).result.text).toBe('done');
  });

  it('does not get it when the call is stopped meanwhile', async () => {
    const { rig, calls } = await needy();
    const stop = new AbortController();
    const elicit: Elicit = async (request) => {
      if (request.kind !== 'url' || !request.isOpened) return accepted;
      stop.abort();
      return { action: 'cancel' };
    };
    expect((await rig.call(1, 't', {}, options({ elicit, signal: stop.signal }))).status).toBe('cancelled');
    expect(calls()).toBe(1);
  });

  it('does not get it when the user declines', async () => {
    const { rig, calls } = await needy();
    const elicit: Elicit = async () => ({ action: 'decline' });
    expect((await rig.call(1, 't', {}, options({ elicit }))).status).toBe('error');
    expect(calls()).toBe(1);
  });
});

it('an elicitation outside any request never reaches the user', async () => {
  const answers = new Map<unknown, unknown>();
  const asks = ['elicitation/create', 'sampling/createMessage', 'roots/list', 'ping', 'no/such'];
  const sampling = { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 10 };
  const stream = asks.map((method) => {
    const params =
      method === 'elicitation/create' ? form.params : method === 'sampling/createMessage' ? sampling : {};
    return `data: ${JSON.stringify({ jsonrpc: '2.0', id: method, method, params })}\n\n`;
  });
  const url = await startRawServer(({ method }) =>
    method === 'tools/list' ? { result: { tools: [] } } : UNKNOWN_METHOD,
  );
  const impudent: typeof fetch = async (input, init) => {
    if (init?.method === 'GET') {
      return new Response(streamOf(stream.map((each) => new TextEncoder().encode(each))), {
        headers: { 'content-type': 'text/event-stream' },
      });
    }
    const rpc = JSON.parse(String(init?.body ?? '{}')) as { id?: unknown; method?: string };
    if (rpc.method === undefined) answers.set(rpc.id, rpc);
    return rpc.method === undefined ? new Response(null, { status: 202 }) : fetch(input, init);
  };
  const rig = createRig({ fetch: impudent });
  await rig.connect(config(url));
  await vi.waitUntil(() => answers.size === asks.length);
  expect(answers.get('elicitation/create')).toMatchObject({ result: { action: 'cancel' } });
  expect(answers.get('sampling/createMessage')).toMatchObject({ error: { code: expect.any(Number) } });
  expect(answers.get('roots/list')).toMatchObject({ error: { code: -32601 } });
  expect(answers.get('ping')).toMatchObject({ result: {} });
  expect(answers.get('no/such')).toMatchObject({ error: { code: -32601 } });
  expect(rig.status(1).state).toBe('connected');
});

it('a call mirrors arguments as headers where its tool says so (2026-07-28)', async () => {
  const tools = [
    {
      name: 'find',
      inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
    },
  ];
  const server = await startModernServer(({ method }) =>
    method === 'tools/list' ? { result: { resultType: 'complete', ...cache, tools } } : undefined,
  );
  const seen: Headers[] = [];
  const rig = createRig({
    fetch: (input, init) => {
      if (String(init?.body).includes('tools/call')) seen.push(new Headers(init?.headers));
      return fetch(input, init);
    },
  });
  await rig.connect(config(server.url));
  await rig.call(1, 'find', { region: 'eu' }, options({ elicit: noUser }));
  expect(seen[0]?.get('mcp-param-region')).toBe('eu');
  expect(seen[0]?.get('mcp-name')).toBe('find');
});

describe('a tool whose headers changed on the server (-32020)', () => {
  const changing = async (isForEver: boolean) => {
    let lists = 0;
    const server = await startModernServer(({ method }) => {
      if (method === 'tools/list') {
        const region = { type: 'string', 'x-mcp-header': ++lists === 1 ? 'Region' : 'Area' };
        const tools = [{ name: 'find', inputSchema: { type: 'object', properties: { region } } }];
        return { result: { resultType: 'complete', ...cache, tools } };
      }
      if (method !== 'tools/call') return undefined;
      return lists < 2 || isForEver ? { error: { code: -32020, message: 'Header mismatch' } } : text('done');
    });
    const seen: Headers[] = [];
    const rig = createRig({
      fetch: (input, init) => {
        if (String(init?.body).includes('tools/call')) seen.push(new Headers(init?.headers));
        return fetch(input, init);
      },
    });
    await rig.connect(config(server.url));
    return { rig, seen };
  };

  it('is listed again and the call retried once, if it may still run', async () => {
    const { rig, seen } = await changing(false);
    const mayRun = vi.fn<() => Promise<void>>(async () => {});
    const { result } = await rig.call(1, 'find', { region: 'eu' }, options({ mayRun }));
    expect(result.text).toBe('done');
    expect(seen.map((headers) => headers.get('mcp-param-area'))).toEqual([null, 'eu']);
    expect(rig.tools).toHaveLength(2);
    expect(mayRun).toHaveBeenCalledTimes(2);
  });

  it('is retried only once', async () => {
    const { rig, seen } = await changing(true);
    expect((await rig.call(1, 'find', { region: 'eu' }, options())).status).toBe('error');
    expect(seen).toHaveLength(2);
  });
});
