import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { call, stream, text } from '../../fakes/model-server.ts';
import { decide, offered, type Scene, scenes, until } from '../support/scene.ts';

const shared = scenes({ allow: ['add', 'echo'] });
let scene: Scene;
let page: Page;

beforeEach(async () => {
  scene = await shared.next();
  page = scene.portside.options;
  await page.evaluate("location.hash = '#tool-log'");
});

const rows = () => page.getByRole('row').filter({ has: page.getByRole('button') });
const row = (tool: string) => rows().filter({ hasText: tool });

/** Has the model call `add` and then say that it is done. */
async function addUp(): Promise<void> {
  const { ask, articles, model } = scene;
  model.script(
    stream(call({ id: 'c1', name: offered('add'), arguments: '{"a":2,"b":40}' })),
    stream(text('All done.')),
  );
  await ask('Add them');
  await articles('Assistant').getByText('All done.').waitFor();
}

describe('the tool log', () => {
  it('says how it fills, and shows a call with what was sent and what came back', async () => {
    await page.getByText('No calls yet.').waitFor();
    await addUp();
    await row('add').getByText('success').waitFor();
    await row('add').getByText('Test server').waitFor();
    await row('add').getByRole('button', { name: 'Show details' }).click();
    await page
      .getByRole('region', { name: 'Arguments' })
      .getByRole('treeitem')
      .filter({ hasText: /b.*40/ })
      .waitFor();
    await page.getByRole('region', { name: 'Result' }).getByText('42').waitFor();
  });

  it('is in the order of the times that it shows, also when a call waited for approval', async () => {
    const { ask, articles, model } = scene;
    await addUp();
    model.script(
      stream(
        call({ id: 'c2', name: offered('write_note'), arguments: '{"text":"buoy"}' }),
        call({ id: 'c3', name: offered('echo'), arguments: '{"message":"hi"}', index: 1 }),
      ),
      stream(call({ id: 'c4', name: offered('add'), arguments: '{"a":1,"b":1}' })),
      stream(text('Written.')),
    );
    await ask('Write it down');
    await row('echo').getByText('success').waitFor();
    await decide(scene.portside.panel.getByRole('alertdialog'), 'Allow once');
    await articles('Assistant').getByText('Written.').waitFor();
    await until('all four are listed', async () => (await rows().count()) === 4);
    const times = await page
      .getByRole('row')
      .locator('time')
      .evaluateAll((all) => all.map((each) => each.getAttribute('datetime') ?? ''));
    expect(times).toEqual(times.toSorted().toReversed());
  });

  it('says who allowed a call, and by what one ran without asking', async () => {
    const { ask, articles, model } = scene;
    const note = (id: string) => call({ id, name: offered('write_note'), arguments: '{"text":"buoy"}' });
    model.script(
      stream(call({ id: 'c1', name: offered('echo'), arguments: '{"message":"hi"}' })),
      stream(note('c2')),
      stream(note('c3')),
      stream(text('Written.')),
    );
    await ask('Write it down');
    await decide(scene.portside.panel.getByRole('alertdialog'), 'Allow for this chat');
    await articles('Assistant').getByText('Written.').waitFor();
    await row('write_note').nth(1).waitFor();
    for (let each = 0; each < 3; each += 1)
      await page.getByRole('button', { name: 'Show details' }).first().click();
    await page.getByText('Ran without asking: always allowed.', { exact: true }).waitFor();
    await page.getByText('You allowed it for this chat.').waitFor();
    await page.getByText('Ran without asking: allowed for this chat.', { exact: true }).waitFor();
  });

  it('follows a call while it runs', async () => {
    scene.mcp.hold('add');
    const adding = addUp();
    await row('add').getByText('running').waitFor();
    scene.mcp.release('add');
    await adding;
    await row('add').getByText('success').waitFor();
  });

  it('is searched in arguments and results, and filtered by status and server', async () => {
    await addUp();
    await row('add').waitFor();
    const search = page.getByRole('searchbox', { name: 'Search tool log' });
    await search.fill('nowhere');
    await page.getByText('No calls match.').waitFor();
    await search.fill('42');
    await row('add').waitFor();
    await page.getByRole('combobox', { name: 'Status' }).selectOption('error');
    await page.getByText('No calls match.').waitFor();
    await page.getByRole('combobox', { name: 'Status' }).selectOption('success');
    await row('add').waitFor();
    await page.getByRole('combobox', { name: 'Server' }).selectOption('Test server');
    await row('add').waitFor();
    expect(new URL(page.url()).hash).toBe('#tool-log/1');
  });

  it('has the calls that the user made, and is exported with all that they hold', async () => {
    const request = {
      callId: crypto.randomUUID(),
      fullName: offered('echo'),
      arguments: { message: 'ahoy' },
    };
    await scene.portside.command('callTool', request);
    await page.reload();
    await row('echo').getByText('called by you').waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toMatchObject([
      { toolName: 'echo', arguments: '{"message":"ahoy"}', status: 'success', result: { isError: false } },
    ]);
  });

  it('loads more at the end of a page, of thousands of calls too, and finds the rare one among them', async () => {
    await addUp();
    await fill(3000);
    await page.reload();
    await page.getByText('Latest 50 calls').waitFor();
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByText('Latest 100 calls').waitFor();
    await page.getByRole('searchbox', { name: 'Search tool log' }).fill('number-17-');
    await page.getByText('1 call', { exact: true }).waitFor();
  });

  it('keeps as many calls as the user says', async () => {
    await addUp();
    await fill(300);
    await page.evaluate("location.hash = '#general'");
    const most = page.getByLabel('Calls kept in the tool log');
    await most.fill('100');
    await most.blur();
    await page.evaluate("location.hash = '#tool-log'");
    await page.getByText('The latest 100 are kept').waitFor();
    await page.getByRole('searchbox', { name: 'Search tool log' }).fill('number-299-');
    await page.getByText('1 call', { exact: true }).waitFor();
    await page.getByRole('searchbox', { name: 'Search tool log' }).fill('number-3-');
    await page.getByText('No calls match.').waitFor();
  });
});

/** Writes copies of the logged call, older than it, in no chat; with results of 2 kB. */
async function fill(count: number): Promise<void> {
  await page.evaluate(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('portside');
    opening.onsuccess = () => {
      const writing = opening.result.transaction('toolCalls', 'readwrite');
      const calls = writing.objectStore('toolCalls');
      calls.getAll().onsuccess = ({ target }) => {
        const call = target.result[0];
        for (let number = 0; number < ${count}; number++) {
          const id = 'old-' + String(number).padStart(6, '0');
          const text = 'number-' + number + '- ' + 'lorem ipsum '.repeat(170);
          const createdAt = new Date(Date.parse(call.createdAt) - 1e8 + number).toISOString();
          calls.put({ ...call, callId: id, messageId: id, conversationId: '', createdAt, result: { text, isError: false } });
        }
      };
      writing.oncomplete = () => { opening.result.close(); resolve(); };
      writing.onerror = () => reject(writing.error);
    };
  })`);
}
