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

const approval = () => scene.portside.panel.getByRole('alertdialog');

/** Has a run click in the page, look at it, and go on for longer than a test looks. */
async function act(): Promise<void> {
  await page.goto(`${site.url}/act`);
  await page.bringToFront();
  asked += 1;
  await scene.portside.panel.getByRole('button', { name: 'New chat' }).click();
  const made = (name: string, args: object) =>
    stream(call({ id: `${name}${asked}`, name, arguments: JSON.stringify(args) }));
  scene.model.script(made('snapshot', {}), stream(text('Seen.')));
  await scene.ask(`Look: ${site.url}`);
  await scene.articles('Assistant').getByText('Seen.').waitFor();
  const [, ref] =
    /button "Save" \[ref=(\w+)\]/.exec((await scene.stored()).toolCalls.at(-1)?.result?.text ?? '') ?? [];
  scene.model.script(
    made('click', { ref }),
    made('snapshot', {}),
    made('wait_for', { text: 'nowhere', seconds: 25 }),
  );
  await scene.ask('Save');
  await approval().waitFor();
  expect(await isMarked()).toBe(false);
  await decide(approval(), 'Allow for this chat');
  await until('the run waits for the page', async () =>
    (await scene.stored()).toolCalls.some(
      ({ toolName, status }) => toolName === 'wait_for' && status === 'running',
    ),
  );
}

/** Where the mark’s Stop is, by the corner that it stands in. */
const stopAt = () => page.evaluate(() => ({ x: innerWidth - 45, y: innerHeight - 30 }));
const isMarked = async (): Promise<boolean> =>
  page.evaluate(
    ({ x, y }) =>
      document.elementFromPoint(x, y)?.parentNode === document.documentElement &&
      document.elementFromPoint(x, y) !== document.body,
    await stopAt(),
  );
const callsOf = async (name: string) =>
  (await scene.stored()).toolCalls.filter(({ toolName }) => toolName === name);

describe('a tab in which a run acts', () => {
  it('bears a mark that the page neither reads nor presses, and whose Stop stops the run', async () => {
    await act();
    expect(await isMarked()).toBe(true);
    expect((await callsOf('snapshot')).at(-1)?.result?.text).not.toContain('working in this tab');
    expect((await callsOf('click')).at(-1)?.result?.text).toMatch(/Clicked button "Save"\.[^]*Done: saved/);
    const at = await stopAt();
    const read = await page.evaluate(({ x, y }) => {
      const host = document.elementFromPoint(x, y) as HTMLElement;
      host.click();
      for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'])
        host.dispatchEvent(new MouseEvent(type, { bubbles: true, composed: true, clientX: x, clientY: y }));
      return [
        host.shadowRoot,
        host.textContent,
        host.innerText,
        host.childNodes.length,
        (window as unknown as { find: (words: string) => boolean }).find('in this tab'),
        document.body.innerText,
      ];
    }, at);
    expect(read.slice(0, 5)).toEqual([null, '', '', 0, false]);
    expect(read[5]).not.toContain('working in this tab');
    expect(await callsOf('wait_for')).toMatchObject([{ status: 'running' }]);
    expect(await isMarked()).toBe(true);
    await page.mouse.click(at.x, at.y);
    await scene.idle();
    expect(await callsOf('wait_for')).toMatchObject([{ status: 'cancelled' }]);
    await until('the mark is gone', async () => !(await isMarked()));
  });

  it('bears none once the worker is gone, or the run waits for the user', async () => {
    await act();
    expect(await isMarked()).toBe(true);
    await scene.portside.endWorker();
    await until('the mark is gone', async () => !(await isMarked()));
    await scene.stop();
  });
});
