import type { AuthProvider } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../lib/errors.ts';
import type { ConnectionConfig } from '../../lib/mcp/connections.ts';
import { config, createMemory, createRig, options, startServer } from './harness.ts';

const transports: ConnectionConfig['transport'][] = ['streamable-http', 'sse'];
const requireHeader = { name: 'Authorization', value: 'Bearer good' };

/** Signs in with a token that may become bad, and then needs the person. */
function signing(token: { value: string | undefined }): AuthProvider {
  return {
    token: async () => token.value,
    onUnauthorized: async () => {
      throw new AppError({
        code: 'server_sign_in',
        message: 'Notes wants you to sign in.',
        fix: 'Sign in in the server’s settings.',
      });
    },
  };
}

describe.each(transports)('a server that wants the person to sign in, over %s', (transport) => {
  it('is disconnected for that reason, not with an error', async () => {
    const server = await startServer({ requireHeader });
    const rig = createRig({ authProvider: () => signing({ value: undefined }) });
    const url = transport === 'sse' ? server.sseUrl : server.url;
    await expect(rig.connect(config(url, { transport }))).rejects.toMatchObject({ code: 'server_sign_in' });
    expect(rig.statuses).toEqual([
      { state: 'connecting', toolCount: 0 },
      { state: 'disconnected', reason: 'sign_in', toolCount: 0 },
    ]);
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

  it('in the middle has a call end with words, and keeps its session for afterwards', async () => {
    const server = await startServer({ requireHeader });
    const token = { value: 'good' };
    const { memory } = createMemory();
    const rig = createRig({ memory, authProvider: () => signing(token) });
    await rig.connect(config(transport === 'sse' ? server.sseUrl : server.url, { transport }));
    token.value = 'bad';
    const { status, result } = await rig.call(1, 'write_note', { text: 'x' }, options());
    expect({ status, text: result.text }).toEqual({
      status: 'error',
      text: 'write_note was not run: Notes wants you to sign in. Sign in in the server’s settings.',
    });
    expect(rig.status(1)).toEqual({ state: 'disconnected', reason: 'sign_in', toolCount: 0 });
    expect(rig.offer(1)).toBeUndefined();
    token.value = 'good';
    expect((await rig.call(1, 'write_note', { text: 'x' }, options())).status).toBe('success');
    const handshakes = server.requests.filter((request) => request === 'POST initialize');
    expect(handshakes).toHaveLength(transport === 'sse' ? 2 : 1);
  });
});

describe('a tool that needs more than was granted', () => {
  const refusing: typeof fetch = async (input, init) =>
    String(init?.body).includes('tools/call')
      ? new Response('', {
          status: 403,
          headers: { 'www-authenticate': 'Bearer error="insufficient_scope", scope="notes:write"' },
        })
      : fetch(input, init);

  it('says what for, where the person can sign in', async () => {
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

  it('is refused in words where the person cannot', async () => {
    const server = await startServer();
    const rig = createRig({ fetch: refusing });
    await rig.connect(config(server.url));
    const { status, result } = await rig.call(1, 'write_note', { text: 'x' }, options());
    expect(status).toBe('error');
    expect(result.text).toContain('write_note was not run');
    expect(rig.status(1).state).toBe('connected');
  });
});
