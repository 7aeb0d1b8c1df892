import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addProvider, command } from '../../../scripts/start/extension.ts';
import { startModelServer, stream, text, type ModelServer } from '../../fakes/model-server.ts';
import { noDesktop, openOnDesktop, type HeadedBrowser } from '../support/desktop.ts';
import { provider } from '../support/scene.ts';

/** Where an entry stands in Portside's part of the menu on a selection. */
const [ASK, EXPLAIN, OWN_PROMPT] = [0, 1, 5];
const CLICKS = 25;
/** Every so many a click comes while the worker is dead and the panel closed. */
const EACH = 5;

describe.skipIf(noDesktop)(`asking from outside the panel${noDesktop}`, () => {
  let browser: HeadedBrowser;
  let model: ModelServer;
  let site: Server;
  let page: Page;

  beforeAll(async () => {
    model = await startModelServer();
    browser = await openOnDesktop({ granted: true });
    await addProvider(browser.options, provider(model.url));
    site = createServer(serve).listen(0, '127.0.0.1');
    await once(site, 'listening');
    page = await browser.context.newPage();
    // Where an entry is not there yet, what is picked in its place is the browser's own, such as its reading panel.
    await vi.waitUntil(() => browser.options.evaluate(hasEntry, 'editable-rewrite'));
  });
  beforeEach(async () => {
    model.otherwise(stream(text('It is a sentence.')));
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    await page.bringToFront();
  });
  afterAll(async () => {
    await browser?.close();
    await model?.close();
    site?.close();
  });

  const findPanel = () => browser.context.pages().find((other) => other.url().endsWith('/sidepanel.html'));
  /** The panel, once the page has made room for it. */
  async function panelOpened(): Promise<Page> {
    const panel = await vi.waitUntil(findPanel);
    await page.waitForFunction('innerWidth < outerWidth - 100');
    return panel;
  }
  async function closePanel(): Promise<void> {
    await findPanel()?.close();
    await page.waitForFunction('innerWidth > outerWidth - 100');
  }
  const questions = () => model.requests.map(({ body }) => body.messages.at(-1)?.content ?? '');
  const about = (words: string) => questions().filter((question) => question.includes(words));
  /** The question about these words, once it has been asked. */
  const asked = (words: string) => vi.waitUntil(() => about(words)[0]);
  const save = (atEntry: 'ask' | 'fill') => command(browser.options, 'saveSettings', { atEntry });

  /** Selects these words of the page. */
  async function select(words: string): Promise<Locator> {
    const passage = page.getByText(words, { exact: true });
    await passage.evaluate((element) => {
      element.scrollIntoView({ block: 'center' });
      getSelection()?.selectAllChildren(element);
    });
    return passage;
  }

  async function pick(words: string, entry: number): Promise<void> {
    await browser.desktop.pickFromContextMenu(await select(words), entry);
  }

  /** The user's messages with what is attached, as the database holds them. */
  const storedQuestions = (): Promise<string[]> =>
    browser.options.evaluate(`new Promise((resolve, reject) => {
      const opening = indexedDB.open('portside');
      opening.onerror = () => reject(opening.error);
      opening.onsuccess = () => {
        const reading = opening.result.transaction('messages').objectStore('messages').getAll();
        reading.onsuccess = () => {
          opening.result.close();
          const asked = reading.result.filter(({ role }) => role === 'user');
          resolve(asked.map((message) => JSON.stringify(message)));
        };
      };
    })`);

  const number = (at: number) => `Passage ${String(at + 1).padStart(2, '0')}.`;

  it(
    `asks ${CLICKS} questions at ${CLICKS} right-clicks, with the worker dead and the panel closed too`,
    { timeout: 120_000 },
    async () => {
      const options = browser.options.url();
      // A page of Portside's brings the worker back at once.
      await browser.options.goto('about:blank');
      for (let at = 0; at < CLICKS; at += 1) {
        if (at % EACH === 0) {
          await closePanel();
          await workerEnded(browser);
        }
        await pick(number(at), at % 2 === 0 ? ASK : EXPLAIN);
        if (at % EACH === 0) await panelOpened();
      }
      await browser.options.goto(options);
      const all = Array.from({ length: CLICKS }, (_each, at) => number(at));
      const missing = () => all.filter((words) => about(words).length === 0);
      await expect.poll(missing).toEqual([]);

      // What opening the panel again might ask would come before this question.
      await findPanel()?.close();
      const panel = await browser.openPanel();
      await panel.getByRole('button', { name: 'New chat' }).click();
      await panel.getByRole('textbox', { name: 'Message' }).fill('Something else');
      await panel.getByRole('button', { name: 'Send' }).click();
      await asked('Something else');
      // A run whose worker died in the middle asks its model again; what counts is what was asked of it.
      const stored = await storedQuestions();
      const counts = all.map((words) => stored.filter((question) => question.includes(words)).length);
      expect(counts).toEqual(all.map(() => 1));
      expect(stored).toHaveLength(CLICKS + 1);
    },
  );

  it('shows the question, with the selection as what it is: a part of that page, not words of the user', async () => {
    await pick('Tides follow the moon.', EXPLAIN);
    const panel = await panelOpened();
    const question = panel.getByRole('article', { name: 'You' });
    await question.getByText('Explain this in simple terms.').waitFor();
    await question.getByText('“Tides follow the moon.”').waitFor();
    expect(await asked('Tides follow')).toMatch(
      /The user attached this:.*<external-.*What the user selected in the web page http.*Tides follow the moon\.[\s\S]*Explain this/s,
    );
  });

  it('asks nothing of a site to which the page leads its tab as the panel opens', async () => {
    await closePanel();
    const { port } = site.address() as AddressInfo;
    await page.evaluate(`onresize = () => (location = 'http://localhost:${port}/balance')`);
    await browser.desktop.pickFromContextMenu(page.getByText('The sea is salt.'), 1, 2);
    const panel = await vi.waitUntil(findPanel);
    await panel.getByText('The page could not be read.').first().waitFor();
    expect(page.url()).toContain('/balance');
    expect(about('4711')).toEqual([]);
    await panel.getByRole('textbox', { name: 'Message' }).fill('');
  });

  it('wakes an open panel whose worker has died meanwhile', async () => {
    await browser.openPanel();
    await browser.endWorker();
    await pick('The sea is salt.', EXPLAIN);
    expect(await asked('The sea is salt.')).toContain('Explain this');
  });

  it('asks with a prompt of the user’s own, as soon as it is saved', async () => {
    await command(browser.options, 'savePrompt', { name: 'Doubt & check', text: 'Is {{selection}} true?' });
    await pick('Fish never sleep.', OWN_PROMPT);
    expect(await asked('Fish never sleep.')).toContain('Is the attached text true?');
  });

  it('fills the composer instead, if that was chosen', async () => {
    await save('fill');
    await pick('Sand was rock once.', EXPLAIN);
    const panel = await panelOpened();
    await panel.getByText('“Sand was rock once.”').waitFor();
    const field = panel.getByRole('textbox', { name: 'Message' });
    await vi.waitUntil(async () => (await field.inputValue()) === 'Explain this in simple terms.');
    expect(about('Sand was rock once.')).toEqual([]);
    await panel.getByRole('button', { name: 'Send' }).click();
    await asked('Sand was rock once.');
    await save('ask');
  });

  it('tells the address of a link, and shows a picture', async () => {
    // It leads nowhere: should the menu be slow to close, keys are pressed again, and come to the link.
    await browser.desktop.pickFromContextMenu(page.getByRole('link', { name: 'A link' }));
    expect(await asked('What is behind this link?')).toContain('https://elsewhere.example/');
    await browser.desktop.pickFromContextMenu(page.getByRole('img', { name: 'A picture' }));
    expect(await asked('What does this image show?')).toContain('A picture in the web page');
  });

  it.each(['A text area', 'A line', 'A paper'])(
    'rewrites what is in a form field, puts the answer there on a click, and takes it out again: %s',
    async (name) => {
      const better = `${name}, written well.`;
      model.otherwise(stream(text(better)));
      const field = page.getByRole('textbox', { name });
      const content = () =>
        field.evaluate((element) =>
          'value' in element ? element.value : (element as HTMLElement).innerText,
        );
      const before = await content();
      await closePanel();
      await browser.desktop.pickFromContextMenu(field);
      const panel = await panelOpened();
      await panel.getByRole('article', { name: 'Assistant' }).getByText(better).waitFor();
      await panel.getByRole('button', { name: 'Insert into the field' }).click();
      await panel.getByText('Inserted into the field.').waitFor();
      expect(await content()).toBe(better);
      expect(await page.getByRole('status', { name: `Input in ${name}` }).textContent()).not.toBe('');
      await panel.getByRole('button', { name: 'Undo' }).click();
      await panel.getByRole('button', { name: 'Insert into the field' }).waitFor();
      expect(await content()).toBe(before);
    },
  );

  it('says so when the field is gone by then', async () => {
    model.otherwise(stream(text('Too late.')));
    const field = page.getByRole('textbox', { name: 'A line' });
    await closePanel();
    await browser.desktop.pickFromContextMenu(field);
    const panel = await panelOpened();
    const put = panel.getByRole('button', { name: 'Insert into the field' });
    await panel.getByRole('article', { name: 'Assistant' }).getByText('Too late.').waitFor();
    await field.evaluate((element) => element.remove());
    await put.click();
    await panel.getByText('The form field no longer exists.').waitFor();
  });

  it('by the keyboard asks about the selection or the page', async () => {
    await closePanel();
    await select('Gulls can drink the sea.');
    await browser.desktop.press('alt+shift+s');
    await panelOpened();
    expect(await asked('Gulls can drink')).toContain('What is this about?');
    await page.bringToFront();
    await browser.desktop.press('alt+shift+g');
    expect(await asked('What is this page about?')).toContain('Tides follow the moon.');
  });

  it('from the address bar asks what is typed there after ps', async () => {
    await closePanel();
    await browser.desktop.press('ctrl+l');
    await browser.desktop.type('ps ');
    await browser.desktop.type('why is the sea salt');
    await browser.desktop.press('Return');
    await panelOpened();
    expect(await asked('why is the sea salt')).toBe('why is the sea salt');
  });

  it('leaves nothing to complain about', () => {
    expect(browser.complaints).toEqual([]);
  });
});

