import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, stream, text } from '../../fakes/model-server.ts';
import { startSite, type Site } from './page-site.ts';
import { decide, openScene, type Scene, until } from '../support/scene.ts';

let scene: Scene;
let site: Site;
let page: Page;
let asked = 0;
let seen = '';

beforeAll(async () => {
  [scene, site] = await Promise.all([openScene(), startSite()]);
  page = await scene.portside.context.newPage();
  scene.model.otherwise(() => stream(text(`Answer ${asked}.`)));
});
afterAll(async () => {
  await scene.close();
  await site.close();
});

const approval = () => scene.portside.panel.getByRole('alertdialog');
const last = async () => (await scene.stored()).toolCalls.at(-1);
const at = (path: string) => page.evaluate<string>(path);

/** Has the model make a call, which is allowed where it asks. */
async function begin(name: string, args: object): Promise<void> {
  asked += 1;
  scene.model.script(stream(call({ id: `c${asked}`, name, arguments: JSON.stringify(args) })));
  await scene.ask(`Go on: ${site.url}`);
  if (name !== 'snapshot') await decide(approval(), 'Allow once');
}
async function ended() {
  await scene.articles('Assistant').getByText(`Answer ${asked}.`).waitFor();
  await scene.idle();
  return last();
}
const ref = (named: string): string => new RegExp(`${named}.* \\[ref=(\\w+)\\]`).exec(seen)?.[1] ?? '';

/** Opens a page in a new chat, and looks at it. */
async function visit(path: string): Promise<void> {
  await scene.portside.panel.getByRole('button', { name: 'New chat' }).click();
  await page.goto(site.url + path);
  await page.bringToFront();
  await begin('snapshot', {});
  seen = (await ended())?.result?.text ?? '';
}

/** As the user does, a letter at a time. @returns what was typed */
async function typeWhile(goesOn: () => boolean): Promise<string> {
  let all = '';
  do {
    await page.keyboard.press('u');
    all += 'u';
  } while (goesOn());
  return all;
}

/** What the next action in the page does comes after all that the one before it did. */
async function expectNothingMore(): Promise<void> {
  await begin('type_text', { ref: ref('textbox "Other"'), text: 'bbbbb' });
  expect((await ended())?.status).toBe('success');
  expect(await at('log')).toMatch(/^a{3,190}bbbbb$/);
}

describe('an action that is stopped', () => {
  it.each([
    ['type_text', () => ({ ref: ref('textbox "Name"'), text: 'a'.repeat(195), submit: true }), []],
    [
      'fill_form',
      () => ({
        fields: Array.from({ length: 12 }, (_, field) => ({
          ref: ref(`textbox "Field ${field}"`),
          value: 'a'.repeat(30),
        })),
      }),
      [],
    ],
    ['set_slider', () => ({ ref: ref('slider "Speed"'), value: 300 }), []],
    [
      'drag',
      () => ({ from: ref('button "Card"'), to: ref('button "Bin"') }),
      // What was dragged is let go where it was.
      ['pointercancel back', 'mouseup back'],
    ],
  ])('does nothing more in its page: %s', async (name, args, done) => {
    await visit('/act-slow');
    await begin(name, args());
    await until('the action is under way', async () => (await at('log')).length >= 3);
    await scene.stop();
    expect((await last())?.status).toBe('cancelled');
    await expectNothingMore();
    expect(await at('done')).toEqual(done);
  });

  it('does nothing more in its page where the worker ended before, and is unknown then, and not repeated', async () => {
    await visit('/act-slow');
    await begin('type_text', { ref: ref('textbox "Name"'), text: 'a'.repeat(195), submit: true });
    await until('the action is under way', async () => (await at('log')).length >= 3);
    await scene.portside.endWorker();
    await until('it is not known what came of it', async () => (await last())?.status === 'unknown');
    await scene.stop();
    expect((await last())?.status).toBe('unknown');
    await expectNothingMore();
    expect(await at('done')).toEqual([]);
  });

  it('does nothing at all where it waits for the user to pause', async () => {
    await visit('/act-form');
    const field = page.getByRole('textbox', { name: 'Greeting' });
    await field.focus();
    const greeting = ref('textbox "Greeting"');
    let isTyping = true;
    const typing = typeWhile(() => isTyping);
    await begin('type_text', { ref: greeting, text: 'model', submit: true });
    await until('the call is made', async () => (await last())?.startedAt !== undefined);
    await scene.stop();
    isTyping = false;
    const typed = await typing;
    await begin('type_text', { ref: greeting, text: '!' });
    expect((await ended())?.status).toBe('success');
    expect(await field.inputValue()).toBe(`${typed}!`);
    expect(await at('done')).toEqual([]);
  });
});
