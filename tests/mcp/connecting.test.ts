import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { AppError } from '../../lib/errors.ts';
import type { RemoteConfig } from '../../lib/mcp/connections.ts';
import type { McpServerOptions } from '../fakes/mcp-server.ts';
import { config, connected, createRig, options, silence, startServer } from './harness.ts';
import { startRawServer, UNKNOWN_METHOD } from './raw-server.ts';

const transports: RemoteConfig['transport'][] = ['streamable-http', 'sse'];

const listed = (name: string): Record<string, unknown> => ({ name, inputSchema: { type: 'object' } });

/** Connects to a server that misbehaves and returns its error. */
async function failure(
  server: McpServerOptions,
  more: Partial<RemoteConfig> = {},
  connectTimeout = 15_000,
): Promise<AppError> {
  const { url, sseUrl } = await startServer(server);
  const rig = createRig({ connectTimeout });
  const error = await rig.connect(config(more.transport === 'sse' ? sseUrl : url, more)).then(
    () => expect.unreachable('it connected'),
    (thrown: AppError) => thrown,
  );
  expect(rig.status(1)).toMatchObject({
    state: 'error',
    error: { code: error.code, message: error.message },
  });
  expect(rig.statuses.map(({ state }) => state)).toEqual(['connecting', 'error']);
  expect(error.message).toContain('Notes');
  expect(error.fix).toBeTruthy();
  return error;
}

describe.each(transports)('connecting over %s', (transport) => {
  it('lists the tools with their hints and reports each status', async () => {
    const { rig } = await connected({ transport });
    const tools = rig.tools[0] ?? [];
    expect(tools.find(({ name }) => name === 'add')).toMatchObject({
      title: 'Add',
      description: 'Adds two numbers.',
      inputSchema: { type: 'object', required: ['a', 'b'] },
      annotations: { readOnlyHint: true },
    });
    expect(tools.find(({ name }) => name === 'write_note')?.annotations).toEqual({});
    expect(rig.statuses).toEqual([
      { state: 'connecting', toolCount: 0 },
      {
        state: 'connected',
        toolCount: tools.length,
        protocolVersion: '2025-11-25',
        answeredInMs: expect.any(Number),
      },
    ]);
  });

  it('sends the headers of the server’s settings', async () => {
    const requireHeader = { name: 'Authorization', value: 'Bearer secret-7' };
    const server = await startServer({ requireHeader });
    const rig = createRig();
    const url = transport === 'sse' ? server.sseUrl : server.url;
    const headers = { Authorization: 'Bearer secret-7' };
    await expect(rig.connect(config(url, { transport, headers }))).resolves.not.toHaveLength(0);
  });

  it('says that credentials are wrong, without repeating them', async () => {
    const requireHeader = { name: 'X-Api-Key', value: 'right' };
    const headers = { 'X-Api-Key': 'secret-wrong-key' };
    const error = await failure({ requireHeader }, { transport, headers });
    expect(error.code).toBe('server_unauthorized');
    expect(error.detail).toContain('401');
    expect(JSON.stringify({ ...error, message: error.message })).not.toContain('secret-wrong-key');
  });

  it('says that access was refused', async () => {
    expect((await failure({ instead: { status: 403 } }, { transport })).code).toBe('server_unauthorized');
  });

  it('says that the path is wrong', async () => {
    const error = await failure({ instead: { status: 404, body: 'nothing here' } }, { transport });
    expect(error.code).toBe('server_not_found');
    expect(error.fix).toContain('path');
  });

  it('says that a web page is not an MCP server', async () => {
    const error = await failure({ instead: 'html' }, { transport });
    expect(error.code).toBe('server_not_mcp');
    expect(error.detail).toContain('text/html');
  });

  it('says that the server has a fault of its own', async () => {
    const error = await failure({ instead: { status: 502 } }, { transport });
    expect(error).toMatchObject({ code: 'server_failed', retryable: true });
  });

  it.each([408, 425, 429])(
    'reports a rate limit and sends no further request, on HTTP %i',
    async (status) => {
      const instead = vi.fn<typeof fetch>(async () => new Response('Slow down', { status }));
      const rig = createRig({ fetch: instead });
      await expect(rig.connect(config('http://127.0.0.1:1/mcp', { transport }))).rejects.toMatchObject({
        code: 'server_busy',
        message: `Notes is limiting requests for now: it answered with HTTP ${status}.`,
        fix: 'Wait a little, then reconnect.',
        retryable: true,
      });
      expect(instead).toHaveBeenCalledOnce();
    },
  );

  it('reports a wait that is longer than any date', async () => {
    const busy = async () => new Response(null, { status: 429, headers: { 'retry-after': '9'.repeat(400) } });
    const rig = createRig({ fetch: busy });
    await expect(rig.connect(config('http://127.0.0.1:1/mcp', { transport }))).rejects.toMatchObject({
      code: 'server_busy',
      fix: 'Wait more than a day, then reconnect.',
    });
  });

  it.each([
    [429, '30'],
    [503, '30'],
    [503, 'Sun, 22 Nov 2026 12:00:30 GMT'],
  ])(
    'respects Retry-After in the background, but not when the user reconnects: HTTP %i, %s',
    async (status, after) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-22T12:00:00Z') });
      onTestFinished(() => void vi.useRealTimers());
      const instead = vi.fn<typeof fetch>(
        async () => new Response(null, { status, headers: { 'retry-after': after } }),
      );
      const rig = createRig({ fetch: instead });
      const server = config('http://127.0.0.1:1/mcp', { transport });
      const busy = { code: 'server_busy', retryAfterMs: 30_000, fix: 'Wait 30 s, then reconnect.' };
      await expect(rig.connect(server)).rejects.toMatchObject(busy);
      await expect(rig.connect(server, true)).rejects.toMatchObject(busy);
      expect(instead).toHaveBeenCalledTimes(1);
      await expect(rig.connect(server)).rejects.toMatchObject(busy);
      expect(instead).toHaveBeenCalledTimes(2);
      silence(31_000);
      await expect(rig.connect(server, true)).rejects.toMatchObject({ code: 'server_busy' });
      expect(instead).toHaveBeenCalledTimes(3);
    },
  );

  it('gives up on a server that does not answer', async () => {
    const error = await failure({ instead: 'silence' }, { transport }, 50);
    expect(error).toMatchObject({ code: 'server_timeout', retryable: true });
  });

  it('does not follow a redirect, and says where the server moved to', async () => {
    const target = await startServer();
    const redirectTo = transport === 'sse' ? target.sseUrl : target.url;
    const error = await failure(
      { instead: { redirectTo } },
      { transport, headers: { 'X-Api-Key': 'secret' } },
    );
    expect(error.code).toBe('server_redirect');
    expect(error.message).toContain(redirectTo);
    expect(error.fix).toContain('the new address');
    expect(target.requests).toEqual([]);
  });

  it('says that nothing listens there', async () => {
    const server = await startServer();
    await server.stop();
    const rig = createRig();
    const url = transport === 'sse' ? server.sseUrl : server.url;
    await expect(rig.connect(config(url, { transport }))).rejects.toMatchObject({
      code: 'server_unreachable',
      retryable: true,
      message: 'Notes could not be reached.',
      fix: expect.stringContaining(url),
    });
  });
});

