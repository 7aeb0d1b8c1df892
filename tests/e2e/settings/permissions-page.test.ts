import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, stream, text } from '../../fakes/model-server.ts';
import { decide, offered, openScene, type Scene } from '../support/scene.ts';

let scene: Scene;
let page: Page;

beforeAll(async () => {
  scene = await openScene();
  page = scene.portside.options;
  await page.evaluate("location.hash = '#permissions'");
});
afterAll(() => scene.close());

const defaultFor = (tier: string) => page.getByRole('radiogroup', { name: `Default for ${tier}` });
const choose = (tier: string, word: string) => defaultFor(tier).getByText(word, { exact: true }).click();
const chosen = (tier: string, word: string) =>
  defaultFor(tier).getByRole('radio', { name: word, checked: true });
const grants = () => page.getByRole('table', { name: 'Grants' });
const grant = (tool: string) => grants().getByRole('row').filter({ hasText: tool });

/** Has the model call a tool once, and then say a word of its own. */
async function callFor(tool: string, args: object, end: string): Promise<void> {
  scene.model.script(
    stream(call({ id: 'c1', name: offered(tool), arguments: JSON.stringify(args) })),
    stream(text(end)),
  );
  await scene.ask(`Use ${tool}`);
}

describe('the page Permissions', () => {
  it('has a default for each tier, and none that allows what is destructive', async () => {
    await chosen('Reads', 'Allow').waitFor();
    for (const tier of ['Writes', 'Sends data out', 'Destructive']) await chosen(tier, 'Ask').waitFor();
    expect(await defaultFor('Destructive').getByRole('radio').count()).toBe(2);
    expect(await defaultFor('Writes').getByRole('radio').count()).toBe(3);
    await page.getByText('Allow only works for servers you trust').waitFor();
    await page.getByText('No grants yet.').waitFor();
  });

  it('takes a default at once: a blocked tier runs nothing, and Ask asks again', async () => {
    await choose('Writes', 'Block');
    await chosen('Writes', 'Block').waitFor();
    await callFor('write_note', { text: 'Hi' }, 'It was blocked.');
    await scene.articles('Assistant').getByText('It was blocked.').waitFor();
    expect(scene.mcp.executions).toEqual([]);
    await choose('Writes', 'Ask');
    await chosen('Writes', 'Ask').waitFor();
  });

  it('says which line of the sites where nothing may be done is no host, and keeps what was typed', async () => {
    const field = page.getByRole('textbox', { name: 'Sites where nothing may be done' });
    const typed = 'bank.example\nshop.*\nmy bank';
    await field.fill(typed);
    await field.blur();
    await page.getByText('Line 2: “shop.*” isn’t blocked. A * can only stand at the beginning.').waitFor();
    await page.getByText('Line 3: “my” isn’t blocked. This is no host.').waitFor();
    expect(await field.inputValue()).toBe(typed);
    await field.fill('bank.example');
    await field.blur();
    await page.getByText('isn’t blocked').first().waitFor({ state: 'detached' });
    await field.fill('x'.repeat(20_800));
    await field.blur();
    await page.getByText('Not saved: this has 20,800 characters, and at most 20,000 are kept.').waitFor();
    await field.fill('shop.*');
    await field.blur();
    await page.getByText('Line 1: “shop.*” isn’t blocked.').waitFor();
    await field.fill('bank.example');
    await field.blur();
    await page.getByText('isn’t blocked').first().waitFor({ state: 'detached' });
  });

  it('lists what was allowed, where and when, and counts its use', async () => {
    await callFor('write_note', { text: 'One' }, 'Noted once.');
    await decide(scene.portside.panel.getByRole('alertdialog'), 'Allow for this chat');
    await scene.articles('Assistant').getByText('Noted once.').waitFor();
    await grant('write_note').getByText('This chat: Use write_note').waitFor();
    await grant('write_note').getByText('Test server').waitFor();
    await grant('write_note')
      .getByText(/^Today \d\d:\d\d$/)
      .waitFor();
    await callFor('write_note', { text: 'Two' }, 'Noted twice.');
    await scene.articles('Assistant').getByText('Noted twice.').waitFor();
    await grant('write_note').getByText('2 times').waitFor();
    await grant('write_note')
      .getByText(/^last: Today \d\d:\d\d$/)
      .waitFor();
    await callFor('add', { a: 1, b: 2 }, 'Added.');
    await decide(scene.portside.panel.getByRole('alertdialog'), 'Always allow');
    await scene.articles('Assistant').getByText('Added.').waitFor();
    await grant('add').getByText('Always').waitFor();
  });

  it('exports them, with how far each reaches and when it was used', async () => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toEqual([
      expect.objectContaining({ toolName: 'add', serverName: 'Test server', isVoid: false }),
      expect.objectContaining({
        toolName: 'write_note',
        chatTitle: 'Use write_note',
        given: expect.objectContaining({ used: 2, usedAt: expect.any(String) }),
      }),
    ]);
  });

  it('revokes one, and the tool asks again', async () => {
    await grant('write_note').getByRole('button', { name: 'Revoke', exact: true }).click();
    await grant('write_note').waitFor({ state: 'detached' });
    const before = scene.mcp.executions.length;
    await callFor('write_note', { text: 'Three' }, 'Denied then.');
    await decide(scene.portside.panel.getByRole('alertdialog'), 'Deny');
    await scene.articles('Assistant').getByText('Denied then.').waitFor();
    expect(scene.mcp.executions).toHaveLength(before);
  });

  it('revokes all after a question', async () => {
    await page.getByRole('button', { name: 'Revoke all' }).click();
    const question = page.getByRole('group', { name: 'Revoke the grant?' });
    await question.getByRole('button', { name: 'Keep' }).click();
    await grant('add').waitFor();
    await page.getByRole('button', { name: 'Revoke all' }).click();
    await question.getByRole('button', { name: 'Revoke all' }).click();
    await page.getByText('No grants yet.').waitFor();
    expect(await scene.portside.command('listGrants')).toEqual([]);
  });

  it('lists the sites that the browser lets it reach, and what uses them', async () => {
    const sites = page.getByRole('table', { name: 'Sites' });
    const site = sites.getByRole('row').filter({ hasText: 'Every http address' });
    await site.getByText('Server Test server, Models of Test models').waitFor();
    await sites
      .getByRole('row')
      .filter({ hasText: 'Every https address' })
      .getByText('Pages you add')
      .waitFor();
  });
});
