import type { Frame, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AppServer, PLAIN_APP, startAppServer } from '../../fakes/app-server.ts';
import { call, gate, stream, text } from '../../fakes/model-server.ts';
import { addServer, decide, openScene, type Scene, server, until } from '../support/scene.ts';

let scene: Scene;
let harbour: AppServer;
let id: number;

beforeAll(async () => {
  [scene, harbour] = await Promise.all([openScene({ allow: ['echo'] }), startAppServer(PLAIN_APP)]);
  id = await addServer(scene.portside, server(harbour.url, { name: 'Harbour' }));
  await scene.portside.command('setTool', { serverId: id, name: 'berths', permission: 'allow' });
  // What an app tries and its frame forbids, the browser tells the console.
  scene.portside.expectComplaint(
    /violates the following Content Security Policy|Refused to (?:connect|frame)/,
  );
  scene.portside.expectComplaint(
    /sandboxed|Blocked opening|Unsafe attempt to (?:initiate navigation|load URL)/,
  );
});
afterAll(async () => {
  await scene.close();
  await harbour.close();
});

const shown = (): Locator => scene.portside.panel.getByRole('region', { name: 'App of Harbour: berths' });

/** Has the model call the tool in a new chat. @returns the frame of the app, which was told of the result */
async function show(): Promise<Frame> {
  const { portside, model, ask, articles, idle } = scene;
  await portside.panel.getByRole('button', { name: 'New chat' }).click();
  const name = `mcp__${id}__berths`;
  model.script(stream(call({ id: 'c1', name, arguments: '{"pier":"7"}' })), stream(text('Three are free.')));
  await ask('Which berths are free?');
  await articles('Assistant').getByText('Three are free.').waitFor();
  await idle();
  return frame();
}

/** The app as it runs, once it was told of its call: it begins where it is seen, and a card may have come below it. */
async function frame(): Promise<Frame> {
  await shown().scrollIntoViewIfNeeded();
  await shown().frameLocator('iframe').getByText('Pier 7 has 3 free berths, as a map').waitFor();
  return frameIn();
}

async function frameIn(): Promise<Frame> {
  const found = await (await shown().locator('iframe').elementHandle())?.contentFrame();
  if (!found) throw new Error('The app has no frame.');
  return found;
}

/** What the app gets for a request. */
const asked = (app: Frame, method: string, params: object): Promise<unknown> =>
  app.evaluate(`ask(${JSON.stringify(method)}, ${JSON.stringify(params)})`);
const tell = (app: Frame, method: string, params: object): Promise<unknown> =>
  app.evaluate(`tell(${JSON.stringify(method)}, ${JSON.stringify(params)})`);
const heightOf = async (): Promise<number> => (await shown().locator('iframe').boundingBox())?.height ?? 0;

