import { inBlock } from '../../fakes/rows.ts';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type McpServerOptions, startMcpServer } from '../../fakes/mcp-server.ts';
import { answer, call, gate, hang, hangUp, raw, type Reply, stream, text } from '../../fakes/model-server.ts';
import { offered, openScene, provider, type Scene, server, until } from '../support/scene.ts';

let scene: Scene;

beforeAll(async () => {
  scene = await openScene({ allow: ['fail'] });
  // What Chromium itself writes to the console for a request that fails.
  scene.portside.expectComplaint(/Failed to load resource/);
});
afterAll(() => scene.close());

const alert = () => scene.portside.panel.getByRole('alert');

/** Asks in a new chat and gives what the panel says about the failure. */
async function failureOf(reply?: Reply): Promise<string> {
  const { model, portside, ask, articles } = scene;
  await portside.panel.getByRole('button', { name: 'New chat' }).click();
  if (reply) model.otherwise(reply); // to its repetitions too, of which any may be on screen
  await ask('My question');
  await alert().waitFor();
  const said = await alert().innerText();
  expect(await articles('You').innerText()).toContain('My question');
  await scene.stop(); // the repetitions of a request that may yet be answered
  return said;
}

/** The next question in the same chat works, and carries the first one. */
async function expectNextToWork(): Promise<void> {
  const { model, ask, articles } = scene;
  model.script(stream(text('Here I am.')));
  await ask('Another question');
  await articles('Assistant').getByText('Here I am.').waitFor();
  const asked = model.requests.at(-1)?.body.messages.map(({ role, content }) => `${role}: ${content}`);
  expect(asked?.at(1)).toContain('user: My question');
  expect(asked?.at(-1)).toContain('Another question');
}

describe('a model server that', () => {
  const sse = (data: string) => stream(raw(`data: ${data}\n\n`));
  const page = answer(200, '<!doctype html><h1>Hi</h1>', { 'content-type': 'text/html' });

  it.each([
    ['refuses the key', answer(401, { error: { message: 'bad key' } }), 'wants an API key', 'valid API key'],
    ['knows no such address', answer(404, 'none'), 'has nothing at this address', 'base URL'],
    ['answers with a web page', page, 'not like a chat model', 'base URL'],
    ['sends no stream', answer(200, { hello: 'there' }), 'not like a chat model', 'base URL'],
    ['sends garbage', sse('{"choices":['), 'not like a chat model', 'base URL'],
    [
      'is overloaded',
      answer(503, { error: { message: 'busy' } }),
      'failed to answer',
      'Try again in a moment',
    ],
    [
      'says an error in its stream',
      sse('{"error":{"message":"no memory"}}'),
      'reported an error',
      'Try again',
    ],
  ] as const)(
    '%s: one clear sentence, what to do, and the next question works',
    async (_what, reply, sentence, fix) => {
      const said = await failureOf(reply);
      expect(said).toContain(sentence);
      expect(said).toContain(fix);
      await expectNextToWork();
    },
  );

  it('hangs up in mid-answer: what came is kept until the repeated request speaks, and then replaced', async () => {
    const { model, portside, ask, articles, stored } = scene;
    await portside.panel.getByRole('button', { name: 'New chat' }).click();
    const [first, second] = [gate(), gate()];
    model.script(stream(text('The first half'), first, hangUp()), stream(second, text('The whole answer.')));
    await ask('My question');
    await articles('Assistant').getByText('The first half').waitFor();
    first.open();
    await alert().getByText('broke off before it was finished').waitFor();
    await second.reached;
    expect(await articles('Assistant').innerText()).toContain('The first half');
    expect((await stored()).messages.at(-1)?.content).toBe('The first half');
    second.open();
    await articles('Assistant').getByText('The whole answer.').waitFor();
    expect(await articles('Assistant').innerText()).not.toContain('The first half');
  });

  it('takes the question and stays silent: Stop ends it, and the next question works', async () => {
    const { model, portside, ask, idle } = scene;
    await portside.panel.getByRole('button', { name: 'New chat' }).click();
    const before = model.requests.length;
    model.script(hang());
    await ask('My question');
    const request = await model.waitForRequest(before);
    await portside.panel.getByRole('button', { name: 'Stop', exact: true }).click();
    await request.closed;
    await idle();
    await expectNextToWork();
  });

  it('is not there: the sentence names the address, a link leads to more, and the next question works once it is back', async () => {
    const { portside, model } = scene;
    const change = (baseUrl: string) => portside.command('saveProvider', { id: 1, ...provider(baseUrl) });
    await change('http://127.0.0.1:9/v1');
    const said = await failureOf();
    expect(said).toContain('The model server isn’t running at 127.0.0.1:9.');
    const opening = portside.context.waitForEvent('page');
    await alert().getByRole('link', { name: 'More help' }).click();
    const help = await opening;
    await help.getByRole('heading', { name: '… isn’t running at ….' }).waitFor();
    await expect.poll(() => help.locator('.told').innerText()).toContain('ollama serve');
    await help.close();
    await change(model.url);
    await expectNextToWork();
  });
});

