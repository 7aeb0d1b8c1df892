import { once } from 'node:events';
import { expect, it, vi } from 'vitest';
import { startProxied } from './everything-server.ts';
import { freePort } from './free-port.ts';
import { config, createMemory, createRig, noUser, options } from './harness.ts';

it('the reference server behind mcp-proxy speaks the 2026-07-28 revision, also with the next worker', async () => {
  const port = await freePort();
  await startProxied(port);
  const { memory } = createMemory();
  const rig = createRig({ memory });
  const server = config(`http://127.0.0.1:${port}/mcp`);
  await rig.connect(server);
  expect(rig.status(1)).toMatchObject({ state: 'connected', protocolVersion: '2026-07-28' });
  expect((await rig.call(1, 'echo', { message: 'walrus' }, options())).result.text).toBe('Echo: walrus');
  const idle = { signal: new AbortController().signal, elicit: noUser };
  const [message] = await rig.getPrompt(1, 'args-prompt', { city: 'Oslo' }, idle);
  expect(message?.block).toMatchObject({ text: expect.stringContaining('Oslo') });
  const next = createRig({ memory });
  await next.connect(server);
  expect(
    next
      .log(1)
      .map(({ summary }) => summary)
      .join(),
  ).not.toMatch(/discover|initialize/);
  expect((await next.call(1, 'echo', { message: 'seal' }, options())).result.text).toBe('Echo: seal');
});

it('works on when it was killed and started anew', async () => {
  const port = await freePort();
  const child = await startProxied(port);
  const rig = createRig();
  await rig.connect(config(`http://127.0.0.1:${port}/mcp`));
  child.kill('SIGKILL');
  await once(child, 'exit');
  await startProxied(port);
  const echo = () => rig.call(1, 'echo', { message: 'again' }, options());
  await vi.waitUntil(async () => (await echo()).status === 'success');
  expect(rig.status(1).state).toBe('connected');
});
