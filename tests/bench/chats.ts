import type { Page } from 'playwright-core';
import { ask, type Bench, idle, inBrowser, openMeter } from './extension.ts';
import { type Figure, median, ratioOf } from './figures.ts';
import type { Bare } from './page/bare.ts';

declare const bare: Bare;

export type ChatsSizes = { long: number; short: number; rounds: number; turns: number };

/** What a long chat costs: opening it, holding it, and going on in it. */
export function chats(sizes: ChatsSizes): Promise<Figure[]> {
  return inBrowser(async (bench) => [...(await openingLong(bench, sizes)), ...(await turns(bench, sizes))]);
}

async function openingLong(bench: Bench, { long, short, rounds }: ChatsSizes): Promise<Figure[]> {
  const page = await bench.open('bench/bare.html');
  const at = Date.now();
  const fill = (id: string, count: number) =>
    page.evaluate(([name, ...rest]) => bare.fill(name, ...rest, false), ['portside', id, count, at] as const);
  await fill('long', long);
  await fill('short', short);
  await page.close();
  // One page at a time, since pages of one extension share their memory.
  await bench.options.goto('about:blank');
  const costs = { long: [] as Opened[], short: [] as Opened[] };
  for (let round = -1; round < rounds; round++) {
    for (const [id, count] of [
      ['short', short],
      ['long', long],
    ] as const) {
      const cost = await open(bench, `Chat ${id}`, `Answer ${count - 1}.`);
      if (round >= 0) costs[id].push(cost);
    }
  }
  const middle = (of: 'long' | 'short', what: keyof Opened) => median(costs[of].map((cost) => cost[what]));
  await bench.options.goto(`chrome-extension://${bench.extensionId}/options.html`);
  return [
    ratioOf(`opening a chat of ${long} messages / of ${short}`, middle('long', 'ms'), middle('short', 'ms'), {
      target: 1.5,
      how: 'until the last message is drawn',
    }),
    ratioOf('the panel’s memory with it', middle('long', 'memory'), middle('short', 'memory'), {
      target: 1.3,
      unit: 'MB',
      how: 'objects of JavaScript',
    }),
  ];
}

type Opened = { ms: number; memory: number };

/** From the click on it in the history. */
async function open(bench: Bench, title: string, last: string): Promise<Opened> {
  const panel = await bench.open('sidepanel.html');
  await panel.getByRole('button', { name: 'New chat' }).click();
  await panel.getByRole('button', { name: 'History' }).click();
  const link = panel.getByRole('link', { name: title });
  const ms = await link.evaluate(untilShown, last);
  const meter = await openMeter(panel);
  const memory = (await meter.memory()) / 1e6;
  await panel.close();
  return { ms, memory };
}

/** Runs in the page: clicks. @returns milliseconds until the text is laid out within the log */
function untilShown(link: Element, text: string): Promise<number> {
  const begin = performance.now();
  return new Promise((resolve) => {
    const look = (): void => {
      const message = [...document.querySelectorAll('article')].at(-1);
      if (!message?.textContent?.includes(text)) return;
      const { top, height } = message.getBoundingClientRect();
      if (height === 0 || top > innerHeight) return;
      observer.disconnect();
      removeEventListener('scroll', look, true);
      resolve(performance.now() - begin);
    };
    const observer = new MutationObserver(look);
    addEventListener('scroll', look, true);
    observer.observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
    if (link instanceof HTMLElement) link.click();
  });
}

/** Short turns of one chat, one after the other. */
async function turns(bench: Bench, { turns: count }: ChatsSizes): Promise<Figure[]> {
  await bench.answerWith(20, 'burst');
  const panel = await bench.open('sidepanel.html');
  await panel.getByRole('button', { name: 'New chat' }).click();
  const meter = await openMeter(panel);
  const costs: { busy: number; wall: number }[] = [];
  for (let turn = 0; turn < count; turn++) costs.push(await oneTurn(bench, panel, meter.busy));
  await meter.close();
  const few = Math.min(5, Math.floor(count / 2));
  // The very first ones load what all others find ready, and draw a log that is still half empty.
  const begin = Math.min(5, count - 2 * few);
  const [first, last] = [costs.slice(begin, begin + few), costs.slice(-few)];
  const of = (some: typeof costs, what: 'busy' | 'wall') => median(some.map((cost) => cost[what]));
  return [
    ratioOf(`turn ${count} of a chat / the first`, of(last, 'busy'), of(first, 'busy'), {
      target: 1.2,
      how: 'main thread',
    }),
    ratioOf(`turn ${count} of a chat / the first, on the clock`, of(last, 'wall'), of(first, 'wall'), {}),
  ];
}

async function oneTurn(bench: Bench, panel: Page, busy: () => Promise<number>) {
  const [before, begin] = [await busy(), performance.now()];
  const answered = bench.answered();
  await ask(panel, 'Go on');
  await answered;
  await idle(panel);
  return { busy: (await busy()) - before, wall: performance.now() - begin };
}
