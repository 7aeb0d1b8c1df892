import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stream, text } from '../../fakes/model-server.ts';
import { garbage, type HostileServer, startHostile, startInstead, tool } from '../servers/hostile-servers.ts';
import { serverLine } from '../support/options-page.ts';
import { offered, openScene, type Scene, server } from '../support/scene.ts';

let scene: Scene;

beforeAll(async () => {
  scene = await openScene();
});
beforeEach(() => scene.portside.panel.getByRole('button', { name: 'New chat' }).click());
afterAll(() => scene.close());

/** Asks, and waits for the end. @returns the names of the tools that the model was offered */
async function offeredTo(question: string): Promise<string[]> {
  const { model, ask, articles, idle } = scene;
  const before = model.requests.length;
  model.script(stream(text(`To ${question}.`)));
  await ask(question);
  await articles('Assistant').getByText(`To ${question}.`).waitFor();
  await idle();
  return (model.requests[before]?.body.tools ?? []).map((each) => each.function.name);
}
const tools = () => scene.portside.panel.getByRole('dialog', { name: 'Tools for this chat' });
const openTools = () => scene.portside.panel.getByRole('button', { name: /^Servers: / }).click();
const closeTools = () => tools().getByRole('button', { name: 'Close tools' }).click();

describe('the tools of a chat', () => {
  it('are out of the way once their sheet led to the settings', async () => {
    await openTools();
    const opened = scene.portside.context.waitForEvent('page');
    await tools().getByRole('button', { name: 'Manage servers' }).click();
    await tools().waitFor({ state: 'detached' });
    const settings = await opened;
    expect(new URL(settings.url()).hash).toBe('#servers');
    await settings.close();
  });

  it('are chosen for it alone, one by one or a whole server’s, from its next message on', async () => {
    expect(await offeredTo('one')).toEqual(
      expect.arrayContaining([offered('write_note'), offered('look_up')]),
    );
    await openTools();
    await tools().getByRole('button', { name: 'Tools from Test server' }).click();
    await tools().getByRole('checkbox', { name: 'write_note' }).uncheck();
    await closeTools();
    const withoutOne = await offeredTo('two');
    expect(withoutOne).not.toContain(offered('write_note'));
    expect(withoutOne).toContain(offered('look_up'));

    await openTools();
    await tools().getByRole('switch', { name: 'Use Test server in this chat' }).press('Space');
    await tools()
      .getByRole('listitem', { name: 'Test server' })
      .getByText(/^0 of \d+ tools$/)
      .waitFor();
    await closeTools();
    expect((await offeredTo('three')).filter((name) => name.startsWith('mcp__1__'))).toEqual([]);

    await scene.portside.panel.getByRole('button', { name: 'New chat' }).click();
    expect(await offeredTo('four')).toContain(offered('write_note'));
  });

  it('are without those of a server that was switched off, until it is on again', async () => {
    expect(await offeredTo('one')).toContain(offered('look_up'));
    const page = scene.portside.options;
    await page.evaluate("location.hash = '#servers'");
    const enabled = serverLine(page, 'Test server').getByRole('switch', { name: 'Enabled' });
    await enabled.click();
    await serverLine(page, 'Test server').getByText('disconnected').waitFor();
    expect((await offeredTo('two')).filter((name) => name.startsWith('mcp__1__'))).toEqual([]);
    await enabled.click();
    await serverLine(page, 'Test server').getByText('connected', { exact: true }).waitFor();
    expect(await offeredTo('three')).toContain(offered('look_up'));
  });
});

it('a model with a small context is sent the page tools and the search, and the panel says so', async () => {
  const { portside } = scene;
  const tell = (chosen: object) => portside.command('setModel', { providerId: 1, id: 'test-model', chosen });
  await tell({ contextWindow: 8192 });
  await portside.panel.getByText('8k context: tools are found by search.').waitFor();
  await openTools();
  await tools().getByText('8k context: tools are found by search.').waitFor();
  await closeTools();
  expect((await offeredTo('small')).toSorted()).toEqual([
    'current_time',
    'read_more',
    'read_page',
    'read_selection',
    'search_tools',
  ]);
  await tell({ tools: false });
  await portside.panel.getByRole('button', { name: 'New chat' }).click();
  await portside.panel.getByText('This model doesn’t support tools').waitFor();
  expect(await offeredTo('none')).toEqual([]);
  await tell({});
});

it('a program that was not seen yet is reviewed in the settings, not reconnected', async () => {
  const { portside } = scene;
  const choices = { enabled: true, toolTimeout: 30_000, trusted: false, oneAtATime: false };
  const program = { name: 'Local', transport: 'stdio' as const, command: 'npx', args: [], ...choices };
  const { id = -1 } = await portside.command('addServer', program);
  await openTools();
  const local = tools().getByRole('listitem', { name: 'Local', exact: true });
  await local.getByText('waiting for your permission').waitFor();
  expect(await local.getByRole('button', { name: /^Reconnect/ }).count()).toBe(0);
  const opened = portside.context.waitForEvent('page');
  await local.getByRole('button', { name: 'Review what Local starts' }).click();
  const settings = await opened;
  await settings.getByRole('region', { name: 'Local starts this program on your computer' }).waitFor();
  await settings.close();
  await tools().waitFor({ state: 'detached' });
  await portside.command('removeServer', { id });
});

it('fifty servers of which four hang hold up no question, and the page says which they are', async () => {
  const { portside } = scene;
  portside.expectComplaint(/Failed to load resource/);
  const mute: HostileServer[] = await Promise.all([
    startInstead(() => undefined),
    startInstead((_, response) => void response.writeHead(200).flushHeaders()),
    startInstead(
      (_, response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders(),
    ),
    startInstead(
      (_, response) =>
        void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(garbage(5000)),
    ),
  ]);
  const good = await Promise.all(
    Array.from({ length: 45 }, (_, index) => startHostile({ tools: () => [tool(`tool_${index}`)] })),
  );
  const add = ({ url }: HostileServer, number: number): Promise<unknown> =>
    portside.command('addServer', server(url, { name: `Server ${number}` }));
  await Promise.all(good.map((each, index) => add(each, index + 1)));
  mute.forEach((each, index) => void add(each, good.length + index + 1));
  const names = await offeredTo('fifty');
  expect(names.filter((name) => /__tool_\d+$/.test(name))).toHaveLength(good.length);
  const states = async () => (await portside.command('listServers')).map(({ status }) => status.state);
  expect((await states()).filter((state) => state === 'connected')).toHaveLength(46);
  expect((await states()).filter((state) => state === 'connecting').length).toBeGreaterThan(0);
  await portside.panel.getByText(/^Continued without /).waitFor();

  await portside.options.evaluate("location.hash = '#servers'");
  for (const index of mute.keys()) {
    const line = serverLine(portside.options, `Server ${good.length + index + 1}`);
    await line.getByText('did not answer within 15 s').waitFor();
  }
  expect((await states()).filter((state) => state === 'connected')).toHaveLength(46);
  await Promise.all([...good, ...mute].map(({ close }) => close()));
});
