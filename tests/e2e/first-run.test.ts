import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OLLAMA_PORT, startOllama, type Ollama } from '../fakes/ollama.ts';
import type { Portside } from './browser.ts';
import { borrowPortside } from './shared-browser.ts';

let portside: Portside;
afterEach(() => portside?.close());

const focused = () => portside.panel.locator(':focus').getAttribute('aria-label');

describe('the first run, with Ollama on this computer', () => {
  let ollama: Ollama | null;
  beforeEach(async ({ skip }) => {
    ollama = await startOllama(() => ({ content: 'Hello from here.' }));
    skip(ollama === null, `Something listens at port ${OLLAMA_PORT} already.`);
    portside = await borrowPortside();
  });
  afterEach(() => ollama?.close());
  const looks = () => ollama?.asked.filter((line) => line === 'GET /api/version').length;

  it('finds it, and one click leads to a working chat', async () => {
    const { panel } = portside;
    await panel.getByText('Found on this computer').waitFor();
    await panel.getByText('LM Studio and llama.cpp did not answer.').waitFor();
    expect(looks()).toBe(1);
    expect(await panel.getByText('No model, no key?').count()).toBe(0);

    await panel.getByRole('button', { name: 'Use qwen3:14b' }).click();
    await panel.getByRole('combobox', { name: 'Model' }).filter({ hasText: 'qwen3:14b' }).waitFor();
    expect(await focused()).toBe('Message');
    await panel.getByRole('textbox', { name: 'Message' }).fill('Hello');
    await panel.getByRole('button', { name: 'Send', exact: true }).click();
    await panel.getByRole('article', { name: 'Assistant' }).getByText('Hello from here.').waitFor();
  });

  it('looks again only when it is asked to', async () => {
    await portside.panel.getByText('Found on this computer').waitFor();
    const again = await portside.reopenPanel();
    await again.getByRole('button', { name: 'Look again' }).waitFor();
    const before = looks() ?? 0;
    await again.getByRole('button', { name: 'Look again' }).click();
    await expect.poll(looks).toBe(before + 1);
  });
});

describe('the first run, with nothing on this computer', () => {
  beforeEach(async () => {
    portside = await borrowPortside();
    await portside.panel.getByRole('button', { name: 'Look again' }).waitFor();
  });

  it('names what can be installed and what costs nothing', async () => {
    const recipes = portside.panel.getByRole('region', { name: 'No model, no key?' });
    const links = await recipes.getByRole('link').allTextContents();
    expect(links).toEqual(['Ollama', 'LM Studio', 'Google', 'OpenRouter', 'Groq']);
  });

  it('comes back from a key that is not added', async () => {
    const { panel } = portside;
    const add = panel.getByRole('button', { name: 'Add an API key' });
    await add.click();
    await panel.getByLabel('API key', { exact: true }).press('Escape');
    await add.waitFor();
    expect(await panel.locator(':focus').textContent()).toContain('Add an API key');
  });

  it('lets the demo model answer with a tool’s result, and say where a real one is added', async () => {
    const { panel } = portside;
    const answers = panel.getByRole('article', { name: 'Assistant' });
    const ask = async (question: string): Promise<void> => {
      await panel.getByRole('textbox', { name: 'Message' }).fill(question);
      await panel.keyboard.press('Enter');
    };
    await panel.getByRole('button', { name: 'Try the demo model' }).click();
    await panel.getByRole('combobox', { name: 'Model' }).filter({ hasText: 'scripted' }).waitFor();
    await panel.getByText('Stays on this computer').waitFor();
    expect(await focused()).toBe('Message');
    await ask('What time is it?');
    await answers.getByText('current_time answered').waitFor();
    await ask('Who wrote Moby Dick?');
    await answers.getByText('add a model in Settings, under Models').waitFor();
  });
});
