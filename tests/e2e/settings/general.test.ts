import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../../scripts/paths.ts';
import type { Language } from '../../../lib/types/languages.ts';
import { call, gate, stream, text } from '../../fakes/model-server.ts';
import { decide, offered, openScene, until, type Scene } from '../support/scene.ts';

let scene: Scene;
let page: Page;

beforeAll(async () => {
  scene = await openScene();
  page = scene.portside.options;
  await page.evaluate("location.hash = '#general'");
});
afterAll(() => scene.close());

const radio = (group: string, name: string) =>
  page.getByRole('radiogroup', { name: group }).getByText(name, { exact: true });
const settings = async () =>
  (await page.evaluate(`new Promise((resolve) => {
    const port = chrome.runtime.connect({ name: 'events' });
    port.onMessage.addListener((events) => {
      for (const event of events) if (event.type === 'setup') resolve(event.setup.settings);
    });
    port.postMessage({ type: 'subscribe', subscription: 1, conversationId: '' });
  })`)) as Record<string, unknown>;
/** What stands in the browser's notifications, by id. */
const shown = async () => Object.keys((await page.evaluate('chrome.notifications.getAll()')) as object);
const textsIn = (language: Language, file: string): unknown =>
  JSON.parse(readFileSync(join(root, 'locales', language, file), 'utf8'));
const panelTexts = (of: Language) => textsIn(of, 'panel.json') as Texts.Panel;
const settingsTexts = (of: Language) => textsIn(of, 'settings.json') as Texts.Settings;
const errorTexts = (of: Language) => textsIn(of, 'errors.json') as Texts.Errors;
const panel = () => scene.portside.panel;
const fontSize = (of: Page, selector: string) =>
  of.evaluate(`parseFloat(getComputedStyle(document.querySelector('${selector}')).fontSize)`);

describe('the page General', () => {
  it('tells the version and what is new in it', async () => {
    const about = page.getByRole('region', { name: /^Portside \d/ });
    await about.getByText('What is new').click();
    await about.getByRole('listitem').first().waitFor();
  });

  it('saves each setting as it is changed, and keeps it', async () => {
    await page.getByRole('spinbutton', { name: 'Maximum steps' }).fill('20');
    await page.getByRole('spinbutton', { name: 'Maximum steps' }).press('Enter');
    await page
      .getByRole('combobox', { name: 'Sending while an answer is running' })
      .selectOption('Interrupt');
    await radio('Panel scope', 'All windows').click();
    await page.getByRole('switch', { name: 'Enter sends' }).click();
    await page.getByRole('switch', { name: 'Let the model name chats' }).click();
    await until('all of it is saved', async () => (await settings())['makeTitles'] === false);
    await page.reload();
    expect(await settings()).toMatchObject({
      maxIterations: 20,
      whileLive: 'now',
      panelScope: 'all',
      enterSends: false,
    });
    expect(await page.getByRole('switch', { name: 'Enter sends' }).isChecked()).toBe(false);
    await scene.portside.command('saveSettings', {
      panelScope: 'window',
      makeTitles: false,
      whileLive: 'queue',
    });
  });

  it('saves what is changed while another change is still being saved', async () => {
    await page.evaluate(`for (const name of ['Enter sends', 'Let the model name chats'])
      [...document.querySelectorAll('label')].find((label) => label.textContent === name).control.click()`);
    await until('the second one is saved', async () => (await settings())['makeTitles'] === true);
    expect(await settings()).toMatchObject({ enterSends: true, makeTitles: true });
    await scene.portside.command('saveSettings', { makeTitles: false });
  });

  it('changes the theme here and in the panel at once, and follows the system again', async () => {
    const dark = (of: Page) =>
      of.evaluate("getComputedStyle(document.body).backgroundColor === 'rgb(21, 26, 28)'");
    await radio('Theme', 'Dark').click();
    await until('both are dark', async () => (await dark(page)) === true && (await dark(panel())) === true);
    await radio('Theme', 'System').click();
    await page.emulateMedia({ colorScheme: 'light' });
    await until('the page is light', async () => (await dark(page)) === false);
    await page.emulateMedia({ colorScheme: 'dark' });
    await until('the page is dark with the system', async () => (await dark(page)) === true);
    expect(await page.getByRole('radio', { name: 'System', checked: true }).count()).toBe(1);
    await page.emulateMedia({ colorScheme: null });
  });

  it('applies a language at once here, in the panel and in what the worker says, and keeps it', async () => {
    const field = (of: Language) => panel().getByRole('textbox', { name: panelTexts(of).composer.message });
    const written = async (of: Language) => {
      const direction = (each: Page) => each.evaluate('document.documentElement.dir');
      await field(of).waitFor();
      await page.getByRole('combobox', { name: settingsTexts(of).general.language, exact: true }).waitFor();
      const title = `${settingsTexts(of).options.nav} – Portside`;
      await until('the tab is named in it', async () => (await page.title()) === title);
      return [await direction(page), await direction(panel())];
    };
    const choose = (from: Language, language: Language) =>
      page
        .getByRole('combobox', { name: settingsTexts(from).general.language, exact: true })
        .selectOption(language);
    await field('en').fill('A draft');
    await choose('en', 'de');
    expect(await written('de')).toEqual(['ltr', 'ltr']);
    expect(await field('de').inputValue()).toBe('A draft');
    const refused = scene.portside.command('refreshModels', { providerId: 999 });
    await expect(refused).rejects.toThrow(errorTexts('de').errors.setup.noProvider.message);
    await choose('de', 'ar');
    expect(await written('ar')).toEqual(['rtl', 'rtl']);
    await page.reload();
    expect(await written('ar')).toEqual(['rtl', 'rtl']);
    await choose('ar', 'en');
    expect(await written('en')).toEqual(['ltr', 'ltr']);
    await field('en').fill('');
  });

  it('makes the text of both larger, and cuts nothing at 320 px', async () => {
    const before = await fontSize(panel(), 'body');
    await radio('Text size', 'Larger').click();
    await until('both are larger', async () => {
      const sizes = [await fontSize(page, 'body'), await fontSize(panel(), 'body')];
      return sizes.every((size) => (size as number) > (before as number));
    });
    const size = page.viewportSize();
    await page.setViewportSize({ width: 320, height: 700 });
    const overflow: unknown[] = [];
    for (const name of ['General', 'Permissions', 'Data', 'Models', 'Tool log']) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      overflow.push(
        await page.evaluate(
          "(() => { const c = document.querySelector('.content'); return c.scrollWidth - c.clientWidth; })()",
        ),
      );
    }
    expect(overflow).toEqual([0, 0, 0, 0, 0]);
    if (size) await page.setViewportSize(size);
    await page.evaluate("location.hash = '#general'");
    await radio('Text size', 'Normal').click();
    await until('it is as it was', async () => (await fontSize(panel(), 'body')) === before);
  });
});

