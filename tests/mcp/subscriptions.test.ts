import { expect, it, vi } from 'vitest';
import { config, createRig, options } from './harness.ts';
import { startModernServer } from './modern-server.ts';

/** A server of the 2026-07-28 revision, whose changes come over one stream, and a rig that is connected to it. */
async function listening() {
  const names = ['echo'];
  const server = await startModernServer(({ method }) => {
    if (method !== 'tools/list') return undefined;
    const tools = names.map((name) => ({ name, inputSchema: { type: 'object' } }));
    return { result: { resultType: 'complete', ttlMs: 0, cacheScope: 'private', tools } };
  });
  const updated = vi.fn<(id: number, uri: string) => void>();
  const rig = createRig({ onResourceUpdated: updated });
  await rig.connect(config(server.url));
  await server.until(() => server.listening().length === 1);
  return { server, rig, names, updated };
}

it('changed tools are listed again', async () => {
  const { server, rig, names } = await listening();
  names.push('brand_new');
  server.notify('notifications/tools/list_changed');
  await vi.waitUntil(() => rig.tools.length === 2);
  expect(rig.tools[1]?.map(({ name }) => name)).toEqual(['echo', 'brand_new']);
  expect(rig.status(1).toolCount).toBe(2);
});

it('lists are read again after the stream was cut', async () => {
  const { server, rig, names } = await listening();
  names.push('brand_new');
  server.cutStreams();
  await vi.waitUntil(() => rig.tools.length === 2);
  expect(server.listening()).toHaveLength(1);
  expect(rig.statuses.map(({ state }) => state)).toEqual(['connecting', 'connected', 'connected']);
});

it('subscribed resources, and only those, report updates', async () => {
  const { server, rig, updated } = await listening();
  expect(server.listening()).toEqual([{ toolsListChanged: true }]);
  rig.subscribeResources(1, ['note://1', 'note://2']);
  const wanted = { toolsListChanged: true, resourceSubscriptions: ['note://1', 'note://2'] };
  await server.until(() => JSON.stringify(server.listening()) === JSON.stringify([wanted]));
  server.notify('notifications/resources/updated', { uri: 'note://9' });
  server.notify('notifications/resources/updated', { uri: 'note://2' });
  await vi.waitUntil(() => updated.mock.calls.length > 0);
  expect(updated.mock.calls).toEqual([[1, 'note://2']]);
  rig.subscribeResources(1, []);
  await server.until(
    () => JSON.stringify(server.listening()) === JSON.stringify([{ toolsListChanged: true }]),
  );
});

it('an update reports the subscribed resource, or the one that it is a part of', async () => {
  const { server, rig, updated } = await listening();
  const uris = ['note://1', 'note://12', 'note://1/2', 'note://3/'];
  rig.subscribeResources(1, uris);
  await server.until(() => JSON.stringify(server.listening()).includes('note://3/'));
  for (const uri of ['note://12', 'note://1/2', 'note://3/4']) {
    server.notify('notifications/resources/updated', { uri });
  }
  await vi.waitUntil(() => updated.mock.calls.some(([, uri]) => uri === 'note://3/'));
  expect(updated.mock.calls.map(([, uri]) => uri)).toEqual([
    'note://12',
    'note://1',
    'note://1/2',
    'note://3/',
  ]);
});

it('resources are subscribed to again after a reconnect', async () => {
  const { server, rig } = await listening();
  rig.subscribeResources(1, ['note://1']);
  await rig.disconnect(1);
  await server.until(() => server.listening().length === 0);
  await rig.connect(config(server.url));
  await server.until(() => server.listening().length === 1);
  expect(server.listening()).toEqual([{ toolsListChanged: true, resourceSubscriptions: ['note://1'] }]);
});

it('the log level goes along with each request', async () => {
  const { server, rig } = await listening();
  rig.setLogLevel(1, 'warning');
  await rig.call(1, 'echo', { message: 'hi' }, options());
  expect(server.requests.at(-1)?.params?.['_meta']).toMatchObject({
    'io.modelcontextprotocol/logLevel': 'warning',
  });
  rig.setLogLevel(1, undefined);
  await rig.call(1, 'echo', { message: 'hi' }, options());
  expect(server.requests.at(-1)?.params?.['_meta']).not.toHaveProperty(['io.modelcontextprotocol/logLevel']);
});
