import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { Bare } from './page/bare.ts';
import { type Bench, idle, inBrowser, write } from './extension.ts';
import { type Figure, median, ratioOf } from './figures.ts';

declare const bare: Bare;

/** No user writes a message faster; what the panel does when a chat is turned to or typed in is over by then. */
const WRITING_MS = 500;

/**
 * From Enter until the model server has the request, with the message written down in between. Beside the page's fetch
 * stands the least that an extension can do whose messages are written down by its worker.
 */
export function entering({ rounds }: { rounds: number }): Promise<Figure[]> {
  return inBrowser(async (bench) => {
    await bench.answerWith(5, 'burst');
    const panel = await bench.open('sidepanel.html');
    const page = await bench.open('bench/bare.html');
    const inPanel = async (): Promise<number> => {
      await panel.bringToFront();
      await write(panel, 'Go on');
      await pause(WRITING_MS);
      const ms = await enter(bench.answered, panel);
      await idle(panel);
      return ms;
    };
    const inPage = async (by: 'page' | 'worker'): Promise<number> => {
      await page.bringToFront();
      await page.evaluate(([url, who]) => bare.askOnEnter(url, who), [bench.plain(5, 'burst'), by] as const);
      await pause(WRITING_MS);
      return enter(bench.answered, page);
    };
    const works = {
      begins: async () => {
        await panel.bringToFront();
        await panel.getByRole('button', { name: 'New chat' }).click();
        return inPanel();
      },
      goesOn: inPanel,
      fetches: () => inPage('page'),
      floor: () => inPage('worker'),
    };
    const costs = {
      begins: [] as number[],
      goesOn: [] as number[],
      fetches: [] as number[],
      floor: [] as number[],
    };
    for (let round = -2; round < rounds; round++) {
      for (const [name, work] of Object.entries(works)) {
        const ms = await work();
        if (round >= 0) costs[name as keyof typeof costs].push(ms);
      }
    }
    const { begins, goesOn, fetches, floor } = costs;
    const over = (some: number[], others: number[], name: string, target?: number): Figure =>
      ratioOf(name, median(some), median(others), target === undefined ? {} : { target });
    const what = 'Enter until the model’s server is asked';
    return [
      over(goesOn, fetches, `${what} / a bare page’s fetch`, 3),
      over(begins, fetches, `${what}, in a new chat / a bare page’s fetch`, 3),
      over(goesOn, floor, `${what} / a worker that writes one row and fetches`),
      over(floor, fetches, 'a worker that writes one row and fetches / a bare page’s fetch'),
    ];
  });
}

/** Presses Enter. @returns milliseconds from the key to the server */
export async function enter(answered: Bench['answered'], page: Page): Promise<number> {
  const pressed = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const note = (event: KeyboardEvent): void => {
          if (event.key !== 'Enter') return;
          document.removeEventListener('keydown', note, true);
          resolve(performance.timeOrigin + event.timeStamp);
        };
        document.addEventListener('keydown', note, true);
      }),
  );
  await page.evaluate('0');
  const answering = answered();
  await page.keyboard.press('Enter');
  return (await answering).asked - (await pressed);
}
