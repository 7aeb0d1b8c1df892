import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NEW_CHAT } from '../../../lib/protocol/chats.ts';
import { gate, stream, text } from '../../fakes/model-server.ts';
import { openScene, until, type Scene } from '../support/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
  scene.model.otherwise(stream(text('So be it.')));
});
afterAll(() => scene.close());

const panel = () => scene.portside.panel;
const options = () => scene.portside.options;
const field = () => panel().getByRole('textbox', { name: 'Message' });
const menu = () => panel().getByRole('listbox', { name: 'Prompts and commands' });
const form = (name: string) => panel().getByRole('form', { name });
const button = (name: string) => panel().getByRole('button', { name, exact: true });
const becomes = (words: string) =>
  until(`the message becomes “${words}”`, async () => (await field().inputValue()) === words);

beforeEach(async () => {
  await scene.portside.command('saveSettings', { enterSends: true, whileLive: 'queue' });
  // The last test's draft would come in front of what this one types, whenever the worker has read it.
  await field().fill('');
  await scene.portside.command('saveDraft', { conversationId: NEW_CHAT, text: '' });
  await button('New chat').click();
});

/** Types `/` and what follows, and takes an entry. */
async function take(query: string, option: RegExp | string): Promise<void> {
  await field().press('Home');
  await field().pressSequentially(`/${query}`);
  await menu().getByRole('option', { name: option }).click();
}
async function ask(words: string): Promise<void> {
  await scene.ask(words);
  await scene.articles('Assistant').last().getByText('So be it.').waitFor();
  await scene.idle();
}

