import type { Page } from 'playwright-core';
import type { Bare } from './page/bare.ts';
import { ask, type Bench, idle, inBrowser } from './extension.ts';
import { type Figure, median, ratioOf } from './figures.ts';

declare const bare: Bare;

/** From Enter until the model server has the request, with the message written down in between. */
export function entering({ rounds }: { rounds: number }): Promise<Figure[]> {
  return inBrowser(async (bench) => {
    await bench.answerWith(5, 'burst');
    const panel = await bench.open('sidepanel.html');
    const own = [];
    for (let round = -3; round < rounds; round++) {
      await panel.getByRole('button', { name: 'New chat' }).click();
      own.push(await enter(bench, panel, () => ask(panel, 'Go on')));
      await idle(panel);
    }
    const page = await bench.open('bench/bare.html');
    await page.evaluate((url) => bare.askOnEnter(url), bench.plain(5, 'burst'));
    const other = [];
    for (let round = -3; round < rounds; round++) {
      other.push(await enter(bench, page, () => page.keyboard.press('Enter')));
    }
    const [ours, theirs] = [median(own.slice(3)), median(other.slice(3))];
    return [
      ratioOf('Enter until the model’s server is asked / a bare page’s fetch', ours, theirs, { target: 3 }),
    ];
  });
}

/** @returns milliseconds from the key to the server */
async function enter(bench: Bench, page: Page, press: () => Promise<void>): Promise<number> {
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
  const answered = bench.answered();
  await press();
  return (await answered).asked - (await pressed);
}