it('a model server that does not run: said after one try, noticed when it is back, and Retry is answered', async () => {
  const { portside, model, ask, articles } = scene;
  const { panel } = portside;
  const connections: Socket[] = [];
  const gateway = createServer((socket) => {
    connections.push(socket);
    pipeline(socket, connect(Number(new URL(model.url).port), '127.0.0.1'), socket, () => undefined);
  });
  const listening = async (port: number) => {
    await once(gateway.listen(port, '127.0.0.1'), 'listening');
    return (gateway.address() as AddressInfo).port;
  };
  const port = await listening(0);
  await new Promise((resolve) => gateway.close(resolve));
  await portside.command('saveProvider', { id: 1, ...provider(`http://127.0.0.1:${port}/v1`) });
  try {
    await panel.getByRole('button', { name: 'New chat' }).click();
    await ask('Are you there?');
    await alert().getByText(`isn’t running at 127.0.0.1:${port}`).waitFor();
    await scene.idle();
    expect(await alert().innerText()).not.toContain('Tried');
    await listening(port);
    await panel.getByText('The model server is running again.').waitFor();
    model.script(stream(text('I am back.')));
    await panel.getByRole('button', { name: 'Retry', exact: true }).click();
    await articles('Assistant').getByText('I am back.').waitFor();
  } finally {
    gateway.close();
    for (const socket of connections) socket.destroy();
    await portside.command('saveProvider', { id: 1, ...provider(model.url) });
  }
});

describe('a tool that throws', () => {
  it('fails on its card and in words to the model, and the answer goes on', async () => {
    const { model, portside, ask, toolCall, articles } = scene;
    await portside.panel.getByRole('button', { name: 'New chat' }).click();
    model.script(
      stream(call({ id: 'c1', name: offered('fail'), arguments: '{}' })),
      stream(text('It broke.')),
    );
    await ask('My question');
    await articles('Assistant').getByText('It broke.').waitFor();
    await toolCall('fail').getByText('fail failed').waitFor();
    expect(inBlock(model.requests.at(-1)?.body.messages.at(-1)?.content)).toBe(
      '{"isError":true,"error":"The tool broke."}',
    );
    await expectNextToWork();
  });
});

describe('an MCP server that', () => {
  const nowhere = 'http://127.0.0.1:9/mcp';

  it.each<[what: string, server: McpServerOptions | null, said: (url: string) => string]>([
    [
      'is not there',
      null,
      (url) =>
        `Notes could not be reached. Check that the server is running at ${url} and that Portside has access to that address, then reconnect.`,
    ],
    [
      'answers with a web page',
      { instead: 'html' },
      (url) =>
        `Notes does not speak MCP at ${url}. Check the address and the transport in the server’s settings: it must be the MCP endpoint, not a web page.`,
    ],
    [
      'wants a key',
      { requireHeader: { name: 'authorization', value: 'Bearer x' } },
      () =>
        'Notes needs credentials that Portside did not send, or did not accept them. Check the headers in the server’s settings, such as Authorization, then reconnect.',
    ],
    [
      'has nothing at this address',
      { instead: { status: 404 } },
      (url) =>
        `Notes has no MCP endpoint at ${url}. Check the path of the address (often /mcp, or /sse for SSE), or try the transport SSE.`,
    ],
    [
      'never answers',
      { instead: 'silence' },
      (url) =>
        `Notes did not answer within 15 s. Check that the server at ${url} is not stuck, then reconnect.`,
    ],
  ])(
    '%s is shown with the reason and what to do, and holds up no question for long',
    async (_what, options, said) => {
      const { portside, model, ask, articles } = scene;
      const mcp = options && (await startMcpServer(options));
      const url = mcp?.url ?? nowhere;
      const fields = server(url, { name: 'Notes', toolTimeout: 1000 });
      const { id = 0 } = await portside.command('addServer', fields);
      try {
        const row = portside.options
          .getByRole('list', { name: 'Servers' })
          .getByRole('listitem', { name: 'Notes' });
        const word = () => row.getByRole('status').innerText();
        await until('the server is in error', async () => (await word()).includes('error'), 30_000);
        expect(await row.innerText()).toContain(said(url));

        await portside.panel.getByRole('button', { name: 'New chat' }).click();
        model.script(stream(text('I work without it.')));
        await ask('My question');
        await articles('Assistant').getByText('I work without it.').waitFor();
      } finally {
        await portside.command('removeServer', { id });
        await mcp?.close();
      }
    },
  );
});
