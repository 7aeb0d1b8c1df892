import type { Locator, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, gate, stream, text } from '../../fakes/model-server.ts';
import { payloads } from '../../payloads/corpus.ts';
import { hostileChats, titledChats } from './hostile-chats.ts';
import { answering, startHostileOffers } from '../servers/hostile-offers.ts';
import { offences } from '../support/offences.ts';
import { writeRows } from '../support/rows.ts';
import { openScene, type Scene, server, until } from '../support/scene.ts';

/** An origin that the panel's policy would let an image load from. */
const CANARY = 'https://canary.portside.test';

let scene: Scene;
/** What pages and worker asked others than `servers` for. */
const asked: string[] = [];
const servers: { url: string }[] = [];
const dialogs: string[] = [];

beforeAll(async () => {
  scene = await openScene();
  const { context, panel } = scene.portside;
  servers.push(scene.model, scene.mcp);
  context.on('request', (request: Request) => {
    const { protocol, origin } = new URL(request.url());
    const isMeant = servers.some(({ url }) => new URL(url).origin === origin);
    if (!/^(?:chrome-extension|data):$/.test(protocol) && !isMeant) asked.push(request.url());
  });
  panel.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
});
afterAll(() => scene.close());

/** Has the model say this, and waits for the end of it. */
async function say(answer: string): Promise<void> {
  const before = await scene.articles('Assistant').count();
  scene.model.script(stream(text(answer)));
  await scene.ask('Go on');
  await until('another answer', async () => (await scene.articles('Assistant').count()) > before);
  await scene.idle();
}

const last = () => scene.articles('Assistant').last();

describe('an answer', () => {
  it('is shown as a document: headings, lists, a table, code, a formula, for which KaTeX is loaded then', async () => {
    const loads: string[] = [];
    scene.portside.panel.on('request', (request) => loads.push(request.url()));
    const isLoaded = () => loads.some((url) => url.includes('/katex'));
    await say('No formula yet.');
    expect(isLoaded()).toBe(false);
    await say(
      '# Plan\n\n1. **One**\n2. Two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```ts\nconst a = 1;\n```\n\n$x^2$ and $5\n\n- [x] done',
    );
    await last().getByRole('heading', { name: 'Plan' }).waitFor();
    expect(await last().getByRole('listitem').count()).toBe(3);
    const table = last().getByRole('group', { name: 'Table, scrolls sideways' });
    expect(await table.getByRole('columnheader').allTextContents()).toEqual(['a', 'b']);
    expect(await table.getByRole('cell').allTextContents()).toEqual(['1', '2']);
    await last().locator('.tok-k').waitFor();
    await last().getByRole('math').waitFor();
    expect(isLoaded()).toBe(true);
    await last().getByRole('img', { name: 'Done' }).waitFor();
    await last().getByText('TypeScript').waitFor();
    await last().getByRole('button', { name: 'Copy code' }).click();
  });

  it('shows what has come while it streams, and closed blocks stay as they are', async () => {
    const pause = gate();
    scene.model.script(stream(text('First **bo'), pause, text('ld**.\n\nSecond.')));
    await scene.ask('Stream');
    await last().locator('strong', { hasText: /^bo$/ }).waitFor();
    pause.open();
    await last().getByText('Second.').waitFor();
    await scene.idle();
    expect(await last().locator('strong').textContent()).toBe('bold');
    expect(await last().locator('.caret').count()).toBe(0);
  });

  it('names the host that a link hides, and opens links without telling where from', async () => {
    await say('[google.com](https://evil.portside.test/x)');
    const link = last().getByRole('link', { name: 'google.com (evil.portside.test)' });
    expect(await link.getAttribute('rel')).toBe('noreferrer noopener nofollow');
    expect(await link.getAttribute('target')).toBe('_blank');
  });

  it('shows where a link leads while the focus is in it or the pointer over it', async () => {
    await say('See [the page](https://docs.portside.test/a?b=c) and more.');
    const link = last().getByRole('link', { name: 'the page (docs.portside.test)' });
    const address = scene.portside.panel.getByText('docs.portside.test/a?b=c', { exact: true });
    expect(await address.count()).toBe(0);
    await link.focus();
    await address.waitFor();
    await scene.portside.panel.getByRole('textbox', { name: 'Message' }).focus();
    await address.waitFor({ state: 'detached' });
    await link.hover();
    await address.waitFor();
    await last()
      .getByText('and more.')
      .hover({ position: { x: 2, y: 2 } });
    await address.waitFor({ state: 'detached' });
  });
});

