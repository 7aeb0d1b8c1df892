import type { AuthProvider } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../lib/errors.ts';
import type { RemoteConfig } from '../../lib/mcp/connections.ts';
import { config, connected, createMemory, createRig, options, startServer } from './harness.ts';

const transports: RemoteConfig['transport'][] = ['streamable-http', 'sse'];
const requireHeader = { name: 'Authorization', value: 'Bearer good' };

/** Signs in with a token that may become bad, and then requires a sign-in. */
function signing(token: { value: string | undefined }): AuthProvider {
  return {
    token: async () => token.value,
    onUnauthorized: async () => {
      throw new AppError({
        code: 'server_sign_in',
        message: 'Notes wants you to sign in.',
        fix: 'Choose Sign in next to the server in Settings.',
      });
    },
  };
}

it('a server whose sign-in takes longer to discover than the probe lasts still requires a sign-in', async () => {
  const server = await startServer({ requireHeader });
  const { promise: askedAgain, resolve: askAgain } = Promise.withResolvers<void>();
  const { token, onUnauthorized } = signing({ value: undefined });
  let asked = 0;
  const slow: AuthProvider = {
    token,
    async onUnauthorized(context) {
      asked += 1;
      if (asked > 1) askAgain();
      await askedAgain;
      await onUnauthorized?.(context);
    },
  };
  const rig = createRig({ connectTimeout: 2000, authProvider: () => slow });
  await expect(rig.connect(config(server.url))).rejects.toMatchObject({ code: 'server_sign_in' });
});

describe.each(transports)('a server that requires a sign-in, over %s', (transport) => {
  it('is disconnected for that reason, not in error', async () => {
    const server = await startServer({ requireHeader });
    const rig = createRig({ authProvider: () => signing({ value: undefined }) });
    const url = transport === 'sse' ? server.sseUrl : server.url;
    await expect(rig.connect(config(url, { transport }))).rejects.toMatchObject({ code: 'server_sign_in' });
    expect(rig.statuses).toEqual([
      { state: 'connecting', toolCount: 0 },
      { state: 'disconnected', reason: 'sign_in', toolCount: 0 },
    ]);
  });

  it('still requires it when it refuses a renewed token', async () => {
    const server = await startServer({ requireHeader });
    const authProvider = { token: async () => 'bad', onUnauthorized: async () => {}, secrets: () => [] };
    const rig = createRig({ authProvider: () => authProvider });
    const url = transport === 'sse' ? server.sseUrl : server.url;
    await expect(rig.connect(config(url, { transport }))).rejects.toMatchObject({ code: 'server_sign_in' });
    expect(rig.status(1)).toEqual({ state: 'disconnected', reason: 'sign_in', toolCount: 0 });
  });

  it('connects once that is done', async () => {
    const server = await startServer({ requireHeader });
    const token: { value: string | undefined } = { value: undefined };
    const rig = createRig({ authProvider: () => signing(token) });
    const url = transport === 'sse' ? server.sseUrl : server.url;
    await expect(rig.connect(config(url, { transport }))).rejects.toMatchObject({ code: 'server_sign_in' });
    token.value = 'good';
    await rig.connect(config(url, { transport }));
    expect(rig.status(1)).toMatchObject({ state: 'connected' });
    expect(rig.status(1).reason).toBeUndefined();
  });

  it('during a call ends that with an error, and keeps its session', async () => {
    const server = await startServer({ requireHeader });
    const token = { value: 'good' };
    const { memory } = createMemory();
    const rig = createRig({ memory, authProvider: () => signing(token) });
    await rig.connect(config(transport === 'sse' ? server.sseUrl : server.url, { transport }));
    token.value = 'bad';
    const { status, result } = await rig.call(1, 'write_note', { text: 'x' }, options());
    expect({ status, text: result.text }).toEqual({
      status: 'error',
      text: 'write_note was not run: Notes wants you to sign in. Choose Sign in next to the server in Settings.',
    });
    expect(rig.status(1)).toEqual({ state: 'disconnected', reason: 'sign_in', toolCount: 0 });
    expect(rig.offer(1)).toBeUndefined();
    token.value = 'good';
    expect((await rig.call(1, 'write_note', { text: 'x' }, options())).status).toBe('success');
    const handshakes = server.requests.filter((request) => request === 'POST initialize');
    expect(handshakes).toHaveLength(transport === 'sse' ? 2 : 1);
  });
});

