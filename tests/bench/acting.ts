import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tokensOf } from '../../lib/types/tokens.ts';
import { type Bench, inBrowser } from './extension.ts';
import { type Figure, least, median, ratioOf } from './figures.ts';

export type ActingSizes = {
  /** Elements of the pages: the growth is from the first to the last, the budget is of the middle one. */
  elements: [few: number, some: number, many: number];
  rounds: number;
  clicks: number;
};

/** Milliseconds and tokens that a snapshot of the middle page may take. */
const BUDGET_MS = 300;
const BUDGET_TOKENS = 8_000;

/** A part of a page as they are: 27 elements, of which 7 can be used. */
const part = (at: number): string =>
  `<section class="part"><h2>Part ${at}</h2><p class="text">What the keeper wrote of <a href="/days/${at}">that day</a>, <em>word</em> for <b>word</b>.</p>
  <ul><li><a href="/ships/${at}/1">A sloop</a></li><li><a href="/ships/${at}/2">A brig</a></li><li>A barque</li></ul>
  <table><tbody><tr><td>Noon</td><td>South-west</td></tr></tbody></table>
  <form><label>Note ${at} <input name="note" value="fair"></label><label><input type="checkbox"> Seen</label>
  <select aria-label="Sky ${at}"><option>Clear</option></select><button type="button">Save ${at}</button></form>
  <div class="foot"><span>${at} of many</span></div></section>`;
const IN_PART = 27;

const page = (elements: number): string =>
  `<!doctype html><html lang="en"><title>The log</title><style>.text { margin: 1em 0 } .foot { color: #555 }</style>
  <button onclick="document.querySelector('output').append('Pressed. ')">Press</button><output></output>
  ${Array.from({ length: Math.ceil(elements / IN_PART) }, (_, at) => part(at)).join('\n')}`;

/** What a look at a page costs, and how long a click takes until its result. */
export async function acting({ elements, rounds, clicks }: ActingSizes): Promise<Figure[]> {
  const site = createServer(({ url = '' }, response) =>
    response.setHeader('content-type', 'text/html').end(page(Number(url.slice(1)))),
  ).listen(0, '127.0.0.1');
  await once(site, 'listening');
  const address = (of: number): string => `http://127.0.0.1:${(site.address() as AddressInfo).port}/${of}`;
  try {
    return await inBrowser(async (bench) => {
      const all: Taken[] = [];
      for (const each of elements) all.push(await snapshotOf(bench, address(each), rounds));
      const [few, some, many] = all as [Taken, Taken, Taken];
      const how = 'each element’s name and child nodes are read';
      return [
        ...all.map(({ snapshot, walk, count }) =>
          ratioOf(`a snapshot of ${count} elements / a walk over them`, snapshot, walk, { how, target: 12 }),
        ),
        ratioOf(
          `a snapshot’s element of ${many.count} / one of ${few.count}`,
          (many.snapshot / many.count) * 1_000,
          (few.snapshot / few.count) * 1_000,
          { unit: 'µs', target: 1.2 },
        ),
        {
          name: `a page’s first snapshot of ${some.count} elements`,
          value: some.first,
          unit: 'ms',
          target: BUDGET_MS,
          detail: 'in the page, by default',
        },
        {
          name: `tokens of that`,
          value: some.tokens,
          unit: 'tokens',
          target: BUDGET_TOKENS,
          detail: 'by default',
        },
        await clicking(bench, address(elements[0]), clicks),
      ];
    });
  } finally {
    site.close();
    site.closeAllConnections();
  }
}

/** Milliseconds: of the first one, and at the least of one and of a walk. */
type Taken = { count: number; first: number; snapshot: number; walk: number; tokens: number };

/** In the page, in the world of its own that the extension's scripts have there. */
async function snapshotOf({ context, options, command }: Bench, url: string, rounds: number): Promise<Taken> {
  const shown = await context.newPage();
  await shown.goto(url);
  const tabId = (await command('listTabs')).find((tab) => tab.url === url)?.id ?? -1;
  const { count, snapshots, walks, text } = (await options.evaluate(
    `(async () => {
      const target = { tabId: ${tabId} };
      await chrome.scripting.executeScript({ target, files: ['page.js'] });
      const [{ result }] = await chrome.scripting.executeScript({ target, func: ${inPage.toString()}, args: [${rounds}] });
      return result;
    })()`,
  )) as ReturnType<typeof inPage>;
  await shown.close();
  const [first = Number.NaN] = snapshots;
  return { count, first, snapshot: least(snapshots), walk: least(walks), tokens: tokensOf(text) };
}

/** Runs in the page. */
function inPage(rounds: number) {
  const { snapshot } = (
    globalThis as unknown as {
      portsidePage: { snapshot: (ref: string, filter: string) => { text: string } };
    }
  ).portsidePage;
  let read = 0;
  const walk = (): void => {
    for (const element of document.querySelectorAll('*'))
      read += element.localName.length + element.childNodes.length;
  };
  /** The clock is too coarse for one walk. */
  const WALKS = 10;
  const timed = (work: () => void): number => {
    const before = performance.now();
    work();
    return performance.now() - before;
  };
  const [snapshots, walks]: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds; round += 1) {
    snapshots.push(timed(() => snapshot('', 'all')));
    walks.push(
      timed(() => {
        for (let each = 0; each < WALKS; each += 1) walk();
      }) / WALKS,
    );
  }
  const count = document.querySelectorAll('*').length;
  return { count, snapshots, walks, text: snapshot('', 'all').text, read };
}

/** From the call to its result, as the user tries the tool in the settings. */
async function clicking({ context, command }: Bench, url: string, clicks: number): Promise<Figure> {
  const shown = await context.newPage();
  await shown.goto(url);
  const tab = (await command('listTabs')).find((each) => each.url === url)?.id ?? -1;
  const use = async (fullName: string, args: object): Promise<string> => {
    const made = await command('callTool', { callId: randomUUID(), fullName, arguments: { tab, ...args } });
    if ('error' in made || made.result.isError) throw new Error(JSON.stringify(made));
    return made.result.text;
  };
  const [, ref] = /button "Press" \[ref=(\w+)\]/.exec(await use('snapshot', {})) ?? [];
  const took: number[] = [];
  for (let each = 0; each <= clicks; each += 1) {
    const before = performance.now();
    const told = await use('click', { ref });
    if (each > 0) took.push(performance.now() - before);
    if (!told.includes('Pressed.')) throw new Error(`Nothing came of a click: ${told}`);
  }
  await shown.close();
  return {
    name: 'a click to its result',
    value: median(took),
    unit: 'ms',
    target: 150,
    detail: 'on a page that settles at once',
  };
}
