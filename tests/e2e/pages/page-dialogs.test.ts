import type { Dialog, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { call, stream, text } from '../../fakes/model-server.ts';
import { startSite, type Site } from './page-site.ts';
import { decide, openScene, type Scene, until } from '../support/scene.ts';

let scene: Scene;
let site: Site;
let page: Page;
let asked = 0;
/** Those that the browser showed, which stay open until a test answers them. */
let shown: Dialog[] = [];

beforeAll(async () => {
  [scene, site] = await Promise.all([openScene(), startSite()]);
});
afterEach(async () => {
  await Promise.all(shown.map((dialog) => dialog.dismiss().catch(() => undefined)));
  shown = [];
});
afterAll(async () => {
  await scene.close();
  await site.close();
});

const approval = () => scene.portside.panel.getByRole('alertdialog');
const answered = () => scene.articles('Assistant').getByText(`Answer ${asked}.`);

/** Shows a page in a tab and a chat of their own. */
async function visit(path: string): Promise<void> {
  await scene.portside.panel.getByRole('button', { name: 'New chat' }).click();
  page = await scene.portside.context.newPage();
  page.on('dialog', (dialog) => shown.push(dialog));
  await page.goto(site.url + path);
  await page.bringToFront();
  seen = (await outcomes(['snapshot']))[0]?.[1] ?? '';
}

async function begin(...calls: [name: string, args?: object][]): Promise<void> {
  asked += 1;
  const made = calls.map(([name, args = {}], at) =>
    stream(call({ id: `c${asked}.${at}`, name, arguments: JSON.stringify(args) })),
  );
  scene.model.script(...made, stream(text(`Answer ${asked}.`)));
  await scene.ask(`Go on: ${site.url}`);
}

/** What came of each, and what was told of it. Allows what is asked about. */
async function outcomes(...calls: [name: string, args?: object][]): Promise<[string, string][]> {
  await begin(...calls);
  return ended(calls.length);
}
async function ended(count: number): Promise<[string, string][]> {
  for (;;) {
    await approval().or(answered()).first().waitFor();
    if ((await approval().count()) === 0) break;
    await decide(approval(), 'Allow for this chat');
  }
  await scene.idle();
  const made = (await scene.stored()).toolCalls.slice(-count);
  return made.map(({ status, result }) => [status, result?.text ?? '']);
}

let seen = '';
const press = (name: string): [string, object] => {
  const [, ref] = new RegExp(`- button "${name}" \\[ref=(\\w+)\\]`).exec(seen) ?? [];
  return ['click', { ref }];
};
const done = (): Promise<string[]> => page.evaluate('window.done');
const says = (...what: string[]) => ['success', expect.stringMatching(what.join('[^]*'))];
const failed = (...what: string[]) => ['error', expect.stringMatching(what.join('[^]*'))];
const cancelled = (what: string) => failed(what, 'answered with Cancel\\.\n', 'call handle_dialog');

describe('a dialog that an action opens', () => {
  it('is told, and cancelled where nothing was said of it', async () => {
    await visit('/act-dialogs');
    expect(
      await outcomes(press('Warn'), press('Delete'), press('Name'), press('Late'), press('Inner')),
    ).toEqual([
      says('alert, which was closed: "High tide!"', 'Done: warned'),
      cancelled('\\(confirm\\): "Delete 3 files\\?"'),
      cancelled('\\(prompt\\): "Name\\?"'),
      cancelled('"Late\\?"'),
      cancelled('"Inner\\?"'),
    ]);
    expect(await done()).toEqual(['warned', 'deleted false', 'named null', 'late false', 'inner false']);
    expect(shown).toEqual([]);
  });

  it('is answered as handle_dialog said, which holds for the next confirm or prompt alone', async () => {
    await visit('/act-dialogs');
    const set = (accept: boolean, more = {}): [string, object] => ['handle_dialog', { accept, ...more }];
    const isSet = says('is answered with');
    const first = await outcomes(set(true), press('Warn'), press('Delete'), press('Delete'));
    expect(first).toEqual([
      isSet,
      says('which was closed'),
      says('"Delete 3 files\\?"\\. It was answered with OK, as handle_dialog said'),
      cancelled('"Delete 3 files\\?"'),
    ]);
    const given = await outcomes(set(true, { text: 'Grace' }), press('Name'), set(true), press('Name'));
    expect(given).toEqual([isSet, says('answered with "Grace" and OK'), isSet, says('with "Ada" and OK')]);
    const more = await outcomes(
      set(false),
      press('Delete'),
      set(true),
      press('Both'),
      set(true),
      press('Inner'),
    );
    expect(more).toEqual([
      isSet,
      says('answered with Cancel, as handle_dialog said'),
      isSet,
      failed('"One\\?"\\. It was answered with OK', '"Two\\?"\\. It was answered with Cancel'),
      isSet,
      says('"Inner\\?"\\. It was answered with OK'),
    ]);
    expect(await done()).toEqual([
      'warned',
      'deleted true',
      'deleted false',
      'named Grace',
      'named Ada',
      'deleted false',
      'both truefalse',
      'inner true',
    ]);
    expect(shown).toEqual([]);
  });

  it('is told though its page gives way to another one', async () => {
    await visit('/act-dialogs');
    const made = await outcomes(['handle_dialog', { accept: true }], press('Leave'));
    expect(made[1]).toEqual(says('"Leave\\?". It was answered with OK', 'another page now: .*/act-next'));
  });

  it('is answered with OK only after the user was asked, each time, and for one run', async () => {
    await visit('/act-dialogs');
    for (let time = 0; time < 2; time += 1) {
      await begin(['handle_dialog', { accept: true }]);
      await approval().waitFor();
      expect(await approval().textContent()).toContain('Answer a dialog');
      expect(await ended(1)).toEqual([says('is answered with OK')]);
    }
    expect(await outcomes(press('Delete'))).toEqual([failed('answered with Cancel')]);
  });

  it('is the browser’s once the user does something themselves, or no run acts, and the page is as it was', async () => {
    await visit('/act-dialogs');
    await begin(press('Key'));
    const made = ended(1);
    await until('the page waits', async () => (await done()).includes('waits'));
    const key = page.keyboard.press('x'); // comes back once the dialog is answered
    await until('the dialog is there', async () => shown.length > 0);
    expect(shown.map((dialog) => dialog.message())).toEqual(['By hand?']);
    await shown[0]?.accept();
    await key;
    expect((await made)[0]?.[1]).not.toContain('By hand?');
    expect(await done()).toEqual(['waits', 'by hand true']);
    expect(await page.evaluate('[alert, confirm, prompt].every((each, at) => each === natives[at])')).toBe(
      true,
    );
  });
});

describe('a page that asks whether it may be left', () => {
  const tabOf = async (): Promise<number> => {
    const lines = ((await outcomes(['list_tabs']))[0]?.[1] ?? '').split('\n');
    return Number.parseInt(lines.find((line) => line.includes('/act-guard')) ?? '', 10);
  };

  it('is told as one that the user has to answer, and left at once where they allowed that', async () => {
    await visit('/act-guard');
    await page.mouse.click(5, 5); // else browsers let no page ask
    const tab = await tabOf();
    for (const leaving of [
      ['navigate', { tab, url: `${site.url}/act-next` }],
      ['reload', { tab }],
      ['close_tab', { tab }],
    ] as [string, object][]) {
      expect(await outcomes(leaving)).toEqual([failed('The page stays for now', 'ask_user')]);
      expect(shown.map((dialog) => dialog.type())).toEqual(['beforeunload']);
      await shown.pop()?.dismiss();
    }
    const made = await outcomes(
      ['handle_dialog', { tab, accept: true }],
      ['navigate', { tab, url: `${site.url}/act-next` }],
    );
    expect(made.map(([status]) => status)).toEqual(['success', 'success']);
    expect(shown).toEqual([]);
  });
});
