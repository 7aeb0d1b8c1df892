import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { call, gate, stream, text } from '../../fakes/model-server.ts';
import { conversation } from '../../state/fake-worker.ts';
import { writeRows } from '../support/rows.ts';
import { decide, offered, scenes, type Scene, until } from '../support/scene.ts';

let scene: Scene;
const shared = scenes();

beforeEach(async () => {
  scene = await shared.next();
  await page().reload(); // the history closes, with what could be undone there
});

const page = () => scene.portside.panel;
const button = (name: string) => page().getByRole('button', { name, exact: true });
const drawer = () => page().getByRole('region', { name: 'History' });
const row = (title: string) => drawer().getByRole('listitem').filter({ hasText: title });
const search = () => page().getByRole('searchbox', { name: 'Search chats' });
const answer = (words: string) => scene.articles('Assistant').filter({ hasText: words });
const titles = () => drawer().getByRole('link').allInnerTexts();
const list = (...expected: string[]) =>
  until(`the list is ${expected.join()}`, async () => (await titles()).join() === expected.join());

/** Asks in a new chat, which is then called so. */
async function begin(question: string, reply: string): Promise<void> {
  await button('New chat').click();
  await talk(question, reply);
}

async function talk(question: string, reply: string): Promise<void> {
  scene.model.script(stream(text(reply)));
  await scene.ask(question);
  await answer(reply).waitFor();
  await scene.idle();
}

async function choose(title: string, way: string): Promise<void> {
  await button(`More actions for ${title}`).click();
  await page().getByRole('menuitem', { name: way, exact: true }).click();
}

describe('the list of chats', () => {
  beforeEach(async () => {
    await scene.portside.command('saveSettings', { makeTitles: false });
    await begin('Anchors', 'Heavy.');
    await begin('Buoys', 'They float.');
    await button('History').click();
    await row('Anchors').waitFor();
  });

  it('renames, pins and archives a chat', async () => {
    await choose('Anchors', 'Rename');
    await page().getByRole('textbox', { name: 'New title for Anchors' }).fill('Ground tackle');
    await page().keyboard.press('Enter');
    await row('Ground tackle').waitFor();
    await row('Ground tackle').getByRole('button', { name: 'Pin chat' }).click();
    await drawer().getByRole('list', { name: 'Pinned' }).getByText('Ground tackle').waitFor();
    await list('Ground tackle', 'Buoys');
    await row('Ground tackle').getByRole('button', { name: 'Unpin chat' }).click();
    await drawer().getByRole('list', { name: 'Pinned' }).waitFor({ state: 'detached' });
    await choose('Ground tackle', 'Archive');
    await row('Ground tackle').waitFor({ state: 'detached' });
    await drawer().getByText('1 chat', { exact: true }).waitFor();
    await drawer().getByRole('status').getByText('Chat archived').waitFor();
    await button('Undo').click();
    await row('Ground tackle').waitFor();
    await choose('Ground tackle', 'Archive');
    await button('Archived').click();
    await list('Ground tackle');
    await choose('Ground tackle', 'Unarchive');
    await row('Ground tackle').waitFor({ state: 'detached' });
    await button('Archived').click();
    await until('both are there', async () => (await titles()).toSorted().join() === 'Buoys,Ground tackle');
  });

  it('deletes chats and gives each of them back, also the one that is shown', async () => {
    await choose('Buoys', 'Delete');
    await choose('Anchors', 'Delete');
    await drawer().getByText('No chats yet').waitFor();
    await button('Undo: Buoys').click();
    await list('Buoys');
    await button('Undo').click();
    await row('Anchors').waitFor();
    expect(await search().evaluate((field) => field === document.activeElement)).toBe(true);
    await button('Close history').click();
    await answer('They float.').waitFor();
  });

  it('gives a deleted chat back in a panel that is opened anew, and has each chat under its day', async () => {
    const days = ['2020-03-14', '2020-03-02', '2019-12-30'];
    const yesterday = new Date(Date.now() - 86_400_000).toISOString();
    const old = [yesterday, ...days.map((day) => `${day}T12:00:00.000Z`)];
    await writeRows(
      scene.portside.options,
      'conversations',
      old.map((updatedAt, at) => ({ ...conversation, id: `old${at}`, title: `Old ${at}`, updatedAt })),
    );
    await choose('Anchors', 'Delete');
    await row('Anchors').waitFor({ state: 'detached' });
    await scene.portside.reopenPanel();
    await button('History').click();
    await drawer().getByRole('status').getByText('Chat deleted · Anchors').waitFor();
    await button('Undo').click();
    await list('Buoys', 'Anchors', 'Old 0', 'Old 1', 'Old 2', 'Old 3');
    const under = (day: string) =>
      drawer().getByRole('list', { name: day, exact: true }).getByRole('link').allInnerTexts();
    expect(await drawer().getByRole('heading', { level: 3 }).allInnerTexts()).toEqual([
      'Today',
      'Yesterday',
      'March 2020',
      'December 2019',
    ]);
    expect(await under('Yesterday')).toEqual(['Old 0']);
    expect(await under('March 2020')).toEqual(['Old 1', 'Old 2']);
  });

  it('saves a chat as a file', async () => {
    const [file] = await Promise.all([
      page().waitForEvent('download'),
      choose('Buoys', 'Export as Markdown'),
    ]);
    expect(file.suggestedFilename()).toBe('Buoys.md');
    const saved = await readFile(await file.path(), 'utf8');
    expect(saved).toContain('They float.');
    expect(saved).not.toContain('Heavy.');
    const [json] = await Promise.all([page().waitForEvent('download'), choose('Buoys', 'Export as JSON')]);
    expect(json.suggestedFilename()).toBe('Buoys.json');
    expect(JSON.stringify(JSON.parse(await readFile(await json.path(), 'utf8')))).toContain('They float.');
  });

  it('is walked with the arrows, and gives the focus back', async () => {
    await until('the search has the focus', () =>
      search().evaluate((node) => node === document.activeElement),
    );
    await page().keyboard.press('ArrowDown');
    await page().keyboard.press('ArrowDown');
    expect(await page().evaluate(() => document.activeElement?.textContent)).toBe('Anchors');
    await page().keyboard.press('Enter');
    await answer('Heavy.').waitFor();
    await button('History').click();
    await search().press('Escape');
    await drawer().waitFor({ state: 'detached' });
    await until('the focus is back', () =>
      button('History').evaluate((node) => node === document.activeElement),
    );
  });
});

