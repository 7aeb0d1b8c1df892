import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { call, gate, stream, text } from '../../fakes/model-server.ts';
import { resultOf } from '../servers/everything-scene.ts';
import { startMortal } from '../support/mortal-server.ts';
import { serverLine } from '../support/options-page.ts';
import { startEverything, type RealServer } from '../servers/real-servers.ts';
import { addServer, offered, openScene, type Scene, server, shortSilence, until } from '../support/scene.ts';

let scene: Scene;

beforeAll(async () => {
  scene = await openScene({ allow: ['write_note', 'put_note', 'look_up'], trusted: true });
  // What Chromium itself says of a server that is not there.
  scene.portside.expectComplaint(/Failed to load resource: net::ERR_/);
});
beforeEach(() => scene.portside.panel.getByRole('button', { name: 'New chat' }).click());
afterAll(() => scene.close());

const note = call({ id: 'n1', name: offered('write_note'), arguments: '{"text":"x"}' });
const look = call({ id: 'l1', name: offered('look_up'), arguments: '{"word":"port"}' });

/** Every state that the options page is told of a server, from now on. */
async function watchStates(id: number): Promise<() => Promise<string[]>> {
  const page = scene.portside.options;
  await page.evaluate(`new Promise((resolve) => {
    globalThis.states = [];
    globalThis.watching = chrome.runtime.connect({ name: 'events' });
    watching.onMessage.addListener((events) => {
      for (const event of events) {
        if (event.type === 'setup') resolve();
        if (event.type === 'server_status' && event.serverId === ${id}) states.push(event.status.state);
      }
    });
    watching.postMessage({ type: 'subscribe', subscription: 1, conversationId: '' });
  })`);
  return () => page.evaluate('states');
}

/** Every word that the badge of a server shows on the options page, from now on. */
async function watchBadge(name: string): Promise<() => Promise<string[]>> {
  const page = scene.portside.options;
  await page.evaluate("location.hash = '#servers'");
  await serverLine(page, name).getByRole('status').filter({ hasText: 'connected' }).waitFor();
  await page.evaluate(`{
    const lines = () => [...document.querySelectorAll('[aria-label="Servers"] > li')];
    const line = () => lines().find((each) => each.getAttribute('aria-label') === '${name}');
    const badge = () => line()?.querySelector('[role="status"]')?.innerText ?? 'gone';
    globalThis.badges = [badge()];
    new MutationObserver(() => badges.push(badge())).observe(document.body, {
      subtree: true, childList: true, characterData: true, attributes: true,
    });
  }`);
  return async () => [...new Set(await page.evaluate<string[]>('badges'))];
}

/** How long a server takes that is started anew. */
const threeSeconds = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 3000));

describe('a server that is killed and started again in mid-conversation', () => {
  it.each([
    ['streamableHttp', 'streamable-http', 'mcp'],
    ['sse', 'sse', 'sse'],
  ] as const)('answers the next call over %s, and does not flap', async (kind, transport, path) => {
    const { portside, model, ask, articles, toolCall } = scene;
    const everything: RealServer = await startEverything(kind);
    const url = `http://127.0.0.1:${everything.port}/${path}`;
    const id = await addServer(portside, server(url, { name: 'Everything', transport, trusted: true }));
    const states = await watchStates(id);
    const badges = await watchBadge('Everything');
    const echo = (message: string) =>
      call({ id: message, name: `mcp__${id}__echo`, arguments: JSON.stringify({ message }) });
    const pause = gate();
    model.script(stream(echo('before')), stream(pause, echo('after')), stream(text('Both came back.')));
    await ask('Say it twice');
    await pause.reached;
    await everything.kill();
    await threeSeconds();
    await everything.restart();
    pause.open();
    await articles('Assistant').getByText('Both came back.').waitFor();
    await scene.unfold();
    expect(await toolCall('echo').getByText('success').count()).toBe(2);
    expect(model.requests.at(-1)?.body.messages.at(-1)?.content).toContain('Echo: after');
    await until('it is connected', async () => {
      const listings = await portside.command('listServers');
      return listings.find((listing) => listing.server.id === id)?.status.state === 'connected';
    });
    expect((await states()).filter((state) => state !== 'connected')).toEqual([]);
    expect(await badges()).toEqual(['connected']);
    await everything.kill();
    await portside.command('removeServer', { id });
  });
});

