import type { Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gate, stream, text } from '../fakes/model-server.ts';
import { payloads } from '../payloads/corpus.ts';
import { offences } from './offences.ts';
import { openScene, type Scene, until } from './scene.ts';

/** An origin that the panel's policy would let an image load from. */
const CANARY = 'https://canary.portside.test';

let scene: Scene;
const asked: string[] = [];
const dialogs: string[] = [];

beforeAll(async () => {
  scene = await openScene();
  const { context, panel } = scene.portside;
  context.on('request', (request: Request) => {
    const own = request.url().startsWith('chrome-extension://') || request.url().startsWith('data:');
    if (!own && !request.url().startsWith(new URL(scene.model.url).origin)) asked.push(request.url());
  });
  panel.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
});
afterAll(() => scene.close());

/** Has the model say this, and waits for the end of it. */
async function say(answer: string): Promise<void> {
  const before = await scene.articles('Assistant').count();
  scene.model.script(stream(text(answer)));
  await scene.ask('Go on');
  await until('another answer', async () => (await scene.articles('Assistant').count()) > before);
  await scene.idle();
}

const last = () => scene.articles('Assistant').last();

describe('an answer', () => {
  it('is shown as a document: headings, lists, a table, code, a formula', async () => {
    await say(
      '# Plan\n\n1. **One**\n2. Two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```ts\nconst a = 1;\n```\n\n$x^2$ and $5\n\n- [x] done',
    );
    await last().getByRole('heading', { name: 'Plan' }).waitFor();
    expect(await last().getByRole('listitem').count()).toBe(3);
    const table = last().getByRole('group', { name: 'Table, scrolls sideways' });
    expect(await table.getByRole('columnheader').allTextContents()).toEqual(['a', 'b']);
    expect(await table.getByRole('cell').allTextContents()).toEqual(['1', '2']);
    await last().locator('.tok-k').waitFor();
    await last().getByRole('math').waitFor();
    await last().getByRole('img', { name: 'Done' }).waitFor();
    await last().getByText('TypeScript').waitFor();
    await last().getByRole('button', { name: 'Copy code' }).click();
  });

  it('shows what has come while it streams, and closed blocks stay as they are', async () => {
    const pause = gate();
    scene.model.script(stream(text('First **bo'), pause, text('ld**.\n\nSecond.')));
    await scene.ask('Stream');
    await last().locator('strong', { hasText: /^bo$/ }).waitFor();
    pause.open();
    await last().getByText('Second.').waitFor();
    await scene.idle();
    expect(await last().locator('strong').textContent()).toBe('bold');
    expect(await last().locator('.caret').count()).toBe(0);
  });

  it('names the host that a link hides, and opens links without telling where from', async () => {
    await say('[google.com](https://evil.portside.test/x)');
    const link = last().getByRole('link', { name: 'google.com (evil.portside.test)' });
    expect(await link.getAttribute('rel')).toBe('noreferrer noopener nofollow');
    expect(await link.getAttribute('target')).toBe('_blank');
  });
});

describe('hostile answers', () => {
  it('run nothing and ask for nothing', async () => {
    const all = payloads(CANARY);
    expect(all.length).toBeGreaterThan(200);
    for (const group of new Set(all.map(({ name }) => name.split(' ')[0]))) {
      const texts = all.filter(({ name }) => name.startsWith(`${group} `));
      await say(texts.map(({ text: hostile }) => hostile).join('\n\n~~~~~~~~\n\n~~~~~~~~\n\n'));
      const found = await last().evaluate(offences);
      expect({ group, found }).toEqual({ group, found: [] });
    }
    // A chat that is opened again draws them all at once.
    const panel = await scene.portside.reopenPanel();
    await scene.articles('Assistant').last().waitFor();
    expect(await panel.locator('[role=log]').evaluate(offences)).toEqual([]);
    expect(await panel.evaluate("globalThis.pwned ?? 'nothing ran'")).toBe('nothing ran');
    expect(dialogs).toEqual([]);
    expect(asked).toEqual([]);
    expect(scene.portside.complaints()).toEqual([]);
  });

  it('load an image only when its button is pressed', async () => {
    scene.portside.expectComplaint(/canary\.portside\.test/);
    await say(`![A chart](${CANARY}/chart.png)`);
    expect(asked).toEqual([]);
    await last().getByRole('button', { name: 'Show image from canary.portside.test: A chart' }).click();
    await until('the image is asked for', () => asked.includes(`${CANARY}/chart.png`));
    await last().getByText('The image from canary.portside.test did not load: A chart.').waitFor();
  });
});
