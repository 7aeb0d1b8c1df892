import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ToolCall } from '../../../lib/types/tools/tool-call.ts';
import type { ContentBlock } from '../../../lib/types/tools/tool-result.ts';
import { call, stream, text } from '../../fakes/model-server.ts';
import { inFront, startSite, type Site } from './page-site.ts';
import { decide, openScene, type Scene } from '../support/scene.ts';

let scene: Scene;
let site: Site;
let page: Page;
let asked = 0;

beforeAll(async () => {
  [scene, site] = await Promise.all([openScene({ pictures: true }), startSite()]);
  page = await scene.portside.context.newPage();
  await page.goto(`${site.url}/act`);
  await page.bringToFront();
});
afterAll(async () => {
  await scene.close();
  await site.close();
});

/** Has the model make a call, which is allowed. */
async function made(name: string, args: object): Promise<ToolCall> {
  asked += 1;
  const answer = `Answer ${asked}.`;
  scene.model.script(
    stream(call({ id: `c${asked}`, name, arguments: JSON.stringify(args) })),
    stream(text(answer)),
  );
  await scene.ask(`Go on: ${site.url}`);
  const [asks, answered] = [
    scene.portside.panel.getByRole('alertdialog'),
    scene.articles('Assistant').getByText(answer),
  ];
  for (;;) {
    await asks.or(answered).first().waitFor();
    if ((await asks.count()) === 0) break;
    await decide(asks, 'Allow for this chat');
  }
  await scene.idle();
  const last = (await scene.stored()).toolCalls.at(-1);
  if (!last) throw new Error('No call was made.');
  return last;
}

/** Presses a button of the page. @returns the pictures that are kept with the call */
async function pressed(name: string, tab?: number): Promise<Extract<ContentBlock, { type: 'image' }>[]> {
  const where = tab === undefined ? {} : { tab };
  const { result: seen } = await made('snapshot', where);
  const [, ref] = new RegExp(`button "${name}" \\[ref=(\\w+)\\]`).exec(seen?.text ?? '') ?? [];
  const { status, result } = await made('click', { ref, ...where });
  expect([status, result?.text]).toEqual(['success', expect.stringContaining(`Clicked button "${name}".`)]);
  return (result?.blocks ?? []).flatMap((block) => (block.type === 'image' ? block : []));
}

it('an action keeps small pictures of the page before and after, which its card shows and no model gets', async () => {
  const pictures = await pressed('Save');
  expect(pictures.map(({ moment, onlyForUser }) => [moment, onlyForUser])).toEqual([
    ['before', true],
    ['after', true],
  ]);
  for (const { data } of pictures) expect(data.length).toBeLessThan(20_000);
  expect(new Set(pictures.map(({ data }) => data)).size).toBe(2);
  const sent = JSON.stringify(scene.model.requests.map(({ body }) => body));
  for (const { data } of pictures) expect(sent).not.toContain(data.slice(0, 100));

  const { panel } = scene.portside;
  await scene.unfold();
  const card = scene.toolCall('click').last();
  expect(await card.getByRole('img').count()).toBe(0);
  await card.getByRole('button', { name: 'Show details' }).click();
  await card.getByRole('button', { name: 'Open image' }).nth(1).waitFor();
  for (const name of ['Page before', 'Page after'])
    expect(
      await card.getByRole('img', { name }).evaluate((image) => (image as HTMLImageElement).naturalWidth),
    ).toBe(320);
  await card.getByRole('button', { name: 'Open image' }).last().click();
  await panel.getByRole('dialog', { name: 'Page after' }).waitFor();
  await panel.keyboard.press('Escape');
});

it('an action keeps no picture of a page that shows as text what no model reads', async () => {
  await page.evaluate(() => {
    document.body.insertAdjacentHTML('beforeend', '<input autocomplete="cc-number" value="4111">');
  });
  expect(await pressed('Twice')).toEqual([]);
  await page.evaluate(() => {
    const card = document.querySelector<HTMLInputElement>('[autocomplete="cc-number"]');
    card?.removeAttribute('autocomplete');
    card?.setAttribute('type', 'password');
  });
  expect(await pressed('Twice')).toHaveLength(2);
  await page.evaluate(() => document.querySelector('input[value="4111"]')?.setAttribute('type', 'text'));
  expect(await pressed('Twice')).toEqual([]);
  await page.evaluate(() => document.querySelector('input[value="4111"]')?.remove());
});

it('an action keeps no picture of a tab that is behind, nor where the user wants none', async () => {
  const tab = (await scene.portside.command('listTabs')).find(({ url }) => url === `${site.url}/act`)?.id;
  const other = await scene.portside.context.newPage();
  await other.goto(site.url);
  expect(await pressed('Twice', tab)).toEqual([]);
  expect(await inFront(scene.portside)).toBe(other.url());
  await other.close();
  await page.bringToFront();
  expect(await pressed('Twice', tab)).toHaveLength(2);
  await scene.portside.command('saveSettings', { actionPictures: false });
  expect(await pressed('Twice', tab)).toEqual([]);
});