describe('a call whose server dies while it runs', () => {
  it('is not made again by itself where a second time could do harm: the model is told, the user may', async () => {
    const { model, mcp, ask, articles, toolCall, idle } = scene;
    const before = mcp.executions.length;
    mcp.hold('write_note');
    model.script(stream(note), stream(text('It is unknown.')), stream(text('Noted after all.')));
    await ask('Note it');
    await mcp.until(() => mcp.executions.length === before + 1);
    await mcp.stop();
    await articles('Assistant').getByText('It is unknown.').waitFor();
    await scene.unfold();
    await toolCall('write_note').getByText('unknown').waitFor();
    await mcp.restart();
    await idle();
    expect(model.requests.at(-1)?.body.messages.at(-1)?.content).toContain(
      'may or may not have been carried out',
    );
    expect(mcp.executions).toHaveLength(before + 1);
    mcp.release('write_note');
    await toolCall('write_note').getByRole('button', { name: 'Run again' }).click();
    await articles('Assistant').getByText('Noted after all.').waitFor();
    expect(mcp.executions).toHaveLength(before + 2);
    expect(model.requests.at(-1)?.body.messages.at(-1)?.content).toContain('Wrote: x');
  });

  it('is made again by itself where it only reads', async () => {
    const { model, mcp, ask, articles } = scene;
    const before = mcp.executions.length;
    mcp.hold('look_up');
    model.script(stream(look), stream(text('Found.')));
    await ask('Look it up');
    await mcp.until(() => mcp.executions.length === before + 1);
    await mcp.restart();
    await mcp.until(() => mcp.executions.length === before + 2);
    mcp.release('look_up');
    await articles('Assistant').getByText('Found.').waitFor();
    expect(model.requests.at(-1)?.body.messages.at(-1)?.content).toContain('port: a word');
    expect(mcp.executions).toHaveLength(before + 2);
  });
});

describe('a call whose server the user changes in the settings while it runs', () => {
  it('goes on when it is renamed, and is cancelled, with the reason, when it is switched off', async () => {
    const { portside, model, mcp, ask, articles, toolCall, idle } = scene;
    const page = portside.options;
    const before = mcp.executions.length;
    const cancelled = mcp.cancelled.length;
    mcp.hold('write_note');
    model.script(stream(note), stream(text('Noted.')), stream(note), stream(text('Not noted.')));
    await ask('Note it');
    await mcp.until(() => mcp.executions.length === before + 1);
    await page.evaluate("location.hash = '#servers/1'");
    await page.getByLabel('Name', { exact: true }).fill('Renamed');
    await page.getByRole('button', { name: 'Save and reconnect' }).click();
    await page.getByText('Connected: Renamed', { exact: true }).waitFor();
    mcp.release('write_note');
    await articles('Assistant').getByText('Noted.', { exact: true }).waitFor();
    expect(mcp.cancelled).toHaveLength(cancelled);
    expect(model.requests.at(-1)?.body.messages.at(-1)?.content).toContain('Wrote: x');
    await idle();

    mcp.hold('write_note');
    await ask('Again');
    await mcp.until(() => mcp.executions.length === before + 2);
    await page.evaluate("location.hash = '#servers'");
    const enabled = serverLine(page, 'Renamed').getByRole('switch', { name: 'Enabled' });
    await enabled.click();
    await mcp.until(() => mcp.cancelled.length === cancelled + 1);
    await articles('Assistant').getByText('Not noted.').waitFor();
    await scene.unfold();
    const card = toolCall('write_note').last();
    await card.getByText('cancelled', { exact: true }).waitFor();
    const result = await resultOf(card);
    await result.getByText('write_note was cancelled: Renamed was switched off.').waitFor();
    mcp.release('write_note');
    await enabled.click();
    await serverLine(page, 'Renamed').getByText('connected', { exact: true }).waitFor();
  });
});