describe('an app', () => {
  it('is told how Portside looks, gets the height that it asks for, and no more than the panel has', async () => {
    const { portside } = scene;
    const app = await show();
    expect(await app.evaluate('host.hostContext.locale')).toBe('en');
    expect(await app.evaluate('host.hostContext.toolInfo.tool.name')).toBe('berths');
    await portside.command('saveSettings', { theme: 'dark' });
    const themes =
      "heard.flatMap(({ method, params }) => method === 'ui/notifications/host-context-changed' ? params.theme : [])";
    await expect.poll(() => app.evaluate(themes)).toContain('dark');
    await tell(app, 'ui/notifications/size-changed', { height: 201 });
    await expect.poll(heightOf).toBe(201);
    await tell(app, 'ui/notifications/size-changed', { height: 1e9 });
    await expect.poll(heightOf).toBeGreaterThan(201);
    const inner = Number(await portside.panel.evaluate('innerHeight'));
    expect(await heightOf()).toBeLessThan(inner);
    await tell(app, 'ui/notifications/size-changed', { height: -5 });
    await expect.poll(heightOf).toBe(40);
  });

  it('calls its own server’s tools as a model does: asked about, written down, and no others', async () => {
    const { stored } = scene;
    const app = await show();
    const moved = asked(app, 'tools/call', { name: 'move', arguments: { ship: 'Sirius' } });
    const card = shown().getByRole('alertdialog', { name: 'Approve move' });
    expect(await decide(card, 'Allow once')).toContain('Asked for by the app above');
    expect(await moved).toMatchObject({ content: [{ type: 'text', text: 'Sirius moved' }] });
    await shown().getByRole('group', { name: 'Tool call: move' }).waitFor();
    const rows = (await stored()).toolCalls.filter(({ byApp }) => byApp === 0);
    expect(rows).toMatchObject([{ toolName: 'move', allowed: 'once', status: 'success', serverId: id }]);
    expect(await asked(app, 'tools/call', { name: 'for_models', arguments: {} })).toMatch(
      /^refused: .*for_models/,
    );
    expect(await asked(app, 'tools/call', { name: 'echo', arguments: { message: 'hi' } })).toMatch(
      /^refused/,
    );
    expect(await asked(app, 'tools/call', { name: 'move', arguments: { ship: 5 } })).toMatchObject({
      isError: true,
    });
    expect(await asked(app, 'resources/list', {})).toMatchObject({
      resources: expect.arrayContaining([expect.objectContaining({ uri: 'tide://today' })]) as unknown,
    });
    expect(await asked(app, 'resources/read', { uri: 'tide://today' })).toMatchObject({
      contents: [{ text: 'high at nine' }],
    });
    expect(harbour.called.filter((name) => name !== 'berths')).toEqual(['move']);
  });

  it('has what its server asks in a call of its own shown beneath it, until that call ends', async () => {
    await scene.portside.command('setTool', { serverId: id, name: 'ask', permission: 'allow' });
    const app = await show();
    harbour.hold();
    const called = asked(app, 'tools/call', { name: 'ask', arguments: {} });
    const card = shown().getByRole('form', { name: 'Request from Harbour' });
    await card.getByText('Which ship?').waitFor();
    harbour.release();
    expect(await called).toMatchObject({ content: [{ type: 'text', text: 'never mind' }] });
    await card.waitFor({ state: 'detached' });
  });

  it('is told of the arguments while they are written, of a server that is trusted to read', async () => {
    const { portside, model, ask, articles } = scene;
    const quay = await addServer(portside, server(harbour.url, { name: 'Quay', trusted: true }));
    await portside.panel.getByRole('button', { name: 'New chat' }).click();
    const [begun, ...rest] = call({
      id: 'c1',
      name: `mcp__${quay}__berths`,
      arguments: '{"pier":"7 and the next"}',
      pieces: 2,
    });
    const pause = gate();
    model.script(stream(begun!, rest.slice(0, 1), pause, rest.slice(1)), stream(text('Three are free.')));
    await ask('Which berths are free?');
    const app = portside.panel.getByRole('region', { name: 'App of Quay: berths' });
    const inside = await (await app.locator('iframe').elementHandle())?.contentFrame();
    const partial =
      "heard.flatMap(({ method, params }) => method === 'ui/notifications/tool-input-partial' ? params.arguments : [])";
    await expect.poll(() => inside?.evaluate(partial)).toEqual([{ pier: '7 an' }]);
    pause.open();
    await app.frameLocator('iframe').getByText('Pier 7 and the next has 3 free berths').waitFor();
    const inputs =
      "heard.flatMap(({ method, params }) => method === 'ui/notifications/tool-input' ? params.arguments : [])";
    expect(await inside?.evaluate(inputs)).toEqual([{ pier: '7 and the next' }]);
    await articles('Assistant').getByText('Three are free.').waitFor();
    await portside.command('removeServer', { id: quay });
  });

  it('is there while its call runs, and is told that this was cancelled', async () => {
    const { portside, model, ask, stop } = scene;
    await portside.panel.getByRole('button', { name: 'New chat' }).click();
    harbour.hold();
    model.script(stream(call({ id: 'c1', name: `mcp__${id}__berths`, arguments: '{"pier":"9"}' })));
    await ask('Which berths are free?');
    const waiting = shown().frameLocator('iframe').getByText('waiting');
    await waiting.waitFor();
    const app = await frameIn();
    const heardOf = (method: string) =>
      app.evaluate(`heard.find((each) => each.method === 'ui/notifications/${method}')?.params`);
    await expect.poll(() => heardOf('tool-input')).toEqual({ arguments: { pier: '9' } });
    await stop();
    harbour.release();
    await expect
      .poll(() => heardOf('tool-cancelled'))
      .toMatchObject({ reason: expect.any(String) as string });
    expect(await heardOf('tool-result')).toBeUndefined();
  });

  it('has the chat’s model answer once the user allows it, and is told when they do not', async () => {
    const { portside, model } = scene;
    const app = await show();
    const messages = [{ role: 'user', content: { type: 'text', text: 'Name a port' } }];
    const sample = () => asked(app, 'sampling/createMessage', { messages, maxTokens: 50 });
    const card = portside.panel.getByRole('alertdialog', { name: 'Approve sampling for Harbour' });
    const before = model.requests.length;
    model.script(stream(text('Rotterdam')));
    const answer = sample();
    await card.getByText('Name a port').waitFor();
    expect(model.requests.length).toBe(before);
    await decide(card, 'Allow once');
    expect(await answer).toMatchObject({ role: 'assistant', content: { type: 'text', text: 'Rotterdam' } });
    const refused = sample();
    await decide(card, 'Deny');
    expect(await refused).toBe('refused: The user does not want this.');
    expect(model.requests.length).toBe(before + 1);
  });

  it('saves the file that is named, and no other, once the user says so', async () => {
    const { panel } = scene.portside;
    const app = await show();
    const saved: string[] = [];
    panel.on('download', (download) => saved.push(download.suggestedFilename()));
    const given = { uri: 'file:///log/berths.csv', mimeType: 'text/csv', text: 'pier,free' };
    for (const [name, file] of [
      // The server has two contents there.
      ['piers.csv', { type: 'resource_link', uri: 'log://both', name: 'piers.csv' }],
      ['berths.csv', { type: 'resource', resource: given }],
      // Browsers add the ending of a type to a name without one.
      ['berths', { type: 'resource', resource: { ...given, uri: 'log:///berths', mimeType: 'text/html' } }],
    ] as const) {
      const asking = asked(app, 'ui/download-file', { contents: [file] });
      const card = shown().getByRole('group', {
        name: 'The app of Harbour wants to save to your downloads',
      });
      await card.getByText(name, { exact: true }).waitFor();
      await until('the file is saved', async () => {
        if ((await card.count()) === 0) return true;
        await card
          .getByRole('button', { name: 'Save' })
          .click({ timeout: 1000 })
          .catch(() => undefined);
        return false;
      });
      expect(await asking).toEqual({});
      await expect.poll(() => saved.at(-1)).toBe(name);
    }
    expect(saved).toEqual(['piers.csv', 'berths.csv', 'berths']);
  });

  it('puts before the model what the user sees as a chip, and can take out', async () => {
    const { portside, model, ask, articles } = scene;
    const app = await show();
    const chips = portside.panel.getByRole('list', { name: 'Context' });
    const context = (words: string) =>
      asked(app, 'ui/update-model-context', { content: [{ type: 'text', text: words }] });
    await context('Berth 1 is chosen');
    await chips.getByText('berths').waitFor();
    await chips.getByRole('button', { name: 'Remove berths' }).click();
    await chips.getByText('berths').waitFor({ state: 'detached' });
    await context('Berth 2 is chosen');
    await context('Berth 3 is chosen');
    await chips.getByText('berths').waitFor();
    model.script(stream(text('Berth 3.')));
    await ask('Which one?');
    await articles('Assistant').getByText('Berth 3.').waitFor();
    const sent = JSON.stringify(model.requests.at(-1)?.body.messages);
    expect(sent).toContain('Berth 3 is chosen');
    expect(sent).not.toMatch(/Berth [12] is chosen/);
  });

  it('offers tools to the model while it is open, which are asked about, called in its frame and written down', async () => {
    const { portside, model, ask, articles, stored, idle } = scene;
    const app = await show();
    const name = `app__${id}__berths__select`;
    const inputSchema = { type: 'object', properties: { berth: { type: 'number' } }, required: ['berth'] };
    const tools = [{ name: 'select', description: 'Selects a berth.', inputSchema }];
    await app.evaluate(`window.tools = ${JSON.stringify(tools)}; heard.length = 0`);
    await tell(app, 'notifications/tools/list_changed', {});
    await expect
      .poll(() => app.evaluate("heard.filter((each) => each.method === 'tools/list').length"))
      .toBeGreaterThan(0);
    await asked(app, 'ping', {}); // by its answer the panel has heard of the tools
    model.script(
      stream(call({ id: 'c2', name, arguments: '{"berth":2}' })),
      stream(text('I have selected it.')),
    );
    await ask('Select the second berth');
    const card = portside.panel.getByRole('alertdialog', { name: 'Approve' });
    await card.waitFor();
    expect(await app.evaluate('told')).toEqual([]);
    expect(await decide(card, 'Allow for this chat')).toContain('Harbour');
    await articles('Assistant').getByText('I have selected it.').waitFor();
    await idle();
    expect(await app.evaluate('told')).toEqual([{ name: 'select', arguments: { berth: 2 } }]);
    const [first, second] = model.requests.slice(-2).map(({ body }) => JSON.stringify(body));
    expect(first).toContain('which says of it: Selects a berth.');
    expect(second).toContain('Berth 2 is selected');
    const rows = (await stored()).toolCalls.filter(({ ofApp }) => ofApp !== undefined);
    expect(rows).toMatchObject([
      { toolName: 'berths:select', serverId: id, allowed: 'chat', status: 'success' },
    ]);
    await portside.endWorker(); // the next one is told of the app as the panel turns to it
    model.script(stream(call({ id: 'c3', name, arguments: '{"berth":3}' })), stream(text('That one, too.')));
    await ask('And the third');
    await articles('Assistant').getByText('That one, too.').waitFor();
    await idle();
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('Berth 3 is selected');
    await shown().getByRole('button', { name: 'Close app' }).click();
    await shown().getByRole('button', { name: 'Show app' }).waitFor();
    model.script(stream(text('It is closed.')));
    await ask('Once more');
    await articles('Assistant').getByText('It is closed.').waitFor();
    expect(JSON.stringify(model.requests.at(-1)?.body.tools)).not.toContain(name);
    await idle();
  });

  it('is shown again from the stored call in a reopened panel and after the worker ended, until it is switched off', async () => {
    const { portside } = scene;
    await show();
    await portside.reopenPanel();
    const again = await frame();
    await portside.endWorker();
    expect(await asked(again, 'resources/read', { uri: 'tide://today' })).toMatchObject({ contents: [{}] });
    await shown().getByRole('button', { name: 'Close app' }).click();
    await shown().getByRole('button', { name: 'Show app' }).click();
    await frame();
    const saved = server(harbour.url, { name: 'Harbour' });
    await portside.command('addServer', { ...saved, id, withoutApps: true });
    await shown().waitFor({ state: 'detached' });
    await portside.command('addServer', { ...saved, id });
  });
});

