import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withLanguageModel } from './browser-model.ts';
import { openPortside, type Portside } from '../support/browser.ts';
import { readRows } from '../support/rows.ts';

describe('the browser’s own model', () => {
  let portside: Portside;
  let folder = '';
  beforeAll(async () => {
    portside = await openPortside({ altered: (built) => (folder = withLanguageModel(built)) });
  });
  afterAll(async () => {
    await portside?.close();
    if (folder !== '') rmSync(folder, { recursive: true });
  });

  const put = (key: string) => portside.options.evaluate((name) => localStorage.setItem(name, 'yes'), key);
  const kept = (key: string) => portside.options.evaluate((name) => localStorage.getItem(name), key);
  const ask = async (question: string): Promise<void> => {
    await portside.panel.getByRole('textbox', { name: 'Message' }).fill(question);
    await portside.panel.keyboard.press('Enter');
  };
  const answers = () => portside.panel.getByRole('article', { name: 'Assistant' });
  const year = String(new Date().getFullYear());

  it('is offered, and its download can be cancelled', async () => {
    const { panel } = portside;
    const use = panel.getByRole('button', { name: 'Use the browser’s own model' });
    await use.click();
    await panel.getByText('Downloading: 40%').waitFor();
    await panel.keyboard.press('Escape');
    await use.waitFor();
    expect(await panel.locator(':focus').textContent()).toContain('Use the browser’s own model');
    expect(await kept('downloaded')).toBe(null);
  });

  it('is downloaded in the click, chosen, and answers with a tool’s result', async () => {
    const { panel } = portside;
    await panel.getByRole('button', { name: 'Use the browser’s own model' }).click();
    await panel.getByText('Downloading: 40%').waitFor();
    await put('go');
    await panel.getByRole('combobox', { name: 'Model' }).filter({ hasText: 'Browser’s own model' }).waitFor();
    await panel.getByText('Stays on this computer').waitFor();
    expect(await panel.locator(':focus').getAttribute('aria-label')).toBe('Message');
    const known = async () =>
      (await readRows(portside.options, 'models')).map(({ id, found }) => [id, found.contextWindow]);
    await expect.poll(known).toEqual([['built-in', 9216]]);

    await ask('What year is it?');
    await answers().getByText(`It is ${year}.`).waitFor();
    const calls = await readRows(portside.options, 'toolCalls');
    expect(calls.at(-1)).toMatchObject({ toolName: 'current_time', status: 'success' });
    expect(portside.complaints()).toEqual([]);
  });

  it('is asked again when the worker ended in the middle of its answer, whose prompt is aborted', async () => {
    await put('slow');
    await ask('And now?');
    await answers().nth(1).getByText('It is').waitFor();
    await portside.endWorker();
    await expect.poll(() => kept('no answer')).toBe('yes');
    await put('answer');
    await answers().nth(1).getByText(`It is ${year}.`).waitFor();
    expect(portside.complaints()).toEqual([]);
  });

  it('leaves no document behind when nothing is asked of it', async () => {
    const found = `chrome.runtime.getContexts({ contextTypes: ['OFFSCREEN_DOCUMENT'] })`;
    await expect.poll(() => portside.options.evaluate(`${found}.then(({ length }) => length)`)).toBe(0);
  });

  it('calls a tool by the browser’s own means, where it has them', async () => {
    await put('own tools');
    await ask('Once more?');
    await answers().nth(2).getByText(`By its own means: ${year}.`).waitFor();
    const calls = await readRows(portside.options, 'toolCalls');
    expect(calls.at(-1)).toMatchObject({ toolName: 'current_time', status: 'success' });
    expect(portside.complaints()).toEqual([]);
  });
});
