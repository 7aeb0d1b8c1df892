import { expect, it } from 'vitest';
import { config, createRig, noUser } from './harness.ts';
import { startModernServer } from './modern-server.ts';

const cache = { ttlMs: 0, cacheScope: 'private' };
const idle = () => ({ signal: new AbortController().signal, elicit: noUser });
const ref = { type: 'prompt' as const, name: 'greet' };

/** A server that gives a resource for every address and completes whatever it is asked to. */
const startGiving = () =>
  startModernServer(({ method, params }) => {
    if (method === 'server/discover') {
      const capabilities = { resources: {}, completions: {} };
      const meta = { 'io.modelcontextprotocol/serverInfo': { name: 'giving', version: '1' } };
      return {
        result: {
          resultType: 'complete',
          ...cache,
          supportedVersions: ['2026-07-28'],
          capabilities,
          _meta: meta,
        },
      };
    }
    if (method === 'resources/read') {
      return {
        result: { resultType: 'complete', ...cache, contents: [{ uri: params?.['uri'], text: 'x' }] },
      };
    }
    if (method !== 'completion/complete') return undefined;
    const { value } = (params?.['argument'] ?? {}) as { value?: string };
    return { result: { resultType: 'complete', completion: { values: [`${value}!`] } } };
  });

it('prompts and resources count towards the cap of their origin, as calls do', async () => {
  const server = await startGiving();
  let inFlight = 0;
  let most = 0;
  const counting: typeof fetch = async (input, init) => {
    if (!String(init?.body).includes('resources/read')) return fetch(input, init);
    most = Math.max(most, ++inFlight);
    return fetch(input, init).finally(() => inFlight--);
  };
  const rig = createRig({ fetch: counting });
  await rig.connect(config(server.url));
  await Promise.all(Array.from({ length: 12 }, (_each, at) => rig.readResource(1, `note://${at}`, idle())));
  expect(most).toBe(4);
});

it('a fetch that is aborted in the queue is never sent', async () => {
  const server = await startGiving();
  const held = Promise.withResolvers<void>();
  const holding: typeof fetch = async (input, init) => {
    if (String(init?.body).includes('resources/read')) await held.promise;
    return fetch(input, init);
  };
  const rig = createRig({ fetch: holding });
  await rig.connect(config(server.url));
  const first = Array.from({ length: 4 }, () => rig.readResource(1, 'note://1', idle()));
  const stop = new AbortController();
  const waiting = rig.readResource(1, 'note://2', { signal: stop.signal, elicit: noUser });
  stop.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  held.resolve();
  await Promise.all(first);
  expect(server.requests.some(({ params }) => params?.['uri'] === 'note://2')).toBe(false);
});

it('a completion is dropped when another for the same argument follows', async () => {
  const server = await startGiving();
  const rig = createRig();
  await rig.connect(config(server.url));
  const stale = rig.complete(1, ref, { name: 'who', value: 'a' }, {});
  const other = rig.complete(1, ref, { name: 'where', value: 'x' }, {});
  const fresh = rig.complete(1, ref, { name: 'who', value: 'ab' }, {});
  expect(await Promise.all([stale, other, fresh])).toEqual([
    { values: [], hasMore: false },
    { values: ['x!'], hasMore: false },
    { values: ['ab!'], hasMore: false },
  ]);
});

it('a completion in flight is cancelled on the server when another for the same argument follows', async () => {
  const server = await startGiving();
  const sent = Promise.withResolvers<AbortSignal>();
  const holding: typeof fetch = (input, init) => {
    if (!String(init?.body).includes('"value":"a"')) return fetch(input, init);
    if (init?.signal) sent.resolve(init.signal);
    return new Promise((_resolve, reject) =>
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error)),
    );
  };
  const rig = createRig({ fetch: holding });
  await rig.connect(config(server.url));
  const stale = rig.complete(1, ref, { name: 'who', value: 'a' }, {});
  const signal = await sent.promise;
  expect(await rig.complete(1, ref, { name: 'who', value: 'ab' }, {})).toMatchObject({ values: ['ab!'] });
  expect(await stale).toEqual({ values: [], hasMore: false });
  expect(signal.aborted).toBe(true);
});

it.each([
  [500, 'server_failed'],
  [403, 'server_unauthorized'],
])('HTTP %i is not taken for a sign that a server speaks no MCP', async (status, code) => {
  const server = await startGiving();
  const rig = createRig({
    fetch: async (input, init) =>
      String(init?.body).includes('resources/read')
        ? new Response('out of order', { status })
        : fetch(input, init),
  });
  await rig.connect(config(server.url));
  await expect(rig.readResource(1, 'note://1', idle())).rejects.toMatchObject({ code });
});
