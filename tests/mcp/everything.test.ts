import { once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import type { Elicit } from '../../lib/types/request.ts';
import { startEverything } from './everything-server.ts';
import { freePort } from './free-port.ts';
import { config, createRig, options, type Rig } from './harness.ts';

async function expectToolsToWork(rig: Rig): Promise<void> {
  const echo = await rig.call(1, 'echo', { message: 'walrus' }, options());
  expect(echo).toMatchObject({ status: 'success', result: { text: 'Echo: walrus' } });
  const sum = await rig.call(1, 'get-sum', { a: 2, b: 40 }, options());
  expect(sum.result.text).toContain('42');
}

describe('the reference server', () => {
  it('works over Streamable HTTP', async () => {
    const port = await freePort();
    await startEverything('streamableHttp', port);
    const rig = createRig();
    const tools = await rig.connect(config(`http://127.0.0.1:${port}/mcp`));
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['echo', 'get-sum']));
    await expectToolsToWork(rig);
  });

  it('works over SSE', async () => {
    const port = await freePort();
    await startEverything('sse', port);
    const rig = createRig();
    const tools = await rig.connect(config(`http://127.0.0.1:${port}/sse`, { transport: 'sse' }));
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['echo', 'get-sum']));
    await expectToolsToWork(rig);
  });

  it('works at the next call after it was killed and started again on the same port', async () => {
    const port = await freePort();
    const first = await startEverything('streamableHttp', port);
    const rig = createRig();
    await rig.connect(config(`http://127.0.0.1:${port}/mcp`));
    first.kill('SIGKILL');
    await once(first, 'exit');
    await startEverything('streamableHttp', port);
    await expectToolsToWork(rig);
    expect(rig.status(1).state).toBe('connected');
  });

  it('has a tool that only runs as a task, which asks the user in its middle', async () => {
    const port = await freePort();
    await startEverything('streamableHttp', port);
    const rig = createRig();
    await rig.connect(config(`http://127.0.0.1:${port}/mcp`));
    const progress = vi.fn();
    const elicit: Elicit = async () => ({ action: 'accept', content: { interpretation: 'snake' } });
    const args = { topic: 'python', ambiguous: true };
    const made = await rig.call(1, 'simulate-research-query', args, options({ progress, elicit }));
    expect(made).toMatchObject({ status: 'success' });
    expect(made.result.text).toContain('# Research Report: python (snake)');
    // Where it waits: its other steps last no longer than a poll is away.
    expect(progress).toHaveBeenCalledWith({
      message: 'Found multiple interpretations for "python". Requesting clarification...',
    });
  });
});
