import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startOfferingServer, type OfferingServer } from '../../fakes/offering-server.ts';
import type { Portside } from '../support/browser.ts';
import { shareInstallation } from '../support/shared-browser.ts';
import { addServer, decide, server, until } from '../support/scene.ts';

const shared = shareInstallation();
let portside: Portside;
let mcp: OfferingServer;
let page: Page;
let id: number;

beforeEach(async () => {
  [portside, mcp] = await Promise.all([shared.next(), startOfferingServer()]);
  page = portside.options;
  id = await addServer(portside, server(mcp.url, { name: 'Notes' }));
});
afterEach(() => mcp.close());

const show = (tab: string) => page.evaluate(`location.hash = '#servers/${id}/${tab}'`);
const button = (name: string) => page.getByRole('button', { name, exact: true });

describe('the page of a server', () => {
  it('says how the server is, what it says of itself, and goes from tab to tab by the arrow keys', async () => {
    await show('configuration');
    await page
      .getByRole('status')
      .filter({ hasText: /^connected$/ })
      .waitFor();
    await page.getByText('Read the note first.').waitFor();
    await page.getByText('Sent to models in chats that use its tools.').waitFor();
    await page.getByRole('tab', { name: 'Configuration', exact: true }).press('ArrowRight');
    await page.getByRole('tab', { name: 'Tools', exact: true, selected: true }).waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Tools 2');
    expect(await page.evaluate('location.hash')).toBe(`#servers/${id}/tools`);
    await page.setViewportSize({ width: 320, height: 640 });
    await show('log');
    const last = page.getByRole('tab', { name: 'Log', exact: true, selected: true });
    await last.waitFor();
    await until('the tab that is shown is in sight', async () => {
      const place = await last.boundingBox();
      return place !== null && place.x + place.width <= 320;
    });
  });

  it('switches a tool and says who may call it, for all chats', async () => {
    await show('tools');
    await page
      .getByRole('row')
      .filter({ hasText: 'broken' })
      .getByText(/^Not offered to models: /)
      .waitFor();
    expect(await page.getByRole('switch', { name: 'Use broken' }).count()).toBe(0);
    await page.getByText(/^1 of 2 on, \d+ tokens$/).waitFor();
    await page.getByRole('switch', { name: 'Use ask' }).click();
    await page.getByText('0 of 2 on, 0 tokens').waitFor();
    await page.getByRole('radiogroup', { name: 'Permission for ask' }).getByText('Block').click();
    await page.getByRole('radio', { name: 'Block', checked: true }).waitFor();
    await button('Turn all on').click();
    await page.getByText(/^1 of 2 on, /).waitFor();
  });

  it('tries a tool, asks what its server asks in the middle of it, and shows the result', async () => {
    await show('tools');
    await button('Details of ask').click();
    await page.getByLabel('Arguments', { exact: true }).fill('[1]');
    await button('Run').click();
    await page.locator('[aria-invalid=true]').waitFor();
    await page.getByLabel('Arguments', { exact: true }).fill('{}');
    await button('Run').click();
    const form = page.getByRole('form', { name: 'Request from Notes' });
    await form.getByLabel('name').fill('Ada');
    await decide(form, 'Submit');
    await page.getByRole('region', { name: 'Result' }).getByText('accept: {"name":"Ada"}').waitFor();
    expect(await form.count()).toBe(0);
  });

  it('stops a try, and with it what was asked', async () => {
    await show('tools');
    await button('Details of ask').click();
    await button('Run').click();
    const form = page.getByRole('form', { name: 'Request from Notes' });
    await form.waitFor();
    await button('Stop').click();
    await form.waitFor({ state: 'detached' });
    await button('Run').waitFor();
  });

  it('lists prompts and resources, and reads a resource and a template into a preview', async () => {
    await show('prompts');
    await page.getByRole('row').filter({ hasText: 'plan' }).getByText('required').waitFor();
    await show('resources');
    await button('Preview Today’s note').click();
    await page.getByText('Buy milk').waitFor();
    await button('Hide Today’s note').click();
    await button('Preview day').click();
    await button('Read').click();
    await page.getByText('day is required.').waitFor();
    await page.getByLabel('day', { exact: true }).fill('today');
    await button('Read').click();
    await page.getByText('Buy milk').waitFor();
  });

  it('says why there is nothing to see while the server is off, and is there again when it is on', async () => {
    await show('prompts');
    const row = page.getByRole('row').filter({ hasText: 'plan' });
    await row.waitFor();
    await page.getByRole('switch', { name: 'Enabled' }).click();
    await page.getByText('Prompts appear here once the server is switched on and connected.').waitFor();
    await page.getByRole('switch', { name: 'Enabled' }).click();
    await row.waitFor();
  });

  it('shows what goes to and fro while it does, and can be held still', async () => {
    await show('log');
    const log = page.getByRole('table', { name: 'Log' });
    await log.getByText('initialize', { exact: true }).first().waitFor();
    await page.getByLabel('Log level').selectOption('warning');
    await log.getByText('result of logging/setLevel').waitFor();
    await mcp.until(() => mcp.level() === 'warning');
    await show('tools');
    await page.getByRole('row').filter({ hasText: 'ask' }).first().waitFor();
    await show('log');
    await until('the level that was chosen is shown', async () => {
      return (await page.getByLabel('Log level').inputValue()) === 'warning';
    });
    await button('Pause').click();
    await portside.command('readResource', { serverId: id, uri: 'note://today' });
    await page.getByText(/^Paused, [1-9]\d* new$/).waitFor();
    expect(await log.getByText(/resources\/read/).count()).toBe(0);
    await button('Resume').click();
    const line = log.getByRole('button', { name: /^resources\/read/ });
    await line.click();
    await log.getByText('"uri": "note://today"').first().waitFor();
    await page.getByRole('searchbox', { name: 'Search log' }).fill('nowhere to be found');
    await page.getByText('No log entries match.').waitFor();
    await page.getByRole('searchbox', { name: 'Search log' }).fill('');
    await page.getByLabel('Log level').selectOption('Level: server default');
    await log.getByText('The server keeps the level warning until it is reconnected').waitFor();

    const typed = page.getByRole('searchbox', { name: 'Search log' });
    const logging = mcp.logLines(1500);
    const said = (words: RegExp) => log.getByRole('button', { name: words });
    await said(/line \d+$/)
      .first()
      .waitFor();
    await typed.pressSequentially('line 1500');
    await logging;
    await said(/line 1500$/).waitFor();
    expect(await log.getByRole('button').count()).toBe(1);
    expect(await typed.inputValue()).toBe('line 1500');
    await typed.fill('');
    await said(/line 1499$/).waitFor();
    expect(await log.getByRole('button').count()).toBe(200);
  });

  it('keeps the newest lines of the log in sight only while scrolled to its end', async () => {
    await page.setViewportSize({ width: 900, height: 320 });
    await show('log');
    const lines = page.getByRole('button', { name: /^resources\/read/ });
    const read = async (count: number) => {
      await portside.command('readResource', { serverId: id, uri: 'note://today' });
      await lines.nth(count - 1).waitFor();
      await page.getByRole('row').filter({ hasText: 'result' }).nth(count).waitFor();
    };
    const scrollTo = (top: number) =>
      page.evaluate(
        `document.querySelector('main').scrollTop = ${top}; document.querySelector('main').scrollTop`,
      );
    const scrolled = () => page.evaluate<number>("document.querySelector('main').scrollTop");
    await read(1);
    expect(await scrolled()).toBe(0);
    // Only the page’s own part scrolls.
    expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0);
    await scrollTo(1e6);
    await read(2);
    await until('the page is at its end', () =>
      page.evaluate<boolean>(
        "{ const view = document.querySelector('main'); view.scrollTop > view.scrollHeight - view.clientHeight - 2 }",
      ),
    );
    await scrollTo(10);
    await read(3);
    expect(await scrolled()).toBe(10);
  });
});