it.each(transports)('a server whose token can’t be renewed is in error, over %s', async (transport) => {
  const server = await startServer({ requireHeader });
  const unreachable = { code: 'sign_in_unreachable', message: 'It could not be renewed.', retryable: true };
  let token = 'good';
  const authProvider: AuthProvider = {
    token: async () => token,
    onUnauthorized: async () => {
      throw new AppError(unreachable);
    },
  };
  const rig = createRig({ authProvider: () => authProvider });
  await rig.connect(config(transport === 'sse' ? server.sseUrl : server.url, { transport }));
  token = 'bad';
  expect(await rig.call(1, 'write_note', { text: 'x' }, options())).toMatchObject({ status: 'error' });
  expect(rig.status(1)).toMatchObject({ state: 'error', error: unreachable });
  token = 'good';
  expect(await rig.call(1, 'write_note', { text: 'x' }, options())).toMatchObject({ status: 'success' });
});

describe('a tool that needs more than was granted', () => {
  const refusing: typeof fetch = async (input, init) =>
    String(init?.body).includes('tools/call')
      ? new Response('', {
          status: 403,
          headers: { 'www-authenticate': 'Bearer error="insufficient_scope", scope="notes:write"' },
        })
      : fetch(input, init);

  it('requires a sign-in for its scope, where the user can sign in', async () => {
    const server = await startServer();
    const rig = createRig({ fetch: refusing, authProvider: () => signing({ value: 'good' }) });
    await rig.connect(config(server.url));
    const { status, result } = await rig.call(1, 'write_note', { text: 'x' }, options());
    expect(status).toBe('error');
    expect(result.text).toContain('sign in again');
    expect(rig.status(1)).toEqual({
      state: 'disconnected',
      reason: 'sign_in',
      scope: 'notes:write',
      toolCount: 0,
    });
  });

  it('fails with an error where the user cannot', async () => {
    const server = await startServer();
    const rig = createRig({ fetch: refusing });
    await rig.connect(config(server.url));
    const { status, result } = await rig.call(1, 'write_note', { text: 'x' }, options());
    expect(status).toBe('error');
    expect(result.text).toContain('write_note was not run');
    expect(rig.status(1).state).toBe('connected');
  });
});

it.each(transports)(
  'a server that refuses the renewed token, too, requires a sign-in, over %s',
  async (transport) => {
    const server = await startServer({ requireHeader });
    const token = { value: 'good' };
    const renewing: AuthProvider = { token: async () => token.value, onUnauthorized: async () => {} };
    const rig = createRig({ authProvider: () => renewing });
    await rig.connect(config(transport === 'sse' ? server.sseUrl : server.url, { transport }));
    token.value = 'bad';
    const { result } = await rig.call(1, 'write_note', { text: 'x' }, options());
    expect(result.text).toContain('wants you to sign in');
    expect(rig.status(1)).toMatchObject({ state: 'disconnected', reason: 'sign_in' });
  },
);

describe('the token that a server gets', () => {
  const withToken = () => ({ token: async () => 'opaque-12345', secrets: () => ['opaque-12345'] });

  it('stands in no error, though the server repeats it', async () => {
    const server = await startServer({ instead: { status: 404, body: 'no: opaque-12345' } });
    const rig = createRig({ authProvider: withToken });
    await expect(rig.connect(config(server.url))).rejects.toMatchObject({
      code: 'server_not_found',
      detail: expect.stringContaining('no: •••') as string,
    });
  });

  it('stands in no line of the log, though the server repeats it', async () => {
    const { rig } = await connected({}, { authProvider: withToken });
    await rig.call(1, 'write_note', { text: 'opaque-12345' }, options());
    expect(rig.log(1).some(({ summary }) => summary.includes('write_note'))).toBe(true);
    expect(JSON.stringify(rig.log(1))).not.toContain('opaque');
  });
});
