import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, stream, text } from '../../fakes/model-server.ts';
import { startSite, type Site } from './page-site.ts';
import { decide, openScene, type Scene, until } from '../support/scene.ts';

let scene: Scene;
let site: Site;
let page: Page;
let asked = 0;

beforeAll(async () => {
  [scene, site] = await Promise.all([openScene(), startSite()]);
  page = await scene.portside.context.newPage();
});
afterAll(async () => {
  await scene.close();
  await site.close();
});

const card = () => scene.portside.panel.getByRole('alertdialog', { name: 'The model asks for your help' });
/** The last messages to the model that are no answers: the result, and what the user said to it. */
const lastSent = (): string => {
  const all = scene.model.requests.at(-1)?.body.messages ?? [];
  const from = all.findLastIndex(({ role }) => role === 'assistant');
  return all
    .slice(from + 1)
    .map(({ content }) => String(content))
    .join('\n');
};

async function handOver(args: object = {}): Promise<void> {
  await page.goto(`${site.url}/act`);
  await page.bringToFront();
  asked += 1;
  const words = {
    what: 'Sign in, then <b>go on</b> [here](https://evil.example)',
    why: 'Members\u200b only',
  };
  const made = call({ id: `h${asked}`, name: 'ask_user', arguments: JSON.stringify({ ...words, ...args }) });
  scene.model.script(stream(made), stream(text(`Answer ${asked}.`)));
  await scene.ask(`Go on: ${site.url}`);
  await card().waitFor();
}

const answered = () => scene.articles('Assistant').getByText(`Answer ${asked}.`).waitFor();
async function ended() {
  await answered();
  await scene.idle();
  return (await scene.stored()).toolCalls.at(-1);
}

describe('what the model asks the user to do', () => {
  it('is shown in its plain words with the page that is read after it, and goes on with how that is by then', async () => {
    await handOver();
    const said = (await card().textContent()) ?? '';
    expect(said).toContain('Sign in, then <b>go on</b> [here](https://evil.example)');
    expect(said).toContain('Members\\u200b only');
    expect(said).toContain(new URL(site.url).host);
    expect(await card().getByRole('link').count()).toBe(0);
    await page.evaluate(() => document.querySelector('h1')?.append(' of Ada'));
    await decide(card(), 'Continue');
    expect(await ended()).toMatchObject({ status: 'success', allowed: 'once' });
    expect(lastSent()).toContain('The user pressed Continue.');
    expect(lastSent()).toContain('heading "Shop of Ada"');
  });

  it('waits over the end of the worker and a closed panel, and takes an answer by the keyboard', async () => {
    const { portside } = scene;
    await handOver();
    const before = scene.model.requests.length;
    await portside.panel.close();
    await portside.endWorker();
    await portside.reopenPanel();
    await card().waitFor();
    expect((await scene.stored()).toolCalls.at(-1)).toMatchObject({ status: 'pending', wait: 'hand_over' });
    expect(scene.model.requests.length).toBe(before);
    const field = card().getByRole('textbox', { name: 'Answer to the model' });
    await until('the card takes its answer', async () => {
      if ((await card().count()) === 0) return true;
      await field.fill('The second one', { timeout: 1000 }).catch(() => undefined);
      await field.press('Enter', { timeout: 1000 }).catch(() => undefined);
      return false;
    });
    expect(await ended()).toMatchObject({ status: 'success', result: { word: 'The second one' } });
    expect(lastSent()).toContain('To the call of ask_user: The second one');
  });

  it('can be declined, with a word to the model', async () => {
    await handOver();
    await card().getByRole('textbox', { name: 'Answer to the model' }).fill('Not now');
    await decide(card(), 'Decline');
    expect(await ended()).toMatchObject({
      status: 'denied',
      result: { refusal: 'declined', word: 'Not now' },
    });
    expect(lastSent()).toContain('The user declined to do it.');
    expect(lastSent()).toContain('To the call of ask_user: Not now');
  });

  it('gives nothing of a site that is in front by then and that the card did not name', async () => {
    await handOver();
    await page.goto(`${site.other}/act`);
    await decide(card(), 'Continue');
    await ended();
    expect(lastSent()).toContain('This chat has not read what is there now');
    expect(lastSent()).not.toContain('Sold out');
  });
});
