import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AppInput } from '../../lib/types/app.ts';
import { type AppHost, createAppBridge, type Wish } from '../../lib/state/apps/bridge.ts';
import type { SaidTool } from '../../lib/types/tools/tool.ts';
import { isLight } from '../../lib/state/apps/weight.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Posted = { id?: unknown; method?: string; result?: unknown; error?: { code: number }; params?: unknown };

function start(input: AppInput | undefined, wants: (wish: Wish) => boolean = () => true) {
  const posted: Posted[] = [];
  const commands: string[] = [];
  const closed: string[] = [];
  const written: { text?: string } = {};
  const offered: SaidTool[][] = [];
  let id = 0;
  const answers: Record<string, unknown> = {
    appInput: input,
    callAppTool: { content: [] },
    sampleForApp: { role: 'assistant' },
  };
  const host: AppHost = {
    callId: 'm1.0',
    opened: {
      html: '',
      policy: '',
      tool: { name: 'a', description: '', inputSchema: {} },
      version: '1',
    },
    written: () => written.text,
    post: (message) => void posted.push(message as Posted),
    ask: (async (name: string) => {
      commands.push(name);
      return answers[name];
    }) as AppHost['ask'],
    context: () => ({ theme: 'dark' }),
    resize: () => undefined,
    wish: async (wish) => wants(wish),
    show: (mode) => mode,
    offer: (tools) => void offered.push(tools),
    close: (why) => void closed.push(why),
    newId: () => String((id += 1)),
    now: () => Date.now(),
  };
  const bridge = createAppBridge(host);
  const send = async (message: unknown): Promise<void> => {
    bridge.receive(() => message);
    await vi.advanceTimersByTimeAsync(300);
  };
  const asks = async (method: string, params?: unknown): Promise<Posted | undefined> => {
    id += 1;
    const own = `app ${id}`;
    await send({ jsonrpc: '2.0', id: own, method, params });
    return posted.find((each) => each.id === own);
  };
  return { bridge, answers, written, posted, commands, closed, offered, send, asks };
}

const told = (posted: Posted[]) => posted.flatMap(({ method }) => method ?? []);
const initialized = { jsonrpc: '2.0', method: 'ui/notifications/initialized' };

