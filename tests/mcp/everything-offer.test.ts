import { once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import type { ConnectionsDeps } from '../../lib/mcp/connections.ts';
import type { Elicit, RequestBody } from '../../lib/types/request.ts';
import { startEverything } from './everything-server.ts';
import { freePort } from './free-port.ts';
import { config, createMemory, createRig, noUser, options } from './harness.ts';

// For what hangs: real programs take seconds to start on a busy machine.

const kinds = [
  { kind: 'streamableHttp', transport: 'streamable-http', path: '/mcp' },
  { kind: 'sse', transport: 'sse', path: '/sse' },
] as const;
type Kind = (typeof kinds)[number];

const idle = { signal: new AbortController().signal, elicit: noUser };

/** The reference server, and a rig that is connected to it when its tools are all there. */
async function everything({ kind, transport, path }: Kind, deps: Partial<ConnectionsDeps> = {}) {
  const port = await freePort();
  const child = await startEverything(kind, port);
  const rig = createRig(deps);
  const server = config(`http://127.0.0.1:${port}${path}`, { transport });
  await rig.connect(server);
  // Some of its tools come only after it saw what Portside can do.
  await vi.waitUntil(() => rig.tools.at(-1)?.some(({ name }) => name === 'trigger-elicitation-request'));
  return { port, child, rig, server };
}

describe.each(kinds)('the reference server over $transport', (kind) => {
  it('gives its prompts, with what completes their arguments', async () => {
    const { rig } = await everything(kind);
    expect(rig.offer(1)?.prompts.map(({ name }) => name)).toContain('args-prompt');
    const messages = await rig.getPrompt(1, 'args-prompt', { city: 'Oslo' }, idle);
    expect(messages).toEqual([{ role: 'user', block: { type: 'text', text: "What's weather in Oslo?" } }]);
    const ref = { type: 'prompt', name: 'completable-prompt' } as const;
    expect(await rig.complete(1, ref, { name: 'department', value: 'S' }, {})).toEqual({
      values: ['Sales', 'Support'],
      hasMore: false,
    });
    const inDepartment = rig.complete(1, ref, { name: 'name', value: 'A' }, { department: 'Engineering' });
    expect((await inDepartment).values).toEqual(['Alice']);
    await expect(rig.getPrompt(1, 'no-such-prompt', {}, idle)).rejects.toMatchObject({
      code: 'server_refused',
      message: 'Notes did not provide the prompt “no-such-prompt”.',
    });
  });

  it('gives its resources, and tells of their updates', async () => {
    const updated = vi.fn<(id: number, uri: string) => void>();
    const { rig } = await everything(kind, { onResourceUpdated: updated });
    const offer = rig.offer(1);
    expect(offer?.templates.length).toBeGreaterThan(0);
    const uri = offer?.resources[0]?.uri ?? '';
    const [block] = await rig.readResource(1, uri, idle);
    expect(block).toMatchObject({ type: 'resource', resource: { uri } });
    rig.subscribeResources(1, [uri]);
    await vi.waitUntil(() => rig.log(1).some(({ summary }) => summary.startsWith('resources/subscribe')));
    await rig.call(1, 'toggle-subscriber-updates', {}, options());
    await vi.waitUntil(() => updated.mock.calls.length > 0);
    expect(updated.mock.calls[0]).toEqual([1, uri]);
  });

  it('elicits from the user for the call that it belongs to, and gets the answer', async () => {
    const { rig } = await everything(kind);
    const asked: RequestBody[] = [];
    const elicit: Elicit = async (request) => {
      asked.push(request);
      return { action: 'accept', content: { name: 'Ada' } };
    };
    const { status, result } = await rig.call(1, 'trigger-elicitation-request', {}, options({ elicit }));
    expect(status).toBe('success');
    expect(result.text).toContain('Ada');
    expect(asked).toMatchObject([{ kind: 'form', schema: { type: 'object' } }]);
  });

  it('has what it logs in the log, from the severity on that was asked for', async () => {
    const { rig } = await everything(kind);
    rig.setLogLevel(1, 'debug');
    await rig.call(1, 'toggle-simulated-logging', {}, options());
    await vi.waitUntil(() => rig.log(1).some((entry) => entry.kind === 'log'));
    expect(rig.log(1).some(({ summary }) => summary.startsWith('logging/setLevel'))).toBe(true);
    rig.setLogLevel(1, undefined);
    expect(rig.log(1).at(-1)?.summary).toMatch(/^The server keeps the level debug until it is reconnected/);
  });

  it('recovers after it was killed and restarted: calls, subscriptions, log level', async () => {
    const { rig, child, port } = await everything(kind);
    rig.setLogLevel(1, 'warning');
    rig.subscribeResources(1, ['demo://resource/static/document/features.md']);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await startEverything(kind.kind, port);
    const from = rig.log(1).length;
    await vi.waitUntil(
      async () => (await rig.call(1, 'echo', { message: 'again' }, options())).status === 'success',
    );
    expect(rig.status(1).state).toBe('connected');
    const sent = () =>
      rig
        .log(1)
        .slice(from)
        .filter((entry) => entry.kind === 'sent')
        .map((entry) => entry.summary)
        .join();
    await vi.waitUntil(() => /resources\/subscribe/.test(sent()) && /logging\/setLevel/.test(sent()));
  });
});

it('two concurrent calls elicit each for itself', async () => {
  const { rig } = await everything(kinds[0]);
  const asked: string[] = [];
  const both = Promise.withResolvers<void>();
  const asking =
    (who: string): Elicit =>
    async () => {
      if (asked.push(who) === 2) both.resolve();
      await both.promise;
      return { action: 'accept', content: { name: who } };
    };
  const calls = ['first', 'second'].map((who) =>
    rig.call(1, 'trigger-elicitation-request', {}, options({ elicit: asking(who) })),
  );
  const texts = (await Promise.all(calls)).map(({ result }) => result.text);
  expect(asked.toSorted()).toEqual(['first', 'second']);
  expect(texts[0]).toContain('first');
  expect(texts[1]).toContain('second');
});

it('the session of the reference server is taken up by the next worker', async () => {
  const { memory } = createMemory();
  const { rig, server } = await everything(kinds[0], { memory });
  const next = createRig({ memory });
  const tools = await next.connect(server);
  expect(tools).toEqual(rig.tools.at(-1));
  expect(next.offer(1)).toEqual(rig.offer(1));
  expect(
    next
      .log(1)
      .filter(({ kind }) => kind === 'sent')
      .map(({ summary }) => summary)
      .join(),
  ).not.toContain('initialize');
  expect((await next.call(1, 'echo', { message: 'walrus' }, options())).result.text).toBe('Echo: walrus');
});
