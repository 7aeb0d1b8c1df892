import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Ollama, OLLAMA_PORT, startOllama } from '../../fakes/ollama.ts';
import { noDesktop, openOnDesktop, type HeadedBrowser } from '../support/desktop.ts';
import type { Portside } from '../support/browser.ts';
import { borrowPortside } from '../support/shared-browser.ts';
import { GROQ_KEY, standInForGroq } from '../models/groq.ts';
import { startSite } from '../pages/page-site.ts';

/**
 * From install to an answer, in the extension as people get it, with every click and every key that is no letter of a
 * question counted: the browser's own "Allow" too.
 */
describe.skipIf(noDesktop)(`the first minutes, in a new profile${noDesktop}`, () => {
  let browser: HeadedBrowser;
  let clicks = 0;

  beforeAll(async () => {
    browser = await openOnDesktop({ granted: false });
  });
  beforeEach(() => {
    clicks = 0;
  });
  afterEach(async () => {
    await browser.uninstall();
    await browser.install();
  });
  afterAll(() => browser?.close());

  const click = async (panel: Page, name: string): Promise<void> => {
    clicks += 1;
    await panel.getByRole('button', { name }).click();
  };
  /** The question's letters are not counted, Enter is. */
  const ask = async (panel: Page, question: string): Promise<void> => {
    expect(await panel.locator(':focus').getAttribute('aria-label')).toBe('Message');
    await panel.keyboard.type(question);
    clicks += 1;
    await panel.keyboard.press('Enter');
  };
  const chosen = (panel: Page, model: string) =>
    panel.getByRole('combobox', { name: 'Model' }).filter({ hasText: model });
  const said = (panel: Page, words: string) =>
    panel.getByRole('article', { name: 'Assistant' }).getByText(words).waitFor();

  /** Does what makes the browser ask, then "Allow": counted once, however often the dialog missed it. */
  async function allow(origin: string, asking: () => Promise<void>): Promise<void> {
    const before = clicks + 1;
    await browser.allow(() => {
      clicks = before;
      return asking();
    }, origin);
  }

  it('lead with Ollama to an answer about the page in front in four clicks', async ({ skip }) => {
    const ollama = await startOllama(({ messages }) => {
      const last = messages.at(-1);
      if (last?.role === 'tool')
        return { content: `It says: ${/Tides follow the moon/.exec(String(last.content))?.[0]}.` };
      const read = { name: 'read_page', arguments: '{}' };
      return { tool_calls: [{ index: 0, id: 'c1', type: 'function', function: read }] };
    });
    skip(ollama === null, `Something listens at port ${OLLAMA_PORT} already.`);
    const site = createServer((_request, response) =>
      response
        .setHeader('content-type', 'text/html; charset=utf-8')
        .end('<!doctype html><title>Tides</title><h1>Tides</h1><p>Tides follow the moon.</p>'),
    ).listen(0);
    await once(site, 'listening');
    const page = await browser.context.newPage();
    await page.goto(`http://127.0.0.2:${(site.address() as AddressInfo).port}/`);
    try {
      await page.bringToFront();
      clicks += 1;
      const opened = () => browser.context.pages().find((each) => each.url().endsWith('/sidepanel.html'));
      const panel = await vi.waitUntil(async () => {
        await browser.desktop.press('alt+shift+o'); // again, should the window not have listened yet
        // In this time it may open: each key that is taken has a panel that still loads begin anew.
        return vi.waitUntil(opened, { timeout: 5000 }).catch(() => undefined);
      });
      await panel.getByText('Ollama may be running at 127.0.0.1:11434').waitFor();
      await allow('http://127.0.0.1/*', () => click(panel, 'Use Ollama'));
      await chosen(panel, 'qwen3:14b').waitFor();
      // Letters go to the page, to which Chromium gives the keyboard back after its question; a starter is a click.
      await click(panel, 'Summarise');
      await said(panel, 'It says: Tides follow the moon.');
      expect(clicks).toBeLessThanOrEqual(4);
      expect(browser.complaints).toEqual([]);
    } finally {
      await page.close();
      site.closeAllConnections();
      site.close();
      await ollama?.close();
    }
  });

  it('lead with a copied key to an answer in five clicks at most', async () => {
    await copy(browser.options, `GROQ_API_KEY=${GROQ_KEY}`);
    await standInForGroq(browser.context);
    const panel = await browser.openPanel();
    await click(panel, 'Add an API key');
    const field = panel.getByLabel('API key', { exact: true });
    const paste = async (): Promise<void> => {
      clicks += 1;
      await field.press('ControlOrMeta+V');
    };
    await allow('https://api.groq.com/*', paste);
    await chosen(panel, 'openai/gpt-oss-120b').waitFor();
    await ask(panel, 'Hello');
    await said(panel, 'Hello from Groq.');
    expect(clicks).toBeLessThanOrEqual(5);
    expect(browser.complaints).toEqual([]);
  });

  it('keep a key whose access was denied, and say how to go on', async () => {
    await copy(browser.options, GROQ_KEY);
    const panel = await browser.openPanel();
    await panel.getByRole('button', { name: 'Add an API key' }).click();
    const field = panel.getByLabel('API key', { exact: true });
    const refusal = panel.getByRole('alert').getByText('Press Continue again and choose Allow.');
    await browser.deny(() => field.press('ControlOrMeta+V'), refusal);
    expect(await field.inputValue()).toBe(GROQ_KEY);
    expect(browser.complaints).toEqual([]);
  });

  it('lead with nothing at all to a chat in one click, and in words to a real model', async () => {
    const panel = await browser.openPanel();
    await panel.getByRole('region', { name: 'No model, no key?' }).waitFor();
    await click(panel, 'Try the demo model');
    await chosen(panel, 'Demo model (scripted)').waitFor();
    expect(clicks).toBe(1);
    await ask(panel, 'Hello');
    await said(panel, 'add a model in Settings, under Models');
    await panel.getByRole('button', { name: 'New chat' }).click();
    await panel.getByRole('button', { name: 'Add an API key' }).click();
    await panel.getByLabel('API key', { exact: true }).press('Escape');
    await panel.getByRole('button', { name: 'Add an API key' }).waitFor();
    expect(browser.complaints).toEqual([]);
  });
});