describe('the bridge of an app', () => {
  it('tells nothing before the app is initialized, then the arguments once and the result once', async () => {
    const { bridge, posted, send, asks } = start({ arguments: { a: 1 }, result: { content: [] } });
    bridge.callChanged();
    bridge.contextChanged({ theme: 'light' });
    expect((await asks('ui/initialize', { appCapabilities: {} }))?.result).toMatchObject({
      hostContext: { theme: 'dark', toolInfo: { tool: { name: 'a' } } },
    });
    expect(told(posted)).toEqual([]);
    await send(initialized);
    bridge.callChanged();
    await send(initialized);
    expect(told(posted)).toEqual(['ui/notifications/tool-input', 'ui/notifications/tool-result']);
  });

  it('tells of the arguments while they are written, as far as they are, and not after the whole', async () => {
    const { bridge, answers, written, posted, send } = start(undefined);
    const write = (text: string): void => {
      written.text = text;
      bridge.writtenMore();
    };
    write('{"pi');
    write('{"pier": "7');
    expect(told(posted)).toEqual([]);
    await send(initialized);
    const long = `{"pier": "7", "note": "${'a'.repeat(100)}`;
    write(long);
    write(`${long}bc`);
    answers['appInput'] = { arguments: { pier: '7', note: 'whole' } };
    bridge.callChanged();
    await vi.advanceTimersByTimeAsync(1);
    write(long.repeat(2));
    expect(posted.map(({ method, params }) => ({ method, params }))).toEqual([
      { method: 'ui/notifications/tool-input-partial', params: { arguments: { pier: '7' } } },
      {
        method: 'ui/notifications/tool-input-partial',
        params: { arguments: { pier: '7', note: 'a'.repeat(100) } },
      },
      { method: 'ui/notifications/tool-input', params: { arguments: { pier: '7', note: 'whole' } } },
    ]);
  });

  it('refuses what it does not know or is misshapen, and reads nothing that is no JSON-RPC', async () => {
    const { posted, commands, send, asks } = start({ arguments: {} });
    expect((await asks('roots/list', {}))?.error?.code).toBe(-32_601);
    expect((await asks('constructor', {}))?.error?.code).toBe(-32_601);
    expect((await asks('tools/call', { name: 5 }))?.error?.code).toBe(-32_602);
    expect((await asks('ui/open-link', { url: 'x'.repeat(10_000) }))?.error?.code).toBe(-32_602);
    const content = [{ type: 'text', text: 'x'.repeat(100_001) }];
    expect((await asks('ui/message', { role: 'user', content }))?.error?.code).toBe(-32_602);
    const before = posted.length;
    for (const message of [
      null,
      5,
      'text',
      [],
      { id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: {}, method: 'ping' },
    ])
      await send(message);
    expect(posted.length).toBe(before);
    expect(commands).toEqual([]);
    expect((await asks('tools/call', { name: 'a' }))?.result).toEqual({ content: [] });
  });

  it('offers what a willing app says of its tools, follows its changes, and calls them until the frame is gone', async () => {
    const { bridge, posted, offered, send, asks } = start({ arguments: {} });
    const tool = { name: 'select', description: 'Selects.', annotations: { destructiveHint: true } };
    const answers = async (method: string, result: object): Promise<void> => {
      const { id } = posted.findLast((each) => each.method === method) ?? {};
      await send({ jsonrpc: '2.0', id, result });
    };
    await asks('ui/initialize', { appCapabilities: { tools: { listChanged: true } } });
    await send(initialized);
    await answers('tools/list', { tools: [tool, { name: 5 }], nextCursor: 'next' });
    const long = Array.from({ length: 9 }, (_, at) => ({ name: `t${at}`, description: 'x'.repeat(40_000) }));
    await answers('tools/list', {
      tools: [{ ...tool, description: 'x'.repeat(60_000) }],
      nextCursor: 'last',
    });
    await answers('tools/list', { tools: long });
    expect(offered[0]?.map(({ name }) => name)).toEqual(['select', 't0', 't1', 't2', 't3']);
    await send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    await answers('tools/list', { tools: [tool] });
    const said = { title: '', inputSchema: undefined, isConsequential: true };
    expect(offered[1]).toEqual([{ name: 'select', description: 'Selects.', ...said }]);
    await send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    await answers('tools/list', { tools: [] });
    expect(offered.at(-1)).toEqual([]);
    const made = bridge.callTool('w1', 'select', { berth: 2 });
    await send({ jsonrpc: '2.0', id: 'w1', error: { code: 1, message: 'No such berth' } });
    expect(await made).toEqual({ error: 'No such berth' });
    const lost = bridge.callTool('w2', 'select', {});
    bridge.drop();
    expect(await lost).toBe('lost');
    expect(await bridge.callTool('w3', 'select', {})).toBe('lost');
  });

  it('asks an app whose tools change again and again for them once in a while', async () => {
    const { bridge, posted, offered, send, asks } = start({ arguments: {} });
    await asks('ui/initialize', { appCapabilities: { tools: {} } });
    await send(initialized);
    const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
    for (let answered = 0, second = 0; second < 60; second += 1) {
      for (let each = 0; each < 10; each += 1) bridge.receive(() => changed);
      const asked = posted.filter(({ method }) => method === 'tools/list');
      for (const { id } of asked.slice(answered)) await send({ jsonrpc: '2.0', id, result: { tools: [] } });
      answered = asked.length;
      await vi.advanceTimersByTimeAsync(700);
    }
    expect(offered.length).toBeGreaterThan(3);
    expect(offered.length).toBeLessThan(12);
  });

  it('asks no app for tools that declares none', async () => {
    const { posted, send, asks } = start({ arguments: {} });
    await asks('ui/initialize', { appCapabilities: {} });
    await send(initialized);
    await send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    expect(told(posted)).not.toContain('tools/list');
  });

  it('asks the model for it, one question at a time, and no more after two refusals', async () => {
    const { commands, asks } = start({ arguments: {} }, () => false);
    const params = { messages: [], maxTokens: 5 };
    const [answer, other] = await Promise.all([1, 2].map(() => asks('sampling/createMessage', params)));
    expect([answer?.result, other?.error?.code]).toEqual([{ role: 'assistant' }, -32_000]);
    expect(commands).toEqual(['sampleForApp']);
    for (let time = 0; time < 2; time += 1) await asks('ui/open-link', { url: 'https://tides.example' });
    expect((await asks('sampling/createMessage', params))?.error?.code).toBe(-32_000);
    expect(commands).toEqual(['sampleForApp']);
  });

  it('is closed once the app has put its things in order, and tells it nothing after that', async () => {
    const { bridge, posted, send } = start({ arguments: {} });
    await send(initialized);
    let isClosed = false;
    const closing = bridge.close().then(() => (isClosed = true));
    const asked = posted.find(({ method }) => method === 'ui/resource-teardown');
    await send({ jsonrpc: '2.0', method: 'ui/notifications/size-changed', params: {} });
    expect(isClosed).toBe(false);
    await send({ jsonrpc: '2.0', id: asked?.id, result: {} });
    await closing;
    const before = posted.length;
    bridge.contextChanged({ theme: 'light' });
    await send({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect(posted).toHaveLength(before);
  });

  it('closes an app that floods, and asks nothing more for one that was declined twice', async () => {
    const wished: Wish[] = [];
    const { bridge, closed, asks } = start({ arguments: {} }, (wish) => wished.push(wish) < 0);
    for (const url of ['https://a.example', 'https://b.example', 'https://c.example'])
      expect((await asks('ui/open-link', { url }))?.error).toBeDefined();
    expect(wished).toHaveLength(2);
    for (let each = 0; each < 1001; each += 1) bridge.receive(() => ({}));
    expect(closed).toContain('flood');
  });

  it.each([
    [600, 2],
    [60_000, 1],
  ])('closes an app whose messages take %i ms each to read, and reads no more of them', (ms, most) => {
    const { bridge, closed } = start({ arguments: {} });
    const slow = vi.fn(() => void vi.setSystemTime(Date.now() + ms));
    for (let each = 0; each < 5; each += 1) bridge.receive(slow);
    expect(closed).toEqual(['flood']);
    expect(slow).toHaveBeenCalledTimes(most);
  });
});

describe('the weight of a message', () => {
  it('is bounded, however it is nested, and for what is no data', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(isLight({ a: ['b'] }, 100)).toBe(true);
    expect(isLight('x'.repeat(101), 100)).toBe(false);
    expect(isLight({ ['x'.repeat(101)]: 1 }, 100)).toBe(false);
    expect(isLight(circle, 1e9)).toBe(false);
    expect(isLight(new Uint8Array(5), 100)).toBe(false);
  });

  it('is known of a list by its length, before its parts are listed, and of no text by its characters', () => {
    expect(isLight({ list: Object.assign([], { length: 101 }) }, 100)).toBe(false);
    const listed = () => expect.fail('It was listed.');
    expect(isLight(new Proxy(Array.from({ length: 101 }), { ownKeys: listed }), 100)).toBe(false);
    expect(isLight(new Proxy(new String('x'), { ownKeys: listed }), 100)).toBe(false);
  });
});
