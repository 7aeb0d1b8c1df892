import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REFUSALS } from '../../../lib/agent/refusals.ts';
import { call, stream, text } from '../../fakes/model-server.ts';
import { startSite, type Site } from './page-site.ts';
import { decide, openScene, type Scene } from '../support/scene.ts';

let scene: Scene;
let site: Site;
let page: Page;
let options: Page;
let asked = 0;

beforeAll(async () => {
  [scene, site] = await Promise.all([openScene(), startSite()]);
  page = await scene.portside.context.newPage();
  await page.goto(`${site.url}/act`);
  await page.bringToFront();
  options = scene.portside.options;
  await options.evaluate("location.hash = '#permissions'");
});
afterAll(async () => {
  await scene.close();
  await site.close();
});

const approval = () => scene.portside.panel.getByRole('alertdialog');
const answered = () => scene.articles('Assistant').getByText(`Answer ${asked}.`);
const done = (): Promise<string[]> => page.evaluate('window.done');
const rules = () => options.getByRole('table', { name: 'Decisions per site' });
const row = (kind: string) =>
  rules()
    .getByRole('row')
    .filter({ has: options.getByText(kind, { exact: true }) });
const decision = (kind: string) => row(kind).getByRole('combobox', { name: `${site.url} ${kind}` });

async function begin(name: string, args: object = {}): Promise<void> {
  asked += 1;
  scene.model.script(
    stream(call({ id: `c${asked}`, name, arguments: JSON.stringify(args) })),
    stream(text(`Answer ${asked}.`)),
  );
  await scene.ask(`Go on: ${site.url}`);
}

/** What the model is told of the last call, once it has answered to that. */
async function told(): Promise<string> {
  await answered().waitFor();
  await scene.idle();
  return (await scene.stored()).toolCalls.at(-1)?.result?.text ?? '';
}

async function pressSave(): Promise<void> {
  await begin('snapshot');
  const ref = /button "Save" \[ref=(\w+)\]/.exec(await told())?.[1];
  await begin('click', { ref });
}

describe('Never on this site', () => {
  it('is chosen on the card: the model is told, and the next call is refused without a card', async () => {
    await pressSave();
    await decide(approval(), 'Never on this site: Click');
    expect(await told()).toBe(REFUSALS.blocked);
    await pressSave();
    await approval().or(answered()).first().waitFor();
    expect(await approval().count()).toBe(0);
    expect(await told()).toBe(REFUSALS.blocked);
    expect(JSON.stringify(scene.model.requests.at(-1)?.body)).toContain(REFUSALS.blocked);
    expect(await done()).toEqual([]);
  });

  it('stands in Permissions with how often it was used; set to Ask, a card comes again', async () => {
    await row('Click').getByText('1 time').waitFor();
    await row('Click')
      .getByText(/^last: Today/)
      .waitFor();
    expect(await decision('Click').inputValue()).toBe('never');
    await decision('Click').selectOption({ label: 'Ask' });
    await pressSave();
    await decide(approval(), 'Allow once');
    expect(await told()).toContain('Done: saved');
    expect(await done()).toEqual(['saved']);
    await row('Click').getByRole('button', { name: 'Remove' }).click();
    await row('Click').waitFor({ state: 'detached' });
  });

  it('is decided in Permissions for reading, of which no card asks, and for all that is done in a page', async () => {
    const form = options.getByRole('form', { name: 'New decision' });
    await form.getByRole('textbox', { name: 'Site' }).fill(`${site.url}/act?x=1`);
    await form.getByRole('combobox', { name: 'Action' }).selectOption('Read');
    expect(
      await form.getByRole('combobox', { name: 'Decision' }).getByRole('option').allTextContents(),
    ).toEqual(['Ask', 'Never']);
    await form.getByRole('button', { name: 'Add' }).click();
    await row('Read').waitFor();
    for (const [name, args] of [
      ['snapshot', {}],
      ['read_page', {}],
      ['press_key', { key: 'a' }],
    ] as const) {
      await begin(name, args);
      expect(await told()).toBe(REFUSALS.blocked);
    }
    await row('Read').getByRole('button', { name: 'Remove' }).click();
    await row('Read').waitFor({ state: 'detached' });
  });

  it('of filling in holds for a press on the label of a box, and for a key that chooses in a list, too', async () => {
    await page.bringToFront();
    await page.evaluate(`document.body.insertAdjacentHTML('beforeend',
      '<label><input type="checkbox" style="opacity: 0" /> <b onclick="">I agree</b></label>')`);
    const pressLabel = async () => {
      await begin('snapshot');
      const ref = /generic "I agree" \[ref=(\w+)\]/.exec(await told())?.[1];
      await begin('click', { ref });
    };
    await pressLabel();
    await approval().getByText('checkbox of').waitFor();
    await decide(approval(), 'Never on this site: Fill in');
    expect(await told()).toBe(REFUSALS.blocked);
    await pressLabel();
    expect(await told()).toBe(REFUSALS.blocked);
    expect(await page.getByRole('checkbox', { name: 'I agree' }).isChecked()).toBe(false);
    await page.evaluate(`document.body.insertAdjacentHTML('beforeend',
      '<select aria-label="Seats"><option>1</option><option>2</option></select>')`);
    await page.getByRole('combobox', { name: 'Seats' }).focus();
    await begin('press_key', { key: 'ArrowDown' });
    expect(await told()).toBe(REFUSALS.blocked);
    expect(await page.getByRole('combobox', { name: 'Seats' }).inputValue()).toBe('1');
    await row('Fill in').getByRole('button', { name: 'Remove' }).click();
    await row('Fill in').waitFor({ state: 'detached' });
  });

  it('refuses what is no site, and says so', async () => {
    const form = options.getByRole('form', { name: 'New decision' });
    await form.getByRole('textbox', { name: 'Site' }).fill('not a site');
    await form.getByRole('textbox', { name: 'Site' }).press('Enter');
    await form.getByText('This isn’t the address of a site.').waitFor();
  });
});
