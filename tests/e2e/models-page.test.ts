import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answer, call, gate, stream, text } from '../fakes/model-server.ts';
import { openScene, type Scene } from './scene.ts';

let scene: Scene;
let page: Page;

beforeEach(async () => {
  scene = await openScene();
  page = scene.portside.options;
  // What Chromium itself writes to the console for a request that a server refuses.
  scene.portside.expectComplaint(/Failed to load resource/);
  await openModels();
});
afterEach(() => scene.close());

const button = (name: string, within: Page | Locator = page) =>
  within.getByRole('button', { name, exact: true });
const field = (name: string) => page.getByLabel(name, { exact: true });
const testResult = () => page.getByRole('region', { name: 'Test result' });
const saysAhoy = stream(call({ id: 'c1', name: 'say_word', arguments: '{"word":"ahoy"}' }));
const refusesTools = answer(400, { error: { message: 'test-model does not support tools' } });

const openModels = () => page.getByRole('link', { name: 'Models' }).first().click();

/** Types a provider of OpenAI's kind that stands at the scene's model server. */
async function typeProvider(): Promise<void> {
  await button('Add provider').click();
  await field('Start from').selectOption('OpenAI');
  await field('Base URL').fill(scene.model.url);
  await field('Model').fill('test-model');
}

describe('the form of a provider', () => {
  it('says at the field that a key is missing, and after a test that it is wrong', async () => {
    await typeProvider();
    await button('Save').click();
    await page.getByText('OpenAI answers only to an API key').waitFor();
    await field('API key').fill('wrong');
    scene.model.script(answer(401, { error: { message: 'Incorrect API key provided' } }));
    await button('Test').click();
    await testResult().getByRole('alert').getByText(/key/i).first().waitFor();
    expect(scene.model.requests.at(-1)?.headers.authorization).toBe('Bearer wrong');
  });

  it('tests what is typed, in words, and saves it', async () => {
    await typeProvider();
    await field('API key').fill('right');
    scene.model.script(saysAhoy);
    await button('Test').click();
    await testResult().getByText('Called the test tool').waitFor();
    await testResult().getByText('Streams text').waitFor();
    await button('Save').click();
    await page.getByRole('region', { name: 'OpenAI', exact: true }).waitFor();
  });

  it('saves while a test runs, whose answer is not waited for', async () => {
    await typeProvider();
    await field('API key').fill('right');
    const pause = gate();
    scene.model.script(stream(pause, text('Late.')));
    await button('Test').click();
    await pause.reached;
    await button('Stop').waitFor();
    await button('Save').click();
    await page.getByRole('region', { name: 'OpenAI', exact: true }).waitFor();
    pause.open();
  });

  it('can be left, and still holds what was typed, until that is given up', async () => {
    await typeProvider();
    await page.getByRole('link', { name: 'General' }).click();
    await openModels();
    await button('Add provider').click();
    expect(await field('Model').inputValue()).toBe('test-model');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await button('Add provider').click();
    expect(await field('Model').inputValue()).toBe('');
  });
});

describe('a model', () => {
  it('of which the person says that it calls no tools gets none', async () => {
    const { ask, articles, model } = scene;
    await button('Edit test-model').click();
    await field('Context window (tokens)').fill('99999999999999999999');
    await button('Save').click();
    await page.getByText('Give a whole number of tokens, from 1 to 1,000,000,000').waitFor();
    await field('Context window (tokens)').fill('');
    await field('Tool calling').selectOption('No');
    await button('Save').click();
    await page.getByRole('table').getByText('text only').waitFor();
    model.script(stream(text('In words only.')));
    await ask('Add them');
    await articles('Assistant').getByText('In words only.').waitFor();
    expect(model.requests[0]?.body.tools).toBeUndefined();
  });

  it('that refused tools says so, and gets them again when that is forgotten', async () => {
    const { ask, articles, model } = scene;
    const provider = page.getByRole('region', { name: 'Test models', exact: true });
    model.script(refusesTools, stream(text('Ahoy!')));
    await button('Test', provider).click();
    await provider.getByText('Did not call the test tool').waitFor();
    await button('Edit test-model').click();
    const learnt = page.getByText('Learnt from refusals: gets no tools.');
    await learnt.waitFor();
    await button('Forget what refusals of test-model taught').click();
    await learnt.waitFor({ state: 'detached' });
    model.script(stream(text('With tools.')));
    await ask('Add them');
    await articles('Assistant').getByText('With tools.').waitFor();
    expect(model.requests.at(-1)?.body.tools).not.toHaveLength(0);
  });
});

describe('an assistant', () => {
  it('is saved once, however often Enter is pressed', async () => {
    await button('Add assistant').click();
    await field('Name').fill('Reviewer');
    // Both before the page can draw that the first one is under way.
    await page.evaluate(() => {
      const form = document.querySelector('form');
      form?.requestSubmit();
      form?.requestSubmit();
    });
    const saved = page.getByRole('list', { name: 'Assistants' }).getByRole('listitem');
    await saved.first().waitFor();
    expect(await saved.count()).toBe(1);
  });
});
