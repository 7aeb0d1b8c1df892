import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, stream, text } from '../../fakes/model-server.ts';
import { startSite, type Site } from './page-site.ts';
import { decide, openScene, type Scene } from '../support/scene.ts';

let scene: Scene;
let site: Site;
let page: Page;
let asked = 0;

beforeAll(async () => {
  [scene, site] = await Promise.all([openScene(), startSite()]);
  page = await scene.portside.context.newPage();
  await page.goto(`${site.url}/act-form`);
});
afterAll(async () => {
  await scene.close();
  await site.close();
});

const approval = () => scene.portside.panel.getByRole('alertdialog');
const last = async () => (await scene.stored()).toolCalls.at(-1);

async function ask(name: string, args: object): Promise<void> {
  asked += 1;
  const made = call({ id: `c${asked}`, name, arguments: JSON.stringify(args) });
  scene.model.script(stream(made), stream(text(`Answer ${asked}.`)));
  await scene.ask(`Go on: ${site.url}`);
}
async function ended() {
  await scene.articles('Assistant').getByText(`Answer ${asked}.`).waitFor();
  await scene.idle();
  return last();
}

/** Types as the user does, a letter at a time, while a condition holds. @returns what was typed */
async function typeWhile(goesOn: () => Promise<boolean>): Promise<string> {
  let all = '';
  do {
    await page.keyboard.press('u');
    all += 'u';
  } while (await goesOn());
  return all;
}

describe('a field in which the user types', () => {
  it('is left as they have it while they do, and what they typed is never overwritten', async () => {
    await page.bringToFront();
    await ask('snapshot', {});
    const refs = (await ended())?.result?.text ?? '';
    const [, ref] = /textbox "Greeting" \[ref=(\w+)\]/.exec(refs) ?? [];
    const field = page.getByRole('textbox', { name: 'Greeting' });

    // Allowed for the chat, so that nothing else is pressed from now on.
    await ask('type_text', { ref, text: 'one ' });
    await decide(approval(), 'Allow for this chat');
    await ended();
    expect(await field.inputValue()).toBe('one ');

    await field.focus();
    await page.keyboard.press('End');
    const answered = scene.articles('Assistant').getByText(`Answer ${asked + 1}.`);
    // From before the call is made.
    const typing = typeWhile(async () => (await answered.count()) === 0);
    await ask('type_text', { ref, text: 'model', clear: true });
    const typed = await typing;
    const refused = await ended();
    expect([refused?.status, refused?.result?.text]).toEqual([
      'error',
      expect.stringMatching(/the user is typing in textbox "Greeting"/),
    ]);
    expect(await field.inputValue()).toBe(`one ${typed}`);
    expect(typed.length).toBeGreaterThan(5);
  });

  it('gets what is typed at its end once they pause', async () => {
    const [, ref] =
      /textbox "Notes" \[ref=(\w+)\]/.exec((await scene.stored()).toolCalls[0]?.result?.text ?? '') ?? [];
    const field = page.getByRole('textbox', { name: 'Notes' });
    await field.focus();
    const next = `c${asked + 1}`;
    const typing = typeWhile(async () => {
      const now = await last();
      return now?.toolCallId !== next || now.startedAt === undefined;
    });
    await ask('type_text', { ref, text: '!' });
    const typed = await typing;
    expect((await ended())?.status).toBe('success');
    expect(await field.inputValue()).toBe(`${typed}!`);
  });

  it('or a box that they press, is left as they have it while they do', async () => {
    const refs = (await scene.stored()).toolCalls[0]?.result?.text ?? '';
    const [, ref] = /checkbox "Gift" \[ref=(\w+)\]/.exec(refs) ?? [];
    const box = page.getByRole('checkbox', { name: 'Gift' });
    const answered = scene.articles('Assistant').getByText(`Answer ${asked + 1}.`);
    let presses = 0;
    const pressing = (async () => {
      do {
        await box.click();
        presses += 1;
      } while ((await answered.count()) === 0);
    })();
    await ask('set_checked', { ref, checked: true });
    await pressing;
    const refused = await ended();
    expect([refused?.status, refused?.result?.text]).toEqual([
      'error',
      expect.stringContaining('the user is using checkbox "Gift"'),
    ]);
    expect(await box.isChecked()).toBe(presses % 2 === 1);
  });

  /** Where a number has its arrows, and a search field what empties it. @returns what presses there */
  async function endOf(role: 'spinbutton' | 'searchbox', name: string) {
    const refs = (await scene.stored()).toolCalls[0]?.result?.text ?? '';
    const [, ref] = new RegExp(`${role} "${name}" \\[ref=(\\w+)\\]`).exec(refs) ?? [];
    const field = page.getByRole(role, { name });
    await field.hover();
    const { x = 0, y = 0, width = 0, height = 0 } = (await field.boundingBox()) ?? {};
    return { ref, field, press: () => page.mouse.click(x + width - 10, y + height / 3) };
  }

  it('or a number whose arrows they press, is left as they have it while they do', async () => {
    const { ref, field, press } = await endOf('spinbutton', 'Stock');
    const answered = scene.articles('Assistant').getByText(`Answer ${asked + 1}.`);
    let presses = 0;
    const pressing = (async () => {
      do {
        await press();
        presses += 1;
      } while ((await answered.count()) === 0);
    })();
    await ask('fill_form', { fields: [{ ref, value: '99' }] });
    await pressing;
    expect((await ended())?.result?.text).toMatch(/the user is typing in spinbutton "Stock"/);
    expect(await field.inputValue()).toBe(String(4 + presses));
  });

  it('or a search field that they empty by a press, is told as used by them', async () => {
    const { ref, field, press } = await endOf('searchbox', 'Find');
    await press();
    expect(await field.inputValue()).toBe('');
    await ask('fill_form', { fields: [{ ref, value: 'sails' }] });
    expect((await ended())?.result?.text).toMatch(/The user typed there until just before/);
  });
});