describe('connecting', () => {
  it('sends nothing more where the browser hides the target of a redirect, and says what to do', async () => {
    let asked = 0;
    const opaque: typeof fetch = async () => {
      asked += 1;
      return Object.defineProperty(Response.error(), 'type', { value: 'opaqueredirect' });
    };
    const rig = createRig({ fetch: opaque });
    await expect(rig.connect(config('http://127.0.0.1:9/mcp'))).rejects.toMatchObject({
      code: 'server_redirect',
      message: 'Notes has moved.',
      fix: expect.stringContaining('Find out where'),
    });
    expect(asked).toBe(1);
  });

  it('shows no secret that the address holds', async () => {
    const server = await startServer({ instead: { status: 404, body: 'no such key: hidden-key' } });
    const connecting = createRig().connect(config(`${server.url}?key=hidden-key`));
    const error = await connecting.catch((thrown: AppError) => ({ ...thrown, message: thrown.message }));
    expect(error).toMatchObject({ code: 'server_not_found', message: expect.stringContaining(server.url) });
    expect(JSON.stringify(error)).not.toContain('hidden-key');
  });

  it('reads every page of the list', async () => {
    const url = await startRawServer(({ method, params }) => {
      if (method !== 'tools/list') return UNKNOWN_METHOD;
      if (params?.['cursor'] === 'more') return { result: { tools: [listed('c')] } };
      return { result: { tools: [listed('a'), listed('b')], nextCursor: 'more' } };
    });
    const tools = await createRig().connect(config(url));
    expect(tools.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });

  it('says what the server answered when it cannot list its tools', async () => {
    const url = await startRawServer(({ method }) =>
      method === 'tools/list' ? { error: { code: -32603, message: 'Database is locked' } } : UNKNOWN_METHOD,
    );
    await expect(createRig().connect(config(url))).rejects.toMatchObject({
      code: 'server_failed',
      message: 'Notes has an internal problem: it answered with an error.',
      detail: expect.stringContaining('Database is locked'),
    });
  });

  it('is one attempt for concurrent callers', async () => {
    const server = await startServer();
    const rig = createRig();
    await Promise.all([1, 2, 3].map(() => rig.connect(config(server.url))));
    expect(server.requests.filter((request) => request === 'POST initialize')).toHaveLength(1);
  });

  it('sends nothing to a server that is connected', async () => {
    const { server, rig } = await connected();
    await rig.connect(config(server.url, { name: 'Renamed' }));
    expect(server.requests.filter((request) => request === 'POST initialize')).toHaveLength(1);
  });

  it('starts afresh when the address changed', async () => {
    const { rig } = await connected();
    const other = await startServer();
    await rig.connect(config(other.url));
    expect(other.requests).toContain('POST initialize');
    expect(rig.status(1).state).toBe('connected');
  });

  it.each([
    ['an address that is none', { url: 'not a url' }],
    ['an address of another kind', { url: 'file:///etc/passwd' }],
    ['a header name with a space', { headers: { 'X Key': 'v' } }],
    ['a header value with a line break', { headers: { 'X-Key': 'secret\nvalue' } }],
  ])('refuses %s in words', async (_what, more) => {
    const connecting = createRig().connect(config('http://127.0.0.1:1/mcp', more));
    await expect(connecting).rejects.toMatchObject({
      code: 'server_bad_settings',
      message: expect.not.stringContaining('secret'),
    });
  });

  it.each([
    'http://anna:hidden-word@127.0.0.1:1/mcp',
    'http://hidden-word@127.0.0.1:1/mcp',
    'http://:hidden-word@127.0.0.1:1/mcp',
  ])('refuses %s, says where its secret belongs, and shows and sends nothing of it', async (url) => {
    const sent = vi.fn<typeof fetch>();
    const rig = createRig({ fetch: sent });
    await expect(rig.connect(config(url))).rejects.toMatchObject({
      code: 'server_bad_settings',
      message: 'Notes cannot be used with these settings: the address contains a user name or a password.',
      fix: 'Move it from the address into a header, such as Authorization, in the server’s settings.',
    });
    expect(JSON.stringify(rig.statuses)).not.toContain('hidden-word');
    expect(sent).not.toHaveBeenCalled();
  });

  it('works again after a failure once the server is there', async () => {
    const server = await startServer();
    await server.stop();
    const rig = createRig();
    await expect(rig.connect(config(server.url))).rejects.toThrow('could not be reached');
    await server.restart();
    await rig.connect(config(server.url));
    expect(rig.statuses.map(({ state }) => state)).toEqual([
      'connecting',
      'error',
      'connecting',
      'connected',
    ]);
  });

  it('reports the tools again when the server says that they changed', async () => {
    const server = await startServer();
    const reported = Promise.withResolvers<string[]>();
    const rig = createRig({
      onTools: (_id, tools) => {
        const names = tools.map(({ name }) => name);
        if (names.includes('brand_new')) reported.resolve(names);
      },
    });
    await rig.connect(config(server.url));
    await server.until(() => server.requests.includes('GET'));
    server.addTool('brand_new');
    expect(await reported.promise).toContain('add');
    expect(rig.status(1).toolCount).toBe((await reported.promise).length);
  });
});

describe('disconnecting', () => {
  it('ends the session on the server and says so', async () => {
    const { server, rig } = await connected();
    await rig.disconnect(1);
    expect(server.requests).toContain('DELETE');
    expect(rig.status(1)).toEqual({ state: 'disconnected', toolCount: 0 });
    expect(rig.statuses.at(-1)?.state).toBe('disconnected');
  });

  it('breaks off an attempt to connect', async () => {
    const server = await startServer({ instead: 'silence' });
    const rig = createRig();
    const connecting = rig.connect(config(server.url));
    await server.until(() => server.requests.length > 0);
    await rig.disconnect(1);
    await expect(connecting).rejects.toMatchObject({ code: 'server_disconnected' });
    expect(rig.statuses.at(-1)?.state).toBe('disconnected');
  });

  it.each(['streamable-http', 'sse'] as const)(
    'cancels the calls that are in flight, on the server too, and names the reason, over %s',
    async (transport) => {
      const { server, rig } = await connected({ transport });
      server.hold('look_up');
      const call = rig.call(1, 'look_up', { word: 'a' }, options());
      await server.until(() => server.executions.length === 1);
      await rig.disconnect(1, 'switched_off');
      expect(await call).toMatchObject({
        status: 'cancelled',
        result: { isError: true, text: 'look_up was cancelled: Notes was switched off.' },
      });
      expect(server.requests).toContain('POST notifications/cancelled');
      expect(rig.status(1).state).toBe('disconnected');
    },
  );
});