declare const chrome: {
  contextMenus: { update: (id: string, change: object) => Promise<void> };
};

/** Runs in the options page: only an entry that is there can be changed. */
const hasEntry = (id: string): Promise<boolean> =>
  chrome.contextMenus.update(id, {}).then(
    () => true,
    () => false,
  );

/** Ends the worker and waits until there is none, which only the browser itself knows at once. */
async function workerEnded({ context, endWorker }: HeadedBrowser): Promise<void> {
  const devtools = await context.browser()?.newBrowserCDPSession();
  await endWorker();
  const isGone = async () => {
    const targets = (await devtools?.send('Target.getTargets'))?.targetInfos;
    return targets?.every(({ type }) => type !== 'service_worker');
  };
  await vi.waitUntil(isGone);
  await devtools?.detach();
}

const sentences = [
  'Tides follow the moon.',
  'The sea is salt.',
  'Fish never sleep.',
  'Sand was rock once.',
  'Gulls can drink the sea.',
];

const passages = Array.from(
  { length: CLICKS },
  (_each, at) => `<p><span>Passage ${String(at + 1).padStart(2, '0')}.</span></p>`,
);

/** A page with what can be right-clicked, whose status tells of input that its script was told of. */
const html = `<!doctype html><title>Reading matter</title>
<style>p { margin: 0; line-height: 32px } a { display: inline-block; padding: 12px } [role=textbox] { padding: 12px }</style>
${sentences.map((each) => `<p><span>${each}</span></p>`).join('')}
<p><a href="https://elsewhere.example/" onclick="return false">A link</a> <img alt="A picture" src="/picture.png" width="40" height="40"></p>
<textarea aria-label="A text area">teh text</textarea>
<input aria-label="A line" value="teh text">
<div role="textbox" aria-label="A paper" contenteditable>teh <b>text</b></div>
<script>
  for (const field of document.querySelectorAll('textarea, input, [contenteditable]')) {
    const status = document.createElement('output');
    status.ariaLabel = 'Input in ' + field.ariaLabel;
    document.body.append(status);
    field.addEventListener('input', ({ inputType }) => (status.textContent = inputType));
  }
</script>
${passages.join('')}`;

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const serve: Parameters<typeof createServer>[1] = (request, response) => {
  if (request.url === '/picture.png') response.setHeader('content-type', 'image/png').end(png);
  else if (request.url === '/balance') response.end('<title>Bank</title><p>A balance of 4711');
  else response.setHeader('content-type', 'text/html; charset=utf-8').end(html);
};