describe('the first run', () => {
  let portside: Portside;
  afterEach(() => portside?.close());

  const focused = () => portside.panel.locator(':focus').getAttribute('aria-label');

  describe('with Ollama on this computer', () => {
    let ollama: Ollama | null;
    beforeEach(async ({ skip }) => {
      ollama = await startOllama(() => ({ content: 'Hello from here.' }));
      skip(ollama === null, `Something listens at port ${OLLAMA_PORT} already.`);
      portside = await borrowPortside();
    });
    afterEach(() => ollama?.close());
    const looks = () => ollama?.asked.filter((line) => line === 'GET /api/version').length;

    it('finds it, and one click leads to a working chat', async () => {
      const { panel } = portside;
      await panel.getByText('Found on this computer').waitFor();
      await panel.getByText('LM Studio and llama.cpp did not answer.').waitFor();
      expect(looks()).toBe(1);
      expect(await panel.getByText('No model, no key?').count()).toBe(0);

      await panel.getByRole('button', { name: 'Use qwen3:14b' }).click();
      await panel.getByRole('combobox', { name: 'Model' }).filter({ hasText: 'qwen3:14b' }).waitFor();
      expect(await focused()).toBe('Message');
      await panel.getByRole('textbox', { name: 'Message' }).fill('Hello');
      await panel.getByRole('button', { name: 'Send', exact: true }).click();
      await panel.getByRole('article', { name: 'Assistant' }).getByText('Hello from here.').waitFor();
    });

    it('says how to get a model where it has none, and goes on with that', async () => {
      ollama?.models.splice(0);
      const panel = await portside.reopenPanel();
      const row = panel.getByRole('listitem').filter({ hasText: 'Found on this computer' });
      await row.getByText('In a terminal, run ollama pull qwen3:4b, then look again.').waitFor();
      ollama?.models.push('qwen3:4b');
      await row.getByRole('button', { name: 'Look again' }).click();
      await panel.getByRole('button', { name: 'Use qwen3:4b' }).click();
      await panel.getByRole('combobox', { name: 'Model' }).filter({ hasText: 'qwen3:4b' }).waitFor();
    });

    it('looks again only when it is asked to', async () => {
      await portside.panel.getByText('Found on this computer').waitFor();
      const again = await portside.reopenPanel();
      await again.getByRole('button', { name: 'Look again' }).waitFor();
      const before = looks() ?? 0;
      await again.getByRole('button', { name: 'Look again' }).click();
      await expect.poll(looks).toBe(before + 1);
    });
  });

  describe('with nothing on this computer', () => {
    beforeEach(async () => {
      portside = await borrowPortside();
      await portside.panel.getByRole('button', { name: 'Look again' }).waitFor();
    });

    it('names what can be installed and what costs nothing', async () => {
      const recipes = portside.panel.getByRole('region', { name: 'No model, no key?' });
      const links = await recipes.getByRole('link').allTextContents();
      expect(links).toEqual(['Ollama', 'LM Studio', 'Google', 'OpenRouter']);
    });

    it('offers the page in front and what to ask of it, and keeps what is asked until a model is chosen', async () => {
      const { panel, context } = portside;
      const site = await startSite();
      const page = await context.newPage();
      try {
        await page.goto(`${site.url}/article`);
        await page.bringToFront();
        await panel.getByText('Choose a model below').waitFor();
        await panel.getByRole('button', { name: 'The keeper’s log', exact: true }).waitFor();
        const starters = panel.getByRole('group', { name: 'Ask about this page' }).getByRole('button');
        expect(await starters.allTextContents()).toEqual(['Summarise', 'Key points', 'Draft a reply']);
        await starters.first().click();
        expect(await focused()).toBe('Message');
        await panel.getByRole('list', { name: 'Context' }).getByText('The keeper’s log').waitFor();
        await panel.getByText('Choose a model, then press Send.').waitFor();

        await panel.getByRole('button', { name: 'Try the demo model' }).click();
        await panel.getByText('Stays on this computer').waitFor();
        const field = panel.getByRole('textbox', { name: 'Message' });
        expect([await field.inputValue(), await panel.getByRole('article').count()]).toEqual([
          'Summarise this.',
          0,
        ]);
        await field.press('Enter');
        const asked = panel.getByRole('article', { name: 'You' });
        await asked.getByText('Summarise this.').waitFor();
        await asked.getByText('The keeper’s log').waitFor();
      } finally {
        await page.close();
        await site.close();
      }
    });

    it('comes back from a key that is not added', async () => {
      const { panel } = portside;
      const add = panel.getByRole('button', { name: 'Add an API key' });
      await add.click();
      await panel.getByLabel('API key', { exact: true }).press('Escape');
      await add.waitFor();
      expect(await panel.locator(':focus').textContent()).toContain('Add an API key');
    });

    it('lets the demo model answer with a tool’s result, and say where a real one is added', async () => {
      const { panel } = portside;
      const answers = panel.getByRole('article', { name: 'Assistant' });
      const ask = async (question: string): Promise<void> => {
        await panel.getByRole('textbox', { name: 'Message' }).fill(question);
        await panel.keyboard.press('Enter');
      };
      await panel.getByRole('button', { name: 'Try the demo model' }).click();
      await panel.getByRole('combobox', { name: 'Model' }).filter({ hasText: 'scripted' }).waitFor();
      await panel.getByText('Stays on this computer').waitFor();
      expect(await focused()).toBe('Message');
      await ask('What time is it?');
      await answers.getByText('current_time answered').waitFor();
      await ask('Who wrote Moby Dick?');
      await answers.getByText('add a model in Settings, under Models').waitFor();
    });
  });
});

/** As anything is copied, from a field of a page. */
async function copy(page: Page, text: string): Promise<void> {
  await page.bringToFront();
  await page.evaluate((copied) => {
    const field = document.body.appendChild(document.createElement('textarea'));
    field.value = copied;
    field.select();
  }, text);
  await page.keyboard.press('ControlOrMeta+C');
  await page.evaluate(() => document.querySelector('body > textarea')?.remove());
}