describe('a non-idempotent call', () => {
  async function withMortal() {
    const { portside, model } = scene;
    const mortal = await startMortal();
    const id = await addServer(portside, server(mortal.url, { name: 'Bank' }));
    await portside.command('setTool', { serverId: id, name: 'pay', permission: 'allow' });
    onTestFinished(async () => {
      await portside.command('removeServer', { id });
      await mortal.close();
    });
    model.script(stream(call({ id: 'p1', name: `mcp__${id}__pay`, arguments: '{}' })), stream(text('Well.')));
    return mortal;
  }
  const calls = (requests: string[]) => requests.filter((method) => method === 'tools/call').length;

  it('is not made again when its server executed it, died before it answered, and is back without its sessions', async () => {
    const mortal = await withMortal();
    mortal.dieOfNextPayment();
    await shortSilence();
    await scene.ask('Pay');
    await scene.articles('Assistant').getByText('Well.').waitFor();
    await scene.unfold();
    await scene.toolCall('pay').getByText('unknown').waitFor();
    expect(mortal.paid()).toBe(1);
    // The second is Chromium's own.
    expect(calls(mortal.requests)).toBe(2);
    expect(scene.model.requests.at(-1)?.body.messages.at(-1)?.content).toContain(
      'may or may not have been carried out',
    );
  });

  it('is made, once, when its server restarted while idle', async () => {
    const mortal = await withMortal();
    mortal.restart();
    await shortSilence();
    await scene.ask('Pay');
    await scene.articles('Assistant').getByText('Well.').waitFor();
    await scene.unfold();
    await scene.toolCall('pay').getByText('success').waitFor();
    expect(mortal.paid()).toBe(1);
    expect(calls(mortal.requests)).toBe(1);
  });
});

describe('eight servers on one http port', () => {
  it('all connect, and a call of the eighth works while others wait', async () => {
    const { portside, model, mcp, ask, articles } = scene;
    const ids: number[] = [];
    for (let each = 2; each <= 8; each++) {
      ids.push(await addServer(portside, server(mcp.url, { name: `Server ${each}`, trusted: true })));
    }
    const last = ids.at(-1) ?? 0;
    const sum = call({ id: 's1', name: `mcp__${last}__add`, arguments: '{"a":2,"b":3}' });
    model.script(stream(sum), stream(text('It is five.')));
    await portside.command('setTool', { serverId: last, name: 'add', permission: 'allow' });
    await ask('Add it up');
    await articles('Assistant').getByText('It is five.').waitFor();
    expect(model.requests.at(-1)?.body.messages.at(-1)?.content).toContain('5');
    const states = (await portside.command('listServers')).map(({ status }) => status.state);
    expect(states.filter((state) => state === 'connected')).toHaveLength(8);
    for (const id of ids) await portside.command('removeServer', { id });
  });
});

describe('a worker that was ended while idle', () => {
  it('offers the tools of every server to the next question', async () => {
    const { portside, model, mcp, ask, articles } = scene;
    const sse = await addServer(portside, server(mcp.sseUrl, { name: 'Streams', transport: 'sse' }));
    const before = mcp.executions.length;
    await portside.endWorker();
    model.script(stream(look), stream(text('Found.')));
    await ask('Look it up');
    await articles('Assistant').getByText('Found.').waitFor();
    const names = model.requests.at(-1)?.body.tools?.map((tool) => tool.function.name);
    expect(names).toEqual(expect.arrayContaining([offered('look_up'), `mcp__${sse}__look_up`]));
    expect(mcp.executions).toHaveLength(before + 1);
  });
});