describe('saved prompts', () => {
  it('are written, changed and removed in the settings, with what is wrong said at the field', async () => {
    const page = options();
    await page.goto(`${page.url().split('#')[0]}#general`);
    await page.getByRole('link', { name: 'Write a prompt' }).click();
    await page.getByRole('button', { name: 'Add prompt' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Name is required').waitFor();
    await page.getByText('Text is required').waitFor();
    await page.getByLabel('Name').fill('Weekly report');
    await page.getByLabel('Text').fill('Report on {{topic}} for {{readers}}.');
    await page.getByText('Asks for topic, readers.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    const row = page.getByRole('listitem', { name: 'Weekly report' });
    await row.getByText('Report on {{topic}}').waitFor();

    await page.getByRole('button', { name: 'Add prompt' }).click();
    await page.getByLabel('Name').fill('weekly REPORT');
    await page.getByLabel('Text').fill('Other');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Another prompt has this name').waitFor();
    await page.getByLabel('Name').fill('Other');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Edit Other' }).click();
    await page.getByLabel('Text').fill('Another text');
    await page.getByRole('button', { name: 'Save' }).click();
    const other = page.getByRole('listitem', { name: 'Other' });
    await other.getByText('Another text').waitFor();
    await page.getByRole('button', { name: 'Remove Other' }).click();
    await other.getByRole('button', { name: 'Remove', exact: true }).click();
    await other.waitFor({ state: 'detached' });
    expect(await row.count()).toBe(1);
  });

  it('ask for their variables, and put their text into the message', async () => {
    await take('wee', /Weekly report/);
    const asked = form('Arguments for Weekly report');
    await asked.getByRole('button', { name: 'Insert' }).click();
    await asked.getByText('topic is required.').waitFor();
    await asked.getByRole('combobox', { name: 'topic' }).fill('harbours');
    await asked.getByRole('combobox', { name: 'readers' }).fill('sailors');
    await asked.getByRole('button', { name: 'Insert' }).click();
    await becomes('Report on harbours for sailors.');
  });

  it('can be made of what is written', async () => {
    await field().fill('Say it in one sentence.');
    await take('', /Save this text as a prompt/);
    const asked = form('Save as prompt');
    await asked.getByRole('button', { name: 'Save', exact: true }).click();
    await asked.getByText('Name is required').waitFor();
    await asked.getByRole('textbox', { name: 'Name' }).fill('Short');
    await asked.getByRole('button', { name: 'Save', exact: true }).click();
    await asked.waitFor({ state: 'detached' });
    await becomes('Say it in one sentence.');
    await field().fill('');
    await take('short', /Short/);
    await becomes('Say it in one sentence.');
  });

  it('are made of no empty message: that is said, and the focus goes back to it', async () => {
    await field().fill('/save');
    await panel().getByRole('option', { name: 'Save this text as a prompt' }).waitFor();
    await field().press('Enter');
    await form('Save as prompt').getByRole('button', { name: 'Type some text' }).press('Enter');
    await form('Save as prompt').waitFor({ state: 'detached' });
    await becomes('');
    expect(await field().evaluate((node) => node === document.activeElement)).toBe(true);
  });
});

describe('the / menu', () => {
  it('renames, shortens, exports and deletes the chat, and begins a new one', async () => {
    await ask('What is a harbour?');
    await take('ren', /Rename this chat/);
    await form('Rename chat').getByRole('textbox', { name: 'Title' }).fill('All about: harbours');
    await button('Rename').click();
    await panel().getByRole('heading', { level: 1, name: 'All about: harbours' }).waitFor();

    await ask('And a pier?');
    scene.model.script(stream(text('They spoke of harbours.')));
    await take('comp', /Summarise earlier messages/);
    await panel()
      .getByRole('button', { name: /^Earlier messages summarised/ })
      .click();
    await panel().getByText('They spoke of harbours.').waitFor();
    await scene.idle();

    await take('exp', /Save as Markdown or JSON/);
    const saving = panel().waitForEvent('download');
    await form('Export chat').getByRole('button', { name: 'Markdown' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe('All about harbours.md');
    expect(await readFile(await saved.path(), 'utf8')).toContain('What is a harbour?');

    await take('del', /Delete this chat/);
    await panel().getByRole('heading', { level: 1, name: 'New chat' }).waitFor();
    await ask('Another one');
    await take('new', /New chat/);
    await panel().getByRole('heading', { level: 1, name: 'New chat' }).waitFor();
    await becomes('');
  });
});

describe('Enter', () => {
  it('breaks the line where the user wants that, and Ctrl+Enter sends', async () => {
    await scene.portside.command('saveSettings', { enterSends: false });
    await until(
      'the panel knows',
      async () => (await button('Send').getAttribute('aria-keyshortcuts')) === 'Control+Enter',
    );
    await field().pressSequentially('One');
    await field().press('Enter');
    await field().pressSequentially('two');
    expect(await field().inputValue()).toBe('One\ntwo');
    await field().press('Control+Enter');
    await scene.articles('You').getByText('One').waitFor();
    await scene.idle();
  });

  it('ends a live run where the user wants that', async () => {
    await scene.portside.command('saveSettings', { whileLive: 'now' });
    const pause = gate();
    scene.model.script(stream(text('Thinking of '), pause, text('it.')), stream(text('At once.')));
    await scene.ask('First');
    await pause.reached;
    await until(
      'the panel knows',
      async () => (await button('Send').getAttribute('title')) === 'Stop the answer and send (Enter)',
    );
    await field().fill('Second');
    await field().press('Enter');
    await scene.articles('Assistant').last().getByText('At once.').waitFor();
    pause.open();
    await scene.idle();
    expect(await panel().getByRole('group', { name: 'Queued message' }).count()).toBe(0);
  });

  it('is not meant for sending while a character is composed', async () => {
    await field().fill('kanji');
    await field().evaluate((area) =>
      area.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true }),
      ),
    );
    expect(await field().inputValue()).toBe('kanji');
    expect(await scene.articles('You').count()).toBe(0);
  });
});

describe('Up in an empty message', () => {
  it('takes the queued message back', async () => {
    const pause = gate();
    scene.model.script(stream(text('Thinking of '), pause, text('it.')));
    await scene.ask('First');
    await pause.reached;
    await scene.ask('Second');
    await panel().getByRole('group', { name: 'Queued message' }).waitFor();
    await field().press('ArrowUp');
    await becomes('Second');
    pause.open();
    await scene.idle();
    await field().fill('');
  });
});

describe('a draft', () => {
  it('stays with its chat, and undoing in one brings nothing of the other', async () => {
    await ask('Begin');
    const title = await panel().getByRole('heading', { level: 1 }).innerText();
    await field().pressSequentially('For this chat');
    await button('New chat').click();
    await becomes('');
    await field().pressSequentially('For a new one');
    await button('History').click();
    await panel().getByRole('link', { name: title }).first().click();
    await becomes('For this chat');
    await field().press('Control+z');
    expect(await field().inputValue()).not.toContain('new one');
    await field().fill('');
  });
});
