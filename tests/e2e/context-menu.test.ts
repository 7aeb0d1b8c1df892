import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { addProvider } from '../../scripts/start/extension.ts';
import { startModelServer, stream, text, type ModelServer } from '../fakes/model-server.ts';
import { noDesktop, openOnDesktop, type HeadedBrowser } from './desktop.ts';
import { provider } from './scene.ts';

describe.skipIf(noDesktop)(`"Ask Portside about …" in the context menu${noDesktop}`, () => {
  let browser: HeadedBrowser;
  let model: ModelServer;
  let site: Server;
  let page: Page;

  beforeAll(async () => {
    model = await startModelServer();
    model.otherwise(stream(text('It is a sentence.')));
    browser = await openOnDesktop({ granted: true });
    await addProvider(browser.options, provider(model.url));
    site = createServer(echoPath).listen(0, '127.0.0.1');
    await once(site, 'listening');
    page = await browser.context.newPage();
  });
  afterEach(() => findPanel()?.close());
  afterAll(async () => {
    await browser?.close();
    await model?.close();
    site?.close();
  });

  const findPanel = () => browser.context.pages().find((other) => other.url().endsWith('/sidepanel.html'));
  const askedAbout = (words: string) =>
    model.requests
      .map(({ body }) => body.messages.at(-1)?.content)
      .filter((question) => question?.includes(words));

  /** Selects these words of a page. */
  async function select(words: string): Promise<Locator> {
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/${words}`);
    await page.bringToFront();
    const selection = page.getByText(words);
    await selection.evaluate((element) => getSelection()?.selectAllChildren(element));
    return selection;
  }

  const ask = (selection: Locator) => browser.desktop.pickFromContextMenu(selection, 'a');

  /** The panel shows the question and its answer, and closing and opening it does not ask again. */
  async function expectAsked(words: string): Promise<void> {
    const panel = await vi.waitUntil(findPanel, { timeout: 10_000 });
    await panel.getByRole('article', { name: 'You' }).filter({ hasText: words }).waitFor();
    await panel.getByRole('article', { name: 'Assistant' }).getByText('It is a sentence.').waitFor();
    expect(askedAbout(words)).toEqual([expect.stringContaining(`“${words}”`)]);

    await panel.close();
    const reopened = await browser.openPanel();
    await reopened.getByRole('button', { name: 'New chat' }).click();
    await reopened.getByRole('textbox', { name: 'Message' }).fill('Something else');
    await reopened.getByRole('button', { name: 'Send' }).click();
    await reopened.getByRole('article', { name: 'You' }).filter({ hasText: 'Something else' }).waitFor();
    await reopened.getByRole('article', { name: 'Assistant' }).getByText('It is a sentence.').waitFor();
    // What opening the panel might have asked would have come before this question.
    expect(askedAbout(words)).toHaveLength(1);
    expect(browser.complaints).toEqual([]);
  }

  it('opens the closed panel and asks, once', async () => {
    expect(findPanel()).toBeUndefined();
    await ask(await select('a closed panel'));
    await expectAsked('a closed panel');
  });

  it('opens the closed panel and asks, once, when the worker had ended', async () => {
    expect(findPanel()).toBeUndefined();
    const selection = await select('an ended worker');
    await endWorker(browser);
    await ask(selection);
    await expectAsked('an ended worker');
  });

  it('asks, once, in the panel that is open already', async () => {
    const panel = await browser.openPanel();
    await panel.getByRole('textbox', { name: 'Message' }).waitFor();
    await ask(await select('an open panel'));
    await panel.getByRole('article', { name: 'You' }).filter({ hasText: 'an open panel' }).waitFor();
    expect(findPanel()).toBe(panel);
    await expectAsked('an open panel');
  });
});

/** Ends the worker and waits until it is gone; only the browser itself knows at once. */
async function endWorker({ context, endWorker: askForItsEnd }: HeadedBrowser): Promise<void> {
  const devtools = await context.browser()?.newBrowserCDPSession();
  await askForItsEnd();
  await vi.waitUntil(async () => {
    const targets = (await devtools?.send('Target.getTargets'))?.targetInfos;
    return targets?.every(({ type }) => type !== 'service_worker');
  });
  await devtools?.detach();
}

/** Answers with a page that says the words of its address. */
const echoPath: Parameters<typeof createServer>[1] = (request, response) => {
  const words = decodeURIComponent((request.url ?? '').slice(1));
  response.setHeader('content-type', 'text/html').end(`<title>Page</title><p>${words}</p>`);
};
