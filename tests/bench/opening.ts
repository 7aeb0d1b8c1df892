import type { Page } from 'playwright-core';
import { type Bench, inBrowser } from './extension.ts';
import { type Figure, median, ratioOf } from './figures.ts';

/** From the click on the panel’s icon, as near as a page can tell, until a letter that was typed is seen. */
export function opening({ rounds }: { rounds: number }): Promise<Figure[]> {
  return inBrowser(async (bench) => {
    await bench.answerWith(20, 'burst');
    const until = (path: string) =>
      untilEcho(bench, `chrome-extension://${bench.extensionId}/${path}`, 'textarea');
    const panel: number[] = [];
    const cold: number[] = [];
    const empty: number[] = [];
    for (let round = -1; round < rounds; round++) {
      empty.push(await until('bench/empty.html'));
      panel.push(await until('sidepanel.html'));
      await bench.endWorker();
      cold.push(await until('sidepanel.html'));
    }
    const [own, woken, bare] = [panel, cold, empty].map((each) => median(each.slice(1))) as [
      number,
      number,
      number,
    ];
    const name = 'opening the panel until it echoes what is typed / an empty Preact page';
    return [
      ratioOf(name, own, bare, { target: 2, how: 'the worker lives' }),
      ratioOf(`${name}, worker asleep`, woken, bare, { target: 2 }),
    ];
  });
}

/** @param field its selector @returns milliseconds since the navigation */
export async function untilEcho(
  { context }: Pick<Bench, 'context'>,
  url: string,
  field: string,
): Promise<number> {
  const page = await context.newPage();
  await page.addInitScript(typeEarly, field);
  await page.goto(url, { waitUntil: 'commit' });
  const ms = await echoed(page);
  await page.close();
  return ms;
}

const echoed = async (page: Page): Promise<number> => {
  const found = await page.waitForFunction(() => (globalThis as { echoedAt?: number }).echoedAt);
  return (await found.jsonValue()) ?? Number.NaN;
};

/** Runs in the page, before its own scripts: types a letter as soon as there is a field, and waits until it is painted. */
function typeEarly(selector: string): void {
  const look = (): void => {
    const field = document.querySelector<HTMLElement>(selector);
    if (!field || field.closest('[inert]')) return void requestAnimationFrame(look);
    field.focus();
    document.execCommand('insertText', false, 'x');
    const check = (): void => {
      if (
        field.isConnected &&
        (field instanceof HTMLTextAreaElement ? field.value : field.innerText.trim()) === 'x'
      ) {
        setTimeout(() => Object.assign(globalThis, { echoedAt: performance.now() }));
      } else requestAnimationFrame(check);
    };
    requestAnimationFrame(check);
  };
  requestAnimationFrame(look);
}
