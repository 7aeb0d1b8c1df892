import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '../../../lib/types/message.ts';
import { gate, stream, text } from '../../fakes/model-server.ts';
import { conversation } from '../../state/fake-worker.ts';
import { moving } from '../settings/gallery-checks.ts';
import { writeRows } from '../support/rows.ts';
import { openScene, type Scene, until } from '../support/scene.ts';

const TURNS = 120;

let scene: Scene;

/** Questions and answers of many lengths. */
function messages(): Message[] {
  return [...Array(2 * TURNS).keys()].map((n) => {
    const turn = Math.floor(n / 2);
    const row = {
      id: `m${n}`,
      conversationId: 'long',
      parentId: n === 0 ? null : `m${n - 1}`,
      seq: n,
      sub: 0,
      timestamp: new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString(),
      status: 'complete' as const,
    };
    if (n % 2 === 0) return { ...row, role: 'user', content: `Question ${turn}.` };
    const content = `Answer ${turn}. ${'word '.repeat(20 + (turn % 7) * 40)}`;
    return { ...row, role: 'assistant', runId: 'r', content };
  });
}

beforeAll(async () => {
  scene = await openScene();
  const { options } = scene.portside;
  const [asked, answered] = messages().map((message) => ({
    ...message,
    conversationId: 'wide',
    id: `wide ${message.id}`,
    parentId: message.parentId && `wide ${message.parentId}`,
    content: `${'word '.repeat(22_000)}the end`,
  }));
  await writeRows(options, 'messages', [...messages(), asked!, answered!]);
  await writeRows(options, 'conversations', [
    {
      ...conversation,
      id: 'wide',
      title: 'A wide one',
      leafId: answered!.id,
      updatedAt: '2025-01-01T00:00:00.000Z',
    },
    { ...conversation, id: 'long', title: 'A long one', leafId: `m${2 * TURNS - 1}` },
  ]);
  await scene.portside.reopenPanel();
});
afterAll(() => scene.close());

const page = () => scene.portside.panel;
const log = () => page().getByRole('log', { name: 'Conversation' });
const top = (words: string) =>
  page()
    .getByText(words)
    .first()
    .evaluate((node) => node.getBoundingClientRect().top);
const fromEnd = () => log().evaluate((node) => node.scrollHeight - node.scrollTop - node.clientHeight);

it('of a very long message the beginning is drawn, until all is asked for', async () => {
  await page().getByRole('button', { name: 'History' }).click();
  await page().getByRole('link', { name: 'A wide one' }).click();
  for (const name of ['You', 'Assistant'] as const) {
    const message = scene.articles(name).filter({ hasText: 'word' });
    const more = message.getByRole('button', { name: 'Show all 110,007 characters' });
    await more.waitFor();
    // As it opens it goes to its end, which would take the button from under the pointer.
    if (name === 'You') await until('its end is in view', async () => (await fromEnd()) < 4);
    expect(await message.getByText('the end').count()).toBe(0);
    await more.click();
    await message.getByText('the end').waitFor();
    await more.waitFor({ state: 'detached' });
  }
  await page().getByRole('button', { name: 'History' }).click();
  await page().getByRole('link', { name: 'A long one' }).click();
});

describe('a long chat', () => {
  it('loads earlier messages only when the reader scrolls, not when the browser does before it is laid out', async () => {
    const { panel } = scene.portside;
    // A browser's own scroll event that comes between the messages and their layout, as on a busy computer.
    await panel.addInitScript(() =>
      new MutationObserver((_, observer) => {
        const drawn = document.querySelector('.log:has(article)');
        if (!drawn) return;
        observer.disconnect();
        drawn.dispatchEvent(new Event('scroll'));
      }).observe(document, { childList: true, subtree: true }),
    );
    await panel.reload();
    await page().getByText('Answer 119.').waitFor();
    await until('its end is in view', async () => (await fromEnd()) < 4);
    await page().getByRole('button', { name: 'Show earlier messages', disabled: false }).waitFor();
    expect(await scene.articles('You').count()).toBeLessThan(40);
  });

  it('opens at its end, and what the reader sees stays where it is while earlier messages come', async () => {
    await page().getByText('Answer 119.').waitFor();
    await until('its end is in view', async () => (await fromEnd()) < 4);
    const loaded = await scene.articles('You').count();
    expect(loaded).toBeLessThan(40);
    await log().evaluate((node) => node.scrollTo({ top: 0 }));
    await until('earlier messages came', async () => (await scene.articles('You').count()) > loaded);
    const first = `Question ${TURNS - loaded}.`;
    const before = await top(first);
    expect(before).toBeGreaterThan(-400);
    expect(before).toBeLessThan(400);
    await page().getByRole('button', { name: 'Latest' }).click();
    await until('its end is in view again', async () => (await fromEnd()) < 4);
  });

  it('is followed while it grows until the reader scrolls up, and again from Latest on; nothing moves on its own', async () => {
    const latest = () => page().getByRole('button', { name: 'Latest' });
    const lines = (name: string) => text(...[...Array(40).keys()].map((line) => `${name} ${line}.\n\n`));
    const [read, back] = [gate(), gate()];
    scene.model.script(stream(lines('First'), read, lines('Second'), back, lines('Third')));
    await page().emulateMedia({ reducedMotion: 'reduce' });
    await page().getByRole('button', { name: 'New chat' }).click();
    await scene.ask('Tell it at length');
    await read.reached;
    await page().getByText('First 39.').waitFor();
    await until('its end is in view', async () => (await fromEnd()) < 4);
    expect(await page().evaluate(moving)).toEqual([]);
    await page().emulateMedia({ reducedMotion: null });
    await log().hover();
    await page().mouse.wheel(0, -600);
    await latest().waitFor();
    const before = await top('First 20.');
    read.open();
    await page().getByText('Second 39.').waitFor();
    expect(await fromEnd()).toBeGreaterThan(600);
    expect(await top('First 20.')).toBeCloseTo(before, 0);
    await latest().press('Enter');
    await until('its end is in view again', async () => (await fromEnd()) < 4);
    back.open();
    await page().getByText('Third 39.').waitFor();
    await scene.idle();
    await until('its end is still in view', async () => (await fromEnd()) < 4);
    expect(await latest().count()).toBe(0);
  });
});
