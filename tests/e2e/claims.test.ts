import { Buffer } from 'node:buffer';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tokensOfTool } from '../../lib/agent/tokens.ts';
import type { Traits } from '../../lib/types/model.ts';
import { units } from '../../locales/units.ts';
import { startMcpServer, type TestMcpServer } from '../fakes/mcp-server.ts';
import { type RecordedRequest, stream, text, usage } from '../fakes/model-server.ts';
import { addServer, openScene, type Scene, server, until } from './scene.ts';

let scene: Scene;
let second: TestMcpServer;
let secondId = 0;

beforeAll(async () => {
  [scene, second] = await Promise.all([openScene(), startMcpServer()]);
});
beforeEach(async () => {
  const { command } = scene.portside;
  await command('saveSettings', { maxTools: 128, maxToolShare: 10 });
  await traits({});
  await command('connect', { id: 1 });
  await scene.portside.panel.getByRole('button', { name: 'New chat' }).click();
});
afterAll(async () => {
  await scene.close();
});

const panel = () => scene.portside.panel;
const sheet = () => panel().getByRole('dialog', { name: 'Tools for this chat' });
const traits = (own: Traits) =>
  scene.portside.command('setModel', { providerId: 1, id: 'test-model', chosen: own });

/** What the panel says of tools before anything is asked. */
async function claims(): Promise<{ empty: string; status: string; fill: string }> {
  await panel()
    .getByRole('button', { name: /^Servers: / })
    .click();
  const status = (await sheet().getByRole('status').first().textContent()) ?? '';
  const fill = (await sheet().locator('.pop-foot').textContent()) ?? '';
  await sheet().getByRole('button', { name: 'Close tools' }).click();
  const empty = (await panel().locator('.start p').first().textContent()) ?? '';
  return { empty, status, fill };
}

async function asked(question = 'Hello'): Promise<RecordedRequest['body']> {
  const before = scene.model.requests.length;
  scene.model.script(stream(text('Said.')));
  await scene.ask(question);
  await scene.articles('Assistant').getByText('Said.').waitFor();
  await scene.idle();
  const request = scene.model.requests[before];
  if (!request) throw new Error('The model was not asked.');
  return request.body;
}

const tokensOf = (tools: RecordedRequest['body']['tools'] = []): string =>
  units.amount(
    tools.reduce(
      (sum, { function: { name, description = '', parameters } }) =>
        sum + tokensOfTool({ name, description, inputSchema: parameters as never }),
      0,
    ),
  );
/** Those that can be chosen: what is left of a result can always be read. */
const namesIn = ({ tools = [] }: RecordedRequest['body']): string[] =>
  tools.map((tool) => tool.function.name).filter((name) => name !== 'read_more');

describe('what the panel says of tools is what the model is sent', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['one server', async () => {}],
    [
      'two servers',
      async () => (secondId = await addServer(scene.portside, server(second.url, { name: 'Second' }))),
    ],
    [
      'a server that lost its connection',
      async () => {
        scene.portside.expectComplaint(/ERR_CONNECTION_REFUSED/);
        await second.close();
        await scene.portside.command('reconnectServer', { id: secondId });
      },
    ],
    [
      'a tool that is off everywhere',
      () => scene.portside.command('setTool', { serverId: 1, name: 'look_up', enabled: false }),
    ],
    [
      'a tool that is off in this chat',
      () =>
        scene.portside.command('setChat', { conversationId: 'new', tools: { mcp__1__write_note: false } }),
    ],
    ['no server', () => scene.portside.command('disconnect', { id: 1 })],
  ])('all of them, their number and their tokens: %s', async (_, prepare) => {
    await prepare();
    const { empty, status } = await claims();
    const body = await asked();
    expect(status).toBe(`${namesIn(body).length} on, ${tokensOf(body.tools)} tokens`);
    const ofServers = namesIn(body).filter((name) => name.startsWith('mcp__')).length;
    expect(empty).toMatch(
      ofServers > 0 ? new RegExp(`^${ofServers} tools? from`) : /^Portside can read your pages/,
    );
  });

  it.each<[string, () => Promise<unknown>, string]>([
    ['a small context', () => traits({ contextWindow: 8192 }), '8k context'],
    [
      'more than a request may have',
      () => scene.portside.command('saveSettings', { maxTools: 2 }),
      'the model searches',
    ],
  ])('found by search: %s', async (_, prepare, words) => {
    await prepare();
    const { empty, status, fill } = await claims();
    const names = namesIn(await asked());
    expect(status).toMatch(/ on, found by search$/);
    expect(fill).toContain(words);
    expect(empty).toMatch(/tools are found by search\.$/i);
    expect(names).toEqual(expect.arrayContaining(['search_tools', 'read_page', 'current_time']));
    expect(names.filter((name) => name.startsWith('mcp__1__'))).toEqual([]);
  });

  it('none, to a model that calls none', async () => {
    await traits({ tools: false });
    const { empty, status, fill } = await claims();
    expect(await asked()).not.toHaveProperty('tools');
    expect(empty).toContain('This model doesn’t support tools');
    expect(status).toMatch(/0 tokens$/);
    expect(fill).toContain('none are sent');
  });
});

describe('what the panel says of attachments is what the model is sent', () => {
  const attach = (name: string, mimeType: string, buffer: Buffer) =>
    panel().locator('input[type=file]').setInputFiles({ name, mimeType, buffer });
  const chip = (name: string) =>
    panel().getByRole('list', { name: 'Context' }).getByRole('listitem').filter({ hasText: name });

  it('a text goes as it is previewed, and takes about what its chip says', async () => {
    await attach('tides.txt', 'text/plain', Buffer.from('Tides follow the moon. '.repeat(200)));
    const said = await chip('tides.txt').getByRole('button', { name: 'tokens' }).textContent();
    const claimed = Number(/([\d.]+)(k?) tokens/.exec(said ?? '')?.[1]) * (said?.includes('k') ? 1000 : 1);
    const content = String((await asked('Why?')).messages.at(-1)?.content);
    expect(content.match(/Tides follow the moon\./g)).toHaveLength(200);
    expect(Math.abs(claimed - content.length / 3.5)).toBeLessThan(150);
  });

  it('of a picture only a note goes to a model that sees none, and the chip says so', async () => {
    await traits({ vision: false });
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await attach('moon.png', 'image/png', Buffer.from(png, 'base64'));
    await chip('moon.png').getByText('Only a note that one was attached is sent.').waitFor();
    const content = JSON.stringify((await asked('What is it?')).messages.at(-1)?.content);
    expect(content).toContain('moon.png');
    expect(content).not.toContain('image_url');
  });

  it('an answer’s price is what its tokens cost', async () => {
    await traits({ price: { input: 2, output: 10 } });
    scene.model.script(stream(text('Priced.'), usage(500_000, 20_000)));
    await scene.ask('How much?');
    await scene.articles('Assistant').getByText('Priced.').waitFor();
    await until(
      'the price is shown',
      async () => (await panel().textContent('body'))?.includes('$1.20') === true,
    );
  });
});
