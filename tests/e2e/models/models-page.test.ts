import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answer, call, gate, stream, text } from '../../fakes/model-server.ts';
import { GROQ_KEY, standInForGroq } from './groq.ts';
import { openScene, type Scene } from '../support/scene.ts';

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

async function addByHand(): Promise<void> {
  await button('Add provider').click();
  await button('Other address').click();
}

/** Types a provider of OpenAI's kind that stands at the scene's model server. */
async function typeProvider(): Promise<void> {
  await addByHand();
  await field('Start from').selectOption('OpenAI');
  await field('Base URL').fill(scene.model.url);
  await field('Model').fill('test-model');
}

describe('the form of a provider', () => {
  it('says at the field that a key is missing, and after a test that it is wrong', async () => {
    await typeProvider();
    await button('Save').click();
    await page.getByText('OpenAI needs an API key').waitFor();
    await field('API key').fill('wrong');
    scene.model.script(answer(401, { error: { message: 'Incorrect API key provided' } }));
    await button('Test').click();
    await testResult().getByRole('alert').getByText(/key/i).first().waitFor();
    expect(scene.model.requests.at(-1)?.headers.authorization).toBe('Bearer wrong');
  });

  it('says what a test met beside the test, and no longer once the field is another', async () => {
    await addByHand();
    await field('Base URL').fill(scene.model.url);
    scene.model.script(answer(401, { error: { message: 'Incorrect API key provided' } }));
    await field('Model').fill('test-model');
    await button('Test').click();
    const alert = testResult().getByRole('alert');
    await alert.getByText('Enter a valid API key for this provider.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(1);
    await field('API key').fill('right');
    await alert.waitFor({ state: 'detached' });

    await field('Model').fill('');
    await field('Base URL').fill('http://127.0.0.1:9/v1');
    await button('Test').click();
    await alert.getByText('could not reach 127.0.0.1:9').waitFor();
    expect(await page.getByRole('alert').count()).toBe(1);
    await field('Base URL').fill('');
    await alert.waitFor({ state: 'detached' });
    await button('Test').click();
    const missing = page.getByText('Base URL is required');
    await missing.waitFor();
    await field('Base URL').fill(scene.model.url);
    await missing.waitFor({ state: 'detached' });
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

  it('needs an address alone: its models are listed, and the host is its name', async () => {
    await addByHand();
    await field('Base URL').fill(scene.model.url);
    scene.model.script(saysAhoy);
    await button('Save').click();
    await testResult().getByText('Called the test tool').waitFor();
    expect(await field('Model').inputValue()).toBe('fake-model');
    await button('Save').click();
    await page.getByRole('region', { name: new URL(scene.model.url).host, exact: true }).waitFor();
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
    await addByHand();
    expect(await field('Model').inputValue()).toBe('test-model');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await addByHand();
    expect(await field('Model').inputValue()).toBe('');
  });
});

describe('a provider that is added by its key', () => {
  const paste = async (pasted: string): Promise<void> => {
    // No waitForFunction: what it evaluates again in the page, an extension’s CSP forbids.
    await page.locator('.key-row input:focus').waitFor();
    await page.evaluate((copied) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text', copied);
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.activeElement?.dispatchEvent(event);
    }, pasted);
  };

  it('is known by the key, keeps one that is refused, and starts with a chat model', async () => {
    await standInForGroq(page.context());
    await button('Add provider').click();
    await paste('GROQ_API_KEY="gsk_wrong"');
    await page.getByRole('alert').getByText('Copy the whole key again').waitFor();
    expect(await field('API key').inputValue()).toBe('gsk_wrong');
    expect(await page.getByRole('button', { name: 'Groq', pressed: true }).count()).toBe(1);
    await paste(GROQ_KEY);
    const groq = page.getByRole('region', { name: 'Groq', exact: true });
    await groq.getByRole('row').filter({ hasText: 'openai/gpt-oss-120b' }).getByText('Default').waitFor();
    await groq.getByText('key stored').waitFor();
  });

  it('is asked for where the key does not tell, and its form takes what was pasted', async () => {
    await button('Add provider').click();
    await paste('0123456789');
    await page.getByText('Choose the key’s provider below.').waitFor();
    await button('Azure OpenAI').click();
    expect(await field('API key').inputValue()).toBe('0123456789');
    expect(await field('Name').inputValue()).toBe('Azure OpenAI');
  });

  it('may be the demo model, which is removed like any other', async () => {
    await button('Add provider').click();
    await button('Demo model').click();
    const demo = page.getByRole('region', { name: 'Demo model (scripted)' });
    await button('Test', demo).click();
    await demo.getByText('Called the test tool').waitFor();
    await button('Remove Demo model (scripted)', demo).click();
    await button('Remove', demo).click();
    await demo.waitFor({ state: 'detached' });
  });
});

describe('a model', () => {
  it('of which the user says that it calls no tools gets none', async () => {
    const { ask, articles, model } = scene;
    await button('Edit test-model').click();
    await field('Context window (tokens)').fill('99999999999999999999');
    await button('Save').click();
    await page.getByText('Enter a whole number of tokens, from 1 to 1,000,000,000').waitFor();
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
    const learnt = page.getByText('Learned from refused requests: tools are not sent.');
    await learnt.waitFor();
    await button('Forget what was learned about test-model').click();
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
