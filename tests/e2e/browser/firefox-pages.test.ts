import { randomUUID } from 'node:crypto';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findFirefox } from '../../../scripts/setup/programs.mjs';
import { openZooFirefox, throughOptions, type WorkerAccess } from '../../zoo/browsers.ts';
import { quick } from '../../zoo/cases.ts';
import { startStepModel, type StepModel } from '../../zoo/model.ts';
import { playAll } from '../../zoo/play-all.ts';
import { openFirefox, type FirefoxWithExtension } from '../support/firefox.ts';
import { startSite, type Site } from '../pages/page-site.ts';
import { readRows } from '../support/rows.ts';

const skipped = findFirefox()
  ? ''
  : ' (skipped: there is no Firefox; install firefox-esr or set PORTSIDE_FIREFOX)';

describe.skipIf(skipped)(`acting on pages in Firefox${skipped}`, () => {
  let firefox: FirefoxWithExtension;
  let options: Page;
  let model: StepModel;
  let site: Site;
  let worker: WorkerAccess;
  let provider: { id: number };

  beforeAll(async () => {
    [model, site, firefox] = await Promise.all([startStepModel(), startSite(), openFirefox()]);
    options = await firefox.open('options.html');
    worker = await throughOptions({ evaluate: (expression) => options.evaluate(expression) });
    provider = await worker.command('saveProvider', {
      name: 'Steps',
      preset: 'custom',
      baseUrl: model.url,
      model: 'steps',
    });
    await worker.command('saveSettings', { makeTitles: false, actionPictures: false });
  });
  afterAll(async () => {
    await Promise.all([firefox?.close(), model?.close(), site?.close()]);
  });

  /** Opens a page in the front. @returns it with its tab, which a model names in its calls */
  async function visit(path: string): Promise<{ page: Page; tab: number }> {
    const url = site.url + path;
    const page = await firefox.visit(url);
    await page.bringToFront();
    const tab = (await worker.command('listTabs')).find((each) => each.url === url)?.id ?? -1;
    return { page, tab };
  }

  /** Starts a run in a chat of its own, whose model's calls are the test's. @returns the chat */
  async function startRun(): Promise<string> {
    const conversationId = randomUUID();
    model.begin();
    const message = { id: randomUUID(), text: `Go on: ${site.url}` };
    await worker.command('startRun', { conversationId, runId: randomUUID(), message });
    return conversationId;
  }

  const calls = () =>
    readRows(
      { evaluate: <T>(expression: string) => options.evaluate(expression) as Promise<T> },
      'toolCalls',
    );
  const statusOf = async (name: string): Promise<string | undefined> =>
    (await calls()).find(({ toolName }) => toolName === name)?.status;

  it('marks the tab, out of the page’s reach, and its Stop stops the run', async () => {
    const { page, tab } = await visit('/act');
    await worker.allowAll(await startRun());
    const seen = await model.call('snapshot', { tab });
    const [, ref] = /button "Save" \[ref=(\w+)\]/.exec(seen) ?? [];
    expect(await model.call('click', { tab, ref })).toContain('Done: saved');
    expect(await page.evaluate('order.join(" ")')).toBe(
      'pointerover pointerdown mousedown focus pointerup mouseup click',
    );
    void model.call('wait_for', { tab, text: 'nowhere', seconds: 25 });
    await vi.waitUntil(async () => (await statusOf('wait_for')) === 'running');
    const isMarked = () => page.evaluate(`${atStop}?.parentNode === document.documentElement`);
    expect(await isMarked()).toBe(true);
    await page.evaluate(`${atStop}.click()`);
    expect(await page.evaluate(`[${atStop}.shadowRoot, ${atStop}.textContent]`)).toEqual([null, '']);
    expect(await statusOf('wait_for')).toBe('running');
    const { x, y } = (await page.evaluate(`({ x: ${STOP_X}, y: ${STOP_Y} })`)) as { x: number; y: number };
    await page.mouse.click(x, y);
    await vi.waitUntil(async () => (await statusOf('wait_for')) === 'cancelled');
    await vi.waitUntil(async () => !(await isMarked()));
    expect(firefox.complaints).toEqual([]);
    await page.close();
  });

  it('hands over to the user on a card, and goes on with the page as it is once they press Continue', async () => {
    const { page, tab } = await visit('/act');
    const chat = await startRun();
    const told = model.call('ask_user', { tab, what: 'Sign in', why: 'Members only' });
    const panel = await firefox.open('sidepanel.html');
    await panel.locator(named('button', 'History')).click();
    await (await panel.waitForSelector('[aria-label="History"] li a'))?.evaluate(press);
    const card = await panel.waitForSelector(named('alertdialog', 'The model asks for your help'));
    expect(await card?.evaluate((element) => element.textContent)).toMatch(/Sign in[^]*Members only/);
    await page.evaluate("document.querySelector('h1').append(' of Ada')");
    await page.bringToFront();
    // A card ignores a click that comes too soon after it appeared.
    await vi.waitUntil(
      async () => {
        const button = await panel.$(named('button', 'Continue'));
        await button?.evaluate(press);
        return button === null;
      },
      { interval: 200 },
    );
    const said = await told;
    expect(said).toContain('The user pressed Continue.');
    expect(said).toContain('heading "Shop of Ada"');
    const [, ref] = /button "Save" \[ref=(\w+)\]/.exec(said) ?? [];
    const clicked = model.call('click', { tab, ref });
    await panel.setViewport({ width: 320, height: 600 });
    await (await panel.waitForSelector(named('button', 'More ways to allow')))?.evaluate(press);
    const menu = await panel.waitForSelector(named('menu', 'More ways to allow'));
    expect(await menu?.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    await worker.allowAll(chat);
    expect(await clicked).toContain('Done: saved');
    await model.end();
    expect(firefox.complaints).toEqual([]);
    await Promise.all([panel.close(), page.close()]);
  });

  it('follows no link of a stranger’s in a formula that lies in what is pressed', async () => {
    const { page, tab } = await visit('/act');
    await page.evaluate(`document.querySelector('h1').insertAdjacentHTML('afterend',
      '<article>By Eve <math href="/act-next" style="display: block; height: 90px"></math></article>')`);
    await worker.allowAll(await startRun());
    const [, ref] = /article \[ref=(\w+)\]/.exec(await model.call('snapshot', { tab })) ?? [];
    expect(await model.call('click', { tab, ref })).toContain('Clicked article.');
    expect(await page.evaluate('location.pathname')).toBe('/act');
    await model.end();
    await page.close();
  });

  it('photographs the page in front', async () => {
    const { page } = await visit('/act');
    await worker.allowAll(await startRun());
    expect(await model.call('screenshot', {})).toContain(`${site.url}/act`);
    await model.end();
    const made = (await calls()).find(({ toolName }) => toolName === 'screenshot');
    expect(made).toMatchObject({ status: 'success' });
    const picture = made?.result?.blocks?.find((block) => block.type === 'image');
    const url = `data:${picture?.mimeType};base64,${picture?.data}`;
    const size = `Object.assign(new Image(), { src: '${url}' }).decode()`;
    await options.evaluate(size); // throws for what is no picture
    expect(firefox.complaints).toEqual([]);
    await page.close();
  });

  it('offers no tools of pages: Firefox has no WebMCP', async () => {
    const { page } = await visit('/act');
    expect(await page.evaluate(`'modelContext' in document || 'modelContext' in navigator`)).toBe(false);
    await page.close();
  });

  describe('the zoo', () => {
    beforeAll(() => worker.command('removeProvider', provider)); // it has its own

    it.each(quick)(
      'has widgets used through Portside’s tools, of which their pages say that it worked: %s',
      async (_, part) => {
        const rows = await playAll(
          part,
          () => openZooFirefox(firefox),
          () => undefined,
        );
        expect(rows).not.toEqual([]);
        const wrong = rows.filter(({ verdict }) => verdict === 'failed' || verdict === 'false success');
        expect(wrong.map(({ group, played, told }) => [group, played.name, told])).toEqual([]);
      },
    );
  });
});

const named = (role: string, name: string): string => `::-p-aria([name="${name}"][role="${role}"])`;
const press = (element: Element): void => (element as HTMLElement).click();

const STOP_X = 'innerWidth - 45';
const STOP_Y = 'innerHeight - 30';
const atStop = `document.elementFromPoint(${STOP_X}, ${STOP_Y})`;