it('the navigation leads to the native host at every width', async () => {
  const size = page.viewportSize() ?? { width: 1100, height: 700 };
  for (const width of [1100, 720, 320]) {
    await page.setViewportSize({ width, height: 700 });
    await page.evaluate("location.hash = '#general'");
    await page.getByRole('heading', { level: 1, name: 'General' }).waitFor();
    const hidden =
      "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.nav'))";
    expect(await page.evaluate(hidden)).toBe(0);
    const link = page.getByRole('navigation').getByRole('link', { name: 'Native host' });
    await link.click({ trial: true });
    expect((await link.boundingBox())?.x).toBeLessThan(width);
    await link.click();
    await page.getByRole('heading', { level: 1, name: 'Native host' }).waitFor();
  }
  await page.setViewportSize(size);
  await page.evaluate("location.hash = '#general'");
});

describe('notifications', () => {
  it('come for a chat that no panel shows and go when one does: an approval, then the end', async () => {
    await page.getByRole('switch', { name: 'Notify me' }).click();
    await until('it is saved', async () => (await settings())['notify'] === true);
    const [first, second] = [gate(), gate()];
    scene.model.script(
      stream([first], call({ id: 'c1', name: offered('write_note'), arguments: '{"text":"s3cret"}' })),
      stream([second], text('**Done**: the note is written.')),
    );
    await scene.ask('Write a note');
    await first.reached;
    await panel().getByRole('button', { name: 'New chat' }).click();
    expect(await shown()).toEqual([]);
    first.open();
    await until('the approval is told', async () => (await shown()).length === 1);
    const [id = ''] = await shown();

    // A click, as far as a test can make one: the open panel shows the chat, and the notification goes.
    const [worker] = scene.portside.context.serviceWorkers();
    await worker?.evaluate(`chrome.notifications.onClicked.dispatch('${id}')`);
    await decide(panel().getByRole('alertdialog'), 'Allow once');
    await until('it is gone', async () => (await shown()).length === 0);

    await second.reached;
    await panel().getByRole('button', { name: 'New chat' }).click();
    second.open();
    await until('the end is told', async () => (await shown()).length === 1);
    await panel().getByRole('button', { name: 'History' }).click();
    await panel().getByRole('link', { name: 'Write a note' }).click();
    await scene.articles('Assistant').getByText('the note is written.').waitFor();
    await until('it is gone again', async () => (await shown()).length === 0);
  });

  it('do not come for a chat that a panel shows, nor when they are off', async () => {
    scene.model.script(stream(text('I am seen.')));
    await scene.ask('Look at me');
    await scene.articles('Assistant').getByText('I am seen.').waitFor();
    await scene.idle();
    expect(await shown()).toEqual([]);
    await page.getByRole('switch', { name: 'Notify me' }).click();
    await until('it is off', async () => (await settings())['notify'] === false);
    const closed = gate();
    scene.model.script(stream([closed], text('Unseen and untold.')));
    await scene.ask('Go on');
    await closed.reached;
    await panel().getByRole('button', { name: 'New chat' }).click();
    closed.open();
    await until('it has ended', async () => {
      const { messages } = await scene.stored();
      return messages.some(({ content }) => content === 'Unseen and untold.');
    });
    expect(await shown()).toEqual([]);
  });
});
