import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, stream, text } from '../../fakes/model-server.ts';
import { inFront, startSite, type Site } from './page-site.ts';
import { decide, openScene, type Scene, until } from '../support/scene.ts';

let scene: Scene;
let site: Site;

beforeAll(async () => {
  [scene, site] = await Promise.all([openScene(), startSite()]);
});
afterAll(async () => {
  await scene.close();
  await site.close();
});

const panel = () => scene.portside.panel;
const list = () => panel().getByRole('list', { name: 'Tabs opened by this chat' });
const line = () => panel().getByRole('button', { name: 'Tabs opened by this chat' });
const titles = () =>
  list()
    .getByRole('button', { name: /^Go to/ })
    .allTextContents();
const pageAt = (path: string): Page | undefined =>
  scene.portside.context.pages().find((each) => each.url() === site.url + path);

it('tabs that a chat opened are listed in it, survive the worker, are gone to, and closed one by one or together', async () => {
  const own = await scene.portside.context.newPage();
  await own.goto(`${site.url}/form`);
  await own.bringToFront();
  const opening = (path: string) =>
    stream(call({ id: path, name: 'open_tab', arguments: JSON.stringify({ url: site.url + path }) }));
  scene.model.script(
    opening('/article'),
    opening('/list'),
    opening('/act'),
    opening('/act-next'),
    stream(text('Opened.')),
  );
  await scene.ask(`Open them: ${site.url}`);
  const [asks, answer] = [panel().getByRole('alertdialog'), scene.articles('Assistant').getByText('Opened.')];
  for (;;) {
    await asks.or(answer).first().waitFor();
    if ((await asks.count()) === 0) break;
    await decide(asks, 'Allow once');
  }
  await scene.idle();
  expect(await list().count()).toBe(0);
  await line().getByText('4', { exact: true }).waitFor();
  await line().click();
  const opened = await titles();
  expect(opened).toHaveLength(4);
  expect(opened).toEqual(expect.arrayContaining(['The keeper’s log', 'Next']));

  await scene.portside.endWorker();
  await pageAt('/list')?.close();
  await line().getByText('3', { exact: true }).waitFor();

  const article = pageAt('/article');
  await article?.evaluate(() => void (document.title = 'Renamed'));
  await list().getByRole('button', { name: 'Go to Renamed' }).click();
  await until('the tab is in front', async () => (await inFront(scene.portside)) === article?.url());
  await list().getByRole('button', { name: 'Close tab Next' }).click();
  await until('the tab is closed', async () => pageAt('/act-next') === undefined);
  await line().getByText('2', { exact: true }).waitFor();

  const conversation = panel().getByRole('heading', { level: 1 });
  const title = (await conversation.textContent()) ?? '';
  await panel().getByRole('button', { name: 'New chat' }).click();
  await line().waitFor({ state: 'detached' });
  await panel().getByRole('button', { name: 'History' }).click();
  await panel().getByRole('link', { name: title }).first().click();
  await panel().getByRole('button', { name: 'Close all' }).click();
  await line().waitFor({ state: 'detached' });
  await until('they are closed', async () => !pageAt('/article') && !pageAt('/act'));
  expect(pageAt('/form')).toBe(own);
});