describe('hostile answers', () => {
  it('run nothing and ask for nothing', async () => {
    const all = payloads(CANARY);
    expect(all.length).toBeGreaterThan(200);
    for (const group of new Set(all.map(({ name }) => name.split(' ')[0]))) {
      const texts = all.filter(({ name }) => name.startsWith(`${group} `));
      await say(texts.map(({ text: hostile }) => hostile).join('\n\n~~~~~~~~\n\n~~~~~~~~\n\n'));
      const found = await last().evaluate(offences);
      expect({ group, found }).toEqual({ group, found: [] });
    }
    // A chat that is opened again draws them all at once.
    const panel = await scene.portside.reopenPanel();
    await scene.articles('Assistant').last().waitFor();
    expect(await panel.locator('[role=log]').evaluate(offences)).toEqual([]);
    expect(await panel.evaluate("globalThis.pwned ?? 'nothing ran'")).toBe('nothing ran');
    expect(dialogs).toEqual([]);
    expect(asked).toEqual([]);
    expect(scene.portside.complaints()).toEqual([]);
  });

  it('load an image only when its button is pressed', async () => {
    scene.portside.expectComplaint(/canary\.portside\.test/);
    await say(`![A chart](${CANARY}/chart.png) ![A map](http://canary.portside.test/map.png)`);
    await last()
      .getByText('A map (from canary.portside.test, not shown: its address is not https)')
      .waitFor();
    expect(asked).toEqual([]);
    await last().getByRole('button', { name: 'Show image from canary.portside.test: A chart' }).click();
    await until('the image is asked for', () => asked.includes(`${CANARY}/chart.png`));
    await last().getByText('The image from canary.portside.test did not load: A chart.').waitFor();
    asked.length = 0;
  });
});

/** What the page puts among others' words: its own buttons' pictures, sounds and links. */
const OURS = [
  'svg.i',
  '.shot img[src^="data:image/png;base64,"]',
  'audio[src^="data:audio/"]',
  'a[download][href^="data:text/plain"], a[download][href^="data:application/octet-stream"]',
  'a[href^="options.html#"], a[href^="#"]',
  '.drawer input, input[name^="P"], input[role="switch"], input.input[type="search"], select.select',
].join(', ');

/** Opens everything in an element that opens, and looks at all ways to read it. Runs in the page. */
async function openAll(root: Element): Promise<void> {
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const closed = '[aria-expanded="false"]:not([aria-haspopup], .row-actions *), button.link:not(.prose *)';
  for (let pass = 0; pass < 6; pass++) {
    const found = [...root.querySelectorAll<HTMLElement>(closed)].filter(
      (each) => each.ariaExpanded === 'false' || each.textContent?.startsWith('Show all'),
    );
    if (found.length === 0) break;
    for (const each of found) each.click();
    await painted();
  }
}