describe('a search', () => {
  it('finds what was said, marks it, and opens the chat there', async () => {
    await begin('Tides at Brest', 'The rare word is semidiurnal.');
    for (const count of [1, 2, 3]) await talk(`More ${count}`, `${'Long answer. '.repeat(400)} ${count}.`);
    await begin('Another thing', 'Nothing of it.');
    await button('History').click();
    await search().fill('semidiurn');
    const hit = drawer().getByRole('link').filter({ hasText: 'semidiurnal' });
    await hit.waitFor();
    expect(await hit.locator('mark').allInnerTexts()).toEqual(['semidiurnal']);
    expect(await drawer().getByRole('link').count()).toBe(1);
    await search().fill('brest');
    const titled = drawer().getByRole('link').filter({ hasText: 'Tides at Brest' });
    await titled.locator('mark').filter({ hasText: 'Brest' }).first().waitFor();
    await search().fill('nowheretobefound');
    await drawer().getByText('No chats match.').waitFor();
    await search().fill('semidiurn');
    await hit.click();
    await answer('semidiurnal').waitFor();
    await until('the message is in view', () =>
      answer('semidiurnal').evaluate((node) => {
        const { top, bottom } = node.getBoundingClientRect();
        return top < innerHeight && bottom > 0;
      }),
    );
  });

  it('opens what a tool answered, in the call that stands folded', async () => {
    await scene.portside.command('setTool', { serverId: 1, name: 'echo', permission: 'allow' });
    const echo = (message: string, index: number) =>
      call({ id: `c${index}`, name: offered('echo'), arguments: JSON.stringify({ message }), index });
    scene.model.script(stream(echo('a horse', 0), echo('a zebrafish', 1)), stream(text('Both done.')));
    await scene.ask('Echo twice');
    await answer('Both done.').waitFor();
    await scene.idle();
    await begin('Another thing', 'Nothing of it.');
    await button('History').click();
    await search().fill('zebrafish');
    await drawer().getByRole('link').filter({ hasText: 'zebrafish' }).click();
    const opened = scene.toolCall('echo').filter({ hasText: 'a zebrafish' });
    await opened.getByText('a zebrafish').last().waitFor();
    expect(await scene.toolCall('echo').filter({ hasText: 'a horse' }).count()).toBe(0);
    await until('it is in view', () =>
      opened.evaluate((node) => {
        const { top, bottom } = node.getBoundingClientRect();
        return top < innerHeight && bottom > 0;
      }),
    );
  });
});

describe('a chat', () => {
  it('that goes on beside the one shown is marked in the list, and ends there', async () => {
    const pause = gate();
    scene.model.script(stream(text('Slow '), pause, text('answer.')));
    await scene.ask('Slow question');
    await pause.reached;
    await begin('Quick question', 'Quick answer.');
    await button('History').click();
    await row('Slow question').getByText('Running').waitFor();
    pause.open();
    await row('Slow question').getByText('Running').waitFor({ state: 'detached' });
    await row('Slow question').getByRole('link').click();
    await answer('Slow answer.').waitFor();
  });

  it('that waits for the user is marked there and at the button, which says how many do', async () => {
    const pause = gate();
    const note = call({ id: 'n1', name: offered('write_note'), arguments: '{"text":"a"}' });
    scene.model.script(stream(pause, note), stream(text('Noted.')));
    await scene.ask('Note it');
    await pause.reached;
    await button('New chat').click();
    pause.open();
    await button('History, 1 chat needs you').click();
    await row('Note it').getByText('Needs approval').waitFor();
    await row('Note it').getByRole('link').click();
    await decide(page().getByRole('alertdialog'), 'Allow once');
    await answer('Noted.').waitFor();
    await button('History').click();
    await row('Note it').getByText('Needs approval').waitFor({ state: 'detached' });
  });

  it('is shown again by a panel that is opened anew in its window, though another one is newer', async () => {
    await begin('First', 'One.');
    await begin('Second', 'Two.');
    await button('History').click();
    await row('First').getByRole('link').click();
    await answer('One.').waitFor();
    await scene.portside.reopenPanel();
    await answer('One.').waitFor();
    await scene.portside.endWorker();
    await scene.portside.reopenPanel();
    await answer('One.').waitFor();
    expect(await page().title()).toContain('First');
  });

  it('is renamed in the bar by a double click', async () => {
    await begin('Old name', 'Fine.');
    await page().getByRole('heading', { name: 'Old name' }).dblclick();
    await page().getByRole('textbox', { name: 'New title for Old name' }).fill('New name');
    await page().keyboard.press('Enter');
    await page().getByRole('heading', { name: 'New name' }).waitFor();
  });
});
