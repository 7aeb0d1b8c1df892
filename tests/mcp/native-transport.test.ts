import { expect, it, vi } from 'vitest';
import { createNativeTransport } from '../../lib/mcp/transport/native-transport.ts';

it('a program that starts after its transport was closed is ended at once', async () => {
  const started = Promise.withResolvers<void>();
  const program = { send: vi.fn(), stop: vi.fn() };
  const link = {
    about: () => Promise.reject(new Error('Not requested.')),
    ask: () => Promise.reject(new Error('Not requested.')),
    start: () => started.promise.then(() => program),
  };
  const config = {
    id: 1,
    name: 'Local',
    transport: 'stdio',
    toolTimeout: 1000,
    launch: { command: 'npx', args: [], env: {} },
  } as const;
  const launch = { ...config.launch, args: [] };
  const transport = createNativeTransport({ ...config, launch }, link, { logged: vi.fn() });
  const starting = transport.start();
  await transport.close();
  started.resolve();
  await starting;
  expect(program.stop).toHaveBeenCalledOnce();
  await transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
  expect(program.send).not.toHaveBeenCalled();
});