describe('hostile words', () => {
  const all = payloads(CANARY).map(({ text: hostile }) => hostile);
  const panel = () => scene.portside.panel;
  const show = (part: Locator) => part.evaluate(openAll);
  const found = (part: Locator) => part.evaluate(offences, OURS);

  /** Nothing ran, nothing was asked for, and the browser complained of nothing. */
  async function expectQuiet(page: Page): Promise<void> {
    expect(await page.evaluate("globalThis.pwned ?? 'nothing ran'")).toBe('nothing ran');
    expect(dialogs).toEqual([]);
    expect(asked).toEqual([]);
    expect(scene.portside.complaints()).toEqual([]);
  }

  it('in titles, questions, names of files, reasoning, names of tools and servers, results and errors are words', async () => {
    const rows = hostileChats(all);
    const { options } = scene.portside;
    await writeRows(options, 'conversations', rows.conversations);
    await writeRows(options, 'messages', rows.messages);
    await writeRows(options, 'toolCalls', rows.toolCalls);
    await writeRows(options, 'runs', rows.runs);
    await scene.portside.reopenPanel();
    const log = () => panel().getByRole('log');
    for (const { id, leafId } of rows.conversations) {
      await panel().getByRole('button', { name: 'History' }).click();
      await panel().locator(`[id="chat-${id}"]`).click();
      await log().locator(`[data-turn="${leafId}"]`).waitFor();
      await show(log());
      expect({ id, found: await found(log()) }).toEqual({ id, found: [] });
      expect({ id, found: await found(panel().locator('.bar')) }).toEqual({ id, found: [] });
      expect(await log().getByRole('region', { name: 'Reasoning' }).count()).toBeGreaterThan(0);
    }
    await expectQuiet(panel());
  });

  it('in the list of chats and in the tool log are words', async () => {
    await writeRows(scene.portside.options, 'conversations', titledChats(all));
    await scene.portside.reopenPanel();
    const drawer = panel().getByRole('region', { name: 'History' });
    await panel().getByRole('button', { name: 'History' }).click();
    const titles = drawer.getByRole('link');
    await until('all titles are listed', async () => {
      if ((await titles.count()) > all.length) return true;
      // It also presses itself when it comes near, and is gone then.
      await drawer.locator('.more-rows').evaluateAll((buttons) => {
        for (const button of buttons) if (button instanceof HTMLElement) button.click();
      });
      return false;
    });
    expect(await found(drawer)).toEqual([]);
    await drawer.getByRole('button', { name: 'Close history' }).click();
    await expectQuiet(panel());
    const { options } = scene.portside;
    await options.evaluate("location.hash = '#tool-log'");
    await options.getByRole('button', { name: 'Show details' }).first().waitFor();
    await show(options.locator('main'));
    await options.getByRole('region', { name: 'Result' }).nth(49).waitFor();
    expect(await found(options.getByRole('table'))).toEqual([]);
    await expectQuiet(options);
  });

  it('of a server that is used are words: its name, what it offers, and what comes of its tools', async () => {
    const hostile = await startHostileOffers(all, CANARY);
    servers.push(hostile);
    const { options, command } = scene.portside;
    try {
      const { id } = await command('addServer', server(hostile.url, { name: all.join(' ').slice(0, 100) }));
      if (id === undefined) throw new Error('The server was not saved.');
      for (const name of answering) await command('setTool', { serverId: id, name, permission: 'allow' });
      const calls = answering.map((name, index) =>
        call({ id: name, index, name: `mcp__${id}__${name}`, arguments: '{}' }),
      );
      scene.model.script(stream(...calls), stream(text('Used them.')));
      await panel().getByRole('button', { name: 'New chat' }).click();
      await scene.ask('Use them');
      await last().getByText('Used them.').waitFor();
      await scene.idle();
      await show(panel().getByRole('log'));
      expect(await last().getByRole('region', { name: 'Result' }).count()).toBe(answering.length);
      expect(await found(panel().getByRole('log'))).toEqual([]);
      await expectQuiet(panel());

      // A server's name has at most a hundred characters.
      const names = [...new Set(all.map((each) => each.replaceAll(/\s+/g, ' ').trim().slice(0, 100)))].filter(
        Boolean,
      );
      await command('importServers', { servers: names.map((name) => server(hostile.url, { name })) });
      await options.evaluate("location.hash = '#servers'");
      const list = options.getByRole('list', { name: 'Servers' });
      await until('all are listed', async () => (await list.getByRole('listitem').count()) > names.length);
      expect(await found(list)).toEqual([]);

      await options.evaluate(`location.hash = '#servers/${id}'`);
      for (const tab of ['Tools', 'Prompts', 'Resources', 'Log']) {
        await options.getByRole('tab', { name: tab, exact: true }).click();
        await options.getByRole('tabpanel').waitFor();
        expect({ tab, found: await found(options.getByRole('tabpanel')) }).toEqual({ tab, found: [] });
      }
      await expectQuiet(options);
    } finally {
      await hostile.close();
    }
  });
});
