import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stream, text } from '../../fakes/model-server.ts';
import { offered, openScene, type Scene } from '../support/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
  await scene.portside.command('saveSettings', { makeTitles: false });
});
afterAll(() => scene.close());

const INSTRUCTIONS = [
  'Speak as a harbour master.',
  ...Array.from({ length: 60 }, (_, at) => `Rule ${at}.`),
].join('\n');

const page = () => scene.portside.options;
const panel = () => scene.portside.panel;
const press = (name: string, where: Locator = page().locator('body')) =>
  where.getByRole('button', { name, exact: true }).click();
const section = (name: string) => page().getByRole('region', { name });
const chip = () => panel().getByRole('button', { name: /^Project\s*Boats/ });
const folder = () =>
  panel().getByRole('region', { name: 'History' }).getByRole('group').filter({ hasText: 'Boats' });

/** What the model was told and offered with a question in the chat that is shown. */
async function asked(question: string): Promise<{ system: string; tools: string }> {
  scene.model.script(stream(text(`To ${question}`)));
  await scene.ask(question);
  await scene.articles('Assistant').getByText(`To ${question}`).waitFor();
  await scene.idle();
  const { messages = [], tools = [] } = scene.model.requests.at(-1)?.body ?? {};
  return { system: String(messages[0]?.content), tools: JSON.stringify(tools) };
}

async function choose(button: Locator, file: { name: string; text: string }): Promise<void> {
  const [chooser] = await Promise.all([page().waitForEvent('filechooser'), button.click()]);
  await chooser.setFiles({ name: file.name, mimeType: 'text/plain', buffer: Buffer.from(file.text) });
}

async function openFolder(): Promise<void> {
  await press('History', panel().locator('body'));
  await folder().getByRole('heading', { name: 'Boats' }).click();
}

it('a project’s chats have its instructions, file, note and tools, and all of it comes back from its file', async () => {
  await page().evaluate("location.hash = '#projects'");
  await page().getByText('There are no projects yet.').waitFor();
  await press('Add project');
  await page().getByRole('textbox', { name: 'Name' }).fill('Boats');
  await page().getByRole('textbox', { name: 'Instructions' }).fill(INSTRUCTIONS);
  await page().getByRole('checkbox', { name: 'Test server' }).uncheck();
  await press('Save');
  await choose(section('Files').getByRole('button', { name: 'Add file' }), {
    name: 'tides.txt',
    text: 'High water is at noon.',
  });
  await section('Files').getByRole('listitem', { name: 'tides.txt' }).waitFor();
  await press('Add note', section('Memory'));
  await page().getByRole('textbox', { name: 'Note' }).fill('I sail a red boat.');
  await press('Save');
  await page().getByText('In project Boats').waitFor();

  expect((await asked('Outside')).tools).toContain(offered('look_up'));
  await openFolder();
  await press('New chat here', folder());
  await chip().waitFor();
  const inside = await asked('Inside');
  expect(inside.system).toContain('Speak as a harbour master.');
  expect(inside.system).toMatch(/<external-\w+ file="tides\.txt">\nHigh water is at noon\./);
  expect(inside.system).toContain('- I sail a red boat.');
  expect(inside.tools).not.toContain(offered('look_up'));
  await press('Take this chat out of Boats', panel().locator('body'));
  await chip().waitFor({ state: 'detached' });
  await press('History', panel().locator('body'));
  for (const way of ['Move to project Boats', 'Take this chat out of Boats']) {
    await press('More actions for Outside', panel().locator('body'));
    await panel().getByRole('menuitem', { name: way }).click();
    const state = way.startsWith('Move') ? 'attached' : 'detached';
    await folder().getByText('Outside').waitFor({ state });
    if (state === 'attached') await folder().getByRole('heading', { name: 'Boats' }).click();
  }
  await press('Close history', panel().locator('body'));
  const out = await asked('Out');
  expect(out.system).not.toMatch(/harbour|noon|red boat/);
  expect(out.tools).toContain(offered('look_up'));
  await press('Chat settings', panel().locator('body'));
  await panel().getByRole('dialog', { name: 'Chat settings' }).getByLabel('Project').selectOption('Boats');
  await press('Close chat settings', panel().locator('body'));
  await chip().waitFor();

  await page().evaluate("location.hash = '#projects'");
  await press('Edit Boats');
  const [download] = await Promise.all([page().waitForEvent('download'), press('Export')]);
  expect(download.suggestedFilename()).toBe('Boats.json');
  const file = { name: 'Boats.json', text: await readFile(await download.path(), 'utf8') };
  await page().evaluate("location.hash = '#projects'");
  await press('Remove Boats');
  await press('Remove');
  await page().getByText('There are no projects yet.').waitFor();
  await chip().waitFor({ state: 'detached' });
  await scene.portside.command('erase', { what: 'chats' });

  await page().evaluate("location.hash = '#data'");
  const again = page().getByRole('button', { name: 'Import', exact: true });
  await choose(again, file);
  await page().getByText('1 chat added.').waitFor();
  await page().getByText('The project Boats was added and is switched off.').waitFor();
  await choose(again, file);
  await page().getByText('0 chats added, 1 already here.').waitFor();
  await openFolder();
  await folder().getByRole('link', { name: 'Inside' }).click();
  await chip().getByText('Off').waitFor();
  expect((await asked('Before')).system).not.toMatch(/noon|red boat|all chats of the project/);

  await page().evaluate("location.hash = '#projects'");
  await page().getByText('Switched off: it came from a file').waitFor();
  expect(await page().getByRole('listitem').count()).toBe(1);
  await press('Edit Boats');
  await page().getByText('Read its instructions, files and notes.').waitFor();
  const instructions = page().getByRole('textbox', { name: 'Instructions' });
  expect(await instructions.evaluate((area) => area.scrollHeight - area.clientHeight)).toBe(0);
  await section('Memory').getByText('I sail a red boat.').waitFor();
  await page().getByText('tides.txt').click();
  await page().getByText('High water is at noon.').waitFor();
  await press('Switch on');
  await chip().getByText('Off').waitFor({ state: 'detached' });
  const back = await asked('Back');
  expect(back.system).toContain('Speak as a harbour master.');
  expect(back.system).toMatch(/file="tides\.txt">\nHigh water is at noon\./);
  expect(back.system).toContain('- I sail a red boat.');
  expect(back.tools).not.toContain(offered('look_up'));
});