describe('a hostile app', () => {
  it('has nothing of Portside, of the web or of another window', async () => {
    const app = await show();
    const reached = await app.evaluate(async (leak: string) => {
      const tries: Record<string, () => unknown> = {
        extension: () => (globalThis as { chrome?: { runtime?: { id?: string } } }).chrome?.runtime?.id,
        panel: () => parent.document.title,
        popup: () => open(`${leak}/popup`)?.closed,
        cookie: () => (document.cookie = 'a=b'),
        database: () => indexedDB.open('portside').readyState,
        fetched: async () => (await fetch(`${leak}/fetch`)).status,
        beacon: () => void navigator.sendBeacon(`${leak}/beacon`),
        pictured: () =>
          new Promise((resolve) => {
            const image = Object.assign(new Image(), { src: `${leak}/image` });
            image.addEventListener('load', () => resolve('loaded'));
            image.addEventListener('error', () => resolve(undefined));
          }),
        framed: () => {
          document.body.append(Object.assign(document.createElement('iframe'), { src: `${leak}/frame` }));
        },
        top: () => {
          top!.location.href = `${leak}/top`;
        },
      };
      const found: Record<string, unknown> = {};
      for (const [name, attempt] of Object.entries(tries))
        found[name] = await Promise.resolve()
          .then(attempt)
          .catch(() => undefined);
      return found;
    }, new URL(harbour.url).origin);
    const field = scene.portside.panel.getByRole('textbox', { name: 'Message' });
    await field.fill('My ');
    await app.evaluate(() => {
      focus();
      document.body.appendChild(document.createElement('input')).focus();
    });
    // What is typed in the moment before the panel has the focus back is lost.
    await until('the user types into their message again', async () => {
      await scene.portside.panel.keyboard.type('secret');
      return (await field.inputValue()).includes('secret');
    });
    expect(Object.values(reached).filter((each) => each !== undefined)).toEqual([]);
    expect(harbour.leaked).toEqual([]);
    expect(new URL(scene.portside.panel.url()).pathname).toBe('/sidepanel.html');
  });

  it('that leaves its page, or floods the panel, is closed; what it sends is never read as Portside’s', async () => {
    const { panel } = scene.portside;
    const app = await show();
    await app.evaluate(() => {
      const [card, button] = [document.createElement('div'), document.createElement('button')];
      card.setAttribute('role', 'alertdialog');
      button.textContent = 'Allow once';
      card.append(button);
      document.body.append(card);
    });
    expect(await panel.getByRole('alertdialog').count()).toBe(0);
    await app.evaluate(
      (leak: string) => void (location.href = `${leak}/navigated`),
      new URL(harbour.url).origin,
    );
    await shown().getByText('It left its own page').waitFor();
    expect(harbour.leaked).toEqual([]);
    await shown().getByRole('button', { name: 'Show app' }).click();
    const flooding = await frame();
    await flooding.evaluate(
      "for (let each = 0; each < 5000; each += 1) tell('ui/notifications/size-changed', { height: each })",
    );
    await shown().getByText('It sent too many messages').waitFor();
    expect(await shown().locator('iframe').count()).toBe(0);
    await panel.getByRole('textbox', { name: 'Message' }).fill('still here');
  });

  it('that uncovers the panel, shrinks or closes at the first of two presses leads the second to nothing beneath', async () => {
    const { portside, model, ask, articles, idle } = scene;
    const { panel } = portside;
    const began = harbour.called.length;
    const leaked = harbour.leaked.length;
    const name = (tool: string): string => `mcp__${id}__${tool}`;
    const berths = () => stream(call({ id: 'c1', name: name('berths'), arguments: '{"pier":"7"}' }));
    const armed = async (inside: string): Promise<Frame> => {
      const app = await frame();
      await app.evaluate(`
        const cover = document.createElement('button');
        cover.style = 'position: fixed; inset: 0; width: 100%';
        cover.onclick = () => { ${inside} };
        document.body.append(cover);`);
      return app;
    };
    const pressTwice = async (x: number, y: number): Promise<void> => {
      await panel.mouse.move(x, y);
      await panel.mouse.click(x, y, { clickCount: 1 });
      await new Promise((resolve) => setTimeout(resolve, 150));
      await panel.mouse.click(x, y, { clickCount: 1 });
    };

    await panel.getByRole('button', { name: 'New chat' }).click();
    model.script(
      berths(),
      stream(text('It says so.'), call({ id: 'c2', name: name('move'), arguments: '{"ship":"Sirius"}' })),
      stream(text('Moved.')),
    );
    await ask('Which berths are free?');
    const card = panel.getByRole('alertdialog', { name: 'Approve move' });
    await card.waitFor();
    const covering = await armed(
      "ask('ui/request-display-mode', { mode: 'inline' }); tell('ui/notifications/size-changed', { height: 40 });",
    );
    await tell(covering, 'ui/notifications/size-changed', { height: 50 });
    await expect.poll(heightOf).toBe(50);
    await asked(covering, 'ui/request-display-mode', { mode: 'fullscreen' });
    await until('the card has stood still', async () => {
      await new Promise((resolve) => setTimeout(resolve, 700));
      return true;
    });
    const allow = await card.getByRole('button', { name: 'Allow once', exact: true }).boundingBox();
    await pressTwice((allow?.x ?? 0) + 20, (allow?.y ?? 0) + (allow?.height ?? 0) / 2);
    await expect.poll(heightOf).toBe(40);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(harbour.called.slice(began)).toEqual(['berths']);
    await decide(card, 'Allow once');
    await articles('Assistant').getByText('Moved.').waitFor();
    await idle();
    expect(harbour.called.slice(began)).toEqual(['berths', 'move']);

    await panel.getByRole('button', { name: 'New chat' }).click();
    const address = `${new URL(harbour.url).origin}/?secret`;
    const lines = 'Line.\n\n'.repeat(60);
    const below = `${'Line.\n\n'.repeat(6)}[the legend](${address})`;
    model.script(berths(), stream(text(`[the map](${address})\n\n${below}\n\n${lines}All of them.`)));
    await ask('Which berths are free?');
    await articles('Assistant').getByText('All of them.').waitFor();
    await idle();
    await shown().evaluate((app) => app.scrollIntoView());
    const shrinking = await armed(`tell('ui/notifications/size-changed', { height: 100 });`);
    await tell(shrinking, 'ui/notifications/size-changed', { height: 160 });
    await expect.poll(heightOf).toBe(160);
    const link = await panel.getByRole('link', { name: 'the map' }).boundingBox();
    await pressTwice((link?.x ?? 0) + 10, (link?.y ?? 0) + 9 - 60);
    await expect.poll(heightOf).toBe(100);
    await new Promise((resolve) => setTimeout(resolve, 500));

    // What lay over the rest of the panel is no part of the app's frame: a list that the browser draws.
    await armed(`tell('ui/notifications/request-teardown')`);
    const inside = shown().locator('iframe');
    const app = await inside.boundingBox();
    await panel.mouse.click((app?.x ?? 0) + 20, (app?.y ?? 0) + 20);
    await inside.waitFor({ state: 'detached' });
    const legend = await panel.getByRole('link', { name: 'the legend' }).boundingBox();
    await panel.mouse.click((legend?.x ?? 0) + 10, (legend?.y ?? 0) + 9);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(harbour.leaked.slice(leaked)).toEqual([]);
  });

  it('asks the user for one thing at a time, and for nothing more once it was declined twice', async () => {
    const app = await show();
    const card = shown().getByRole('group', { name: 'The app of Harbour wants to open a page' });
    const decline = async (): Promise<void> =>
      until('the wish is declined', async () => {
        if ((await card.count()) === 0) return true;
        await card
          .getByRole('button', { name: 'Decline' })
          .click({ timeout: 1000 })
          .catch(() => undefined);
        return false;
      });
    for (const url of ['javascript:alert(1)', 'https://user@xn--pypal-4ve.example/']) {
      const first = asked(app, 'ui/open-link', { url });
      await card.waitFor();
      expect(await asked(app, 'ui/open-link', { url: 'https://second.example' })).toMatch(/^refused/);
      expect(await card.getByRole('link').count()).toBe(url.startsWith('https') ? 1 : 0);
      await decline();
      expect(await first).toMatch(/^refused/);
    }
    expect(
      await asked(app, 'ui/message', { role: 'user', content: [{ type: 'text', text: 'Send it' }] }),
    ).toMatch(/^refused/);
    expect(await card.count()).toBe(0);
  });
});
