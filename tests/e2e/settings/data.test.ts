import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stream, text } from '../../fakes/model-server.ts';
import { openScene, until, type Scene } from '../support/scene.ts';

let scene: Scene;
let page: Page;

beforeAll(async () => {
  scene = await openScene();
  page = scene.portside.options;
  await scene.portside.command('saveSettings', { makeTitles: false });
  for (const question of ['First question', 'Second question']) {
    scene.model.script(stream(text(`Answer to the ${question.toLowerCase()}`)));
    await scene.ask(question);
    await scene.articles('Assistant').getByText('Answer to the').waitFor();
    await scene.idle();
    await scene.portside.panel.getByRole('button', { name: 'New chat' }).click();
  }
  await page.evaluate("location.hash = '#data'");
});
afterAll(() => scene.close());

const button = (name: string) => page.getByRole('button', { name, exact: true });
const chats = async () => (await scene.portside.command('listConversations', {})).count;

/** Presses a button that saves a file. @returns its name and what is in it */
async function saved(name: string): Promise<{ name: string; content: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), button(name).click()]);
  return { name: download.suggestedFilename(), content: await readFile(await download.path(), 'utf8') };
}

async function importFile(name: string, content: string): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button('Import').click()]);
  await chooser.setFiles({ name, mimeType: 'application/json', buffer: Buffer.from(content) });
}

describe('the page Data', () => {
  it('says about how much is kept, of what', async () => {
    await page.getByText(/^About .+ used$/).waitFor();
    await page.getByText('2 chats with tool calls and attachments.').waitFor();
    await page.getByText(/^Tool results \d/).waitFor();
  });

  it('exports all chats as markdown and as JSON, and imports that without doubling what is there', async () => {
    const markdown = await saved('Markdown');
    expect(markdown.name).toMatch(/^portside-chats-\d{4}-\d\d-\d\d\.md$/);
    expect(markdown.content).toContain('Answer to the second question');
    const json = await saved('JSON');
    expect((JSON.parse(json.content) as { chats: unknown[] }).chats).toHaveLength(2);
    await importFile(json.name, json.content);
    await page.getByText('0 chats added, 2 already here.').waitFor();
    await page.getByText('2 chats with tool calls and attachments.').waitFor();
  });

  it('adds what it can of a file, and says what it left out and why', async () => {
    const { content } = await saved('JSON');
    const file = JSON.parse(content) as { chats: { conversation: { title: string } }[] };
    const broken = { conversation: { title: 'Broken one' } };
    await importFile('some.json', JSON.stringify({ ...file, chats: [file.chats[0], broken] }));
    await page.getByText('0 chats added, 1 already here, 1 left out:').waitFor();
    await page.getByText(/^Broken one: /).waitFor();
  });

  it('takes a chat as OpenAI messages, shows it, and gives it back as it was', async () => {
    const call = { name: 'look_up', arguments: '{"word":"buoy"}' };
    const chat = {
      title: 'Brought along',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'What is a buoy?' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: call }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'A float on a chain' },
        { role: 'assistant', content: 'It floats, and it stays.' },
      ],
    };
    await importFile('brought.json', JSON.stringify(chat));
    await page.getByText('1 chat added.').waitFor();
    const { panel } = scene.portside;
    await panel.getByRole('button', { name: 'History' }).click();
    await panel.getByRole('link', { name: 'Brought along' }).click();
    await scene.articles('Assistant').getByText('It floats, and it stays.').waitFor();
    await panel.getByRole('button', { name: 'Used look_up', exact: true }).click();
    await scene.toolCall('look_up').waitFor();
    await panel.getByRole('textbox', { name: 'Message' }).fill('/export');
    await panel.getByRole('option', { name: /export/ }).click();
    const [file] = await Promise.all([
      panel.waitForEvent('download'),
      panel.getByRole('button', { name: 'OpenAI messages' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('Brought along.openai.json');
    expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toEqual(chat);
  });

  it('takes a file that is dropped, and says of another’s that it is none of ours', async () => {
    await page.evaluate(`(() => {
      const data = new DataTransfer();
      data.items.add(new File(['{"a":1}'], 'other.json', { type: 'application/json' }));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    })()`);
    await page.getByText(/^other.json can’t be imported: it contains no/).waitFor();
    await importFile('broken.json', '{"a":');
    await page.getByText('broken.json can’t be imported: it is not valid JSON.').waitFor();
  });

  it('exports the settings without a secret, and adds them where they are missing', async () => {
    await scene.portside.command('savePrompt', { name: 'Short', text: 'Say it briefly.' });
    const { name, content } = await saved('Export');
    expect(name).toMatch(/^portside-settings-/);
    const { prompts } = JSON.parse(content) as { prompts: unknown[] };
    expect(prompts).toHaveLength(1);
    await importFile(name, content.replace('"Short"', '"Shorter"'));
    const shown = page.getByRole('group', { name: 'Read these texts before you import.' });
    await shown.getByText('Say it briefly.').waitFor();
    await page.keyboard.press('Escape');
    await shown.waitFor({ state: 'detached' });
    await importFile(name, content.replace('"Short"', '"Shorter"'));
    await shown.getByRole('button', { name: 'Import' }).click();
    await page.getByText('Added: 0 servers, 0 providers, 1 prompt.').waitFor();
  });

  it('erases only after the word was typed: no double click, and no Enter before', async () => {
    const before = await chats();
    await button('Erase chats').dblclick();
    const question = page.getByRole('group', { name: 'Erase all chats?' });
    const field = question.getByRole('textbox', { name: 'Type erase to confirm' });
    await field.press('Enter');
    await field.fill('yes');
    expect(await question.getByRole('button', { name: 'Erase' }).getAttribute('aria-disabled')).toBe('true');
    await field.press('Enter');
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Erase chats');
    expect(await chats()).toBe(before);
  });

  it('erases all chats, and the numbers follow', async () => {
    await button('Erase chats').click();
    const field = page.getByRole('textbox', { name: 'Type erase to confirm' });
    await field.fill('Erase');
    await field.press('Enter');
    await page.getByText('3 chats erased.').waitFor();
    await page.getByText('There is no chat yet.').waitFor();
    expect(await chats()).toBe(0);
    expect(await scene.portside.command('listServers')).toHaveLength(1);
  });

  it('erases old results, of which there may be none', async () => {
    await button('Erase results').click();
    await page.getByRole('textbox', { name: 'Type erase to confirm' }).fill('erase');
    await button('Erase').click();
    await page.getByText('0 results erased.').waitFor();
  });

  it('erases everything: it starts as on the first day', async () => {
    await page.evaluate('localStorage.setItem(\'answers\', \'[["r",{},"c"]]\')');
    await button('Erase everything').click();
    await page.getByRole('textbox', { name: 'Type erase to confirm' }).fill('erase');
    await button('Erase').click();
    await page.getByText(/^Everything was erased/).waitFor();
    await until('no server is left', async () => (await scene.portside.command('listServers')).length === 0);
    expect(await page.evaluate('localStorage.length')).toBe(0);
  });
});
