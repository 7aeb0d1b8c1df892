import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { answerTokens, LAST_WORD } from './answer.ts';
import { ask, type Bench, busyWith, idle, inBrowser, newChat, openMeter } from './extension.ts';
import { longestTask } from './longest-task.ts';
import { type Figure, median, ratioOf } from './figures.ts';
import type { Bare } from './page/bare.ts';

declare const bare: Bare;

export type AnsweringSizes = {
  /** Of an answer that comes at 200 a second. */
  slow: number;
  /** Of one that comes as fast as it can. */
  many: number;
  /** In which as many come evenly. */
  seconds: number;
  rounds: number;
};

/** What a streamed answer of headings, lists, tables and code costs the panel’s main thread. */
export function answering({ slow, many, seconds, rounds }: AnsweringSizes): Promise<Figure[]> {
  return inBrowser(async (bench) => {
    const panel = await bench.open('sidepanel.html');
    const page = await bench.open('bench/bare.html');
    await panel.bringToFront();
    // What is loaded when it is first seen is there from now on.
    await take(bench, panel, 400, 'burst');
    return [
      ...(await atTwoHundred(bench, { panel, page, tokens: slow })),
      ...(await flatOut(bench, { panel, page, tokens: many, rounds })),
      await fromStartToEnd(bench, { panel, tokens: many, seconds }),
    ];
  });
}

type Scene = { panel: Page; page: Page; tokens: number };

/** One answer in a chat of its own, until it is drawn. @returns when its last byte was written */
async function take(bench: Bench, panel: Page, tokens: number, rate: number | 'burst'): Promise<number> {
  await bench.answerWith(tokens, rate);
  await panel.bringToFront();
  await newChat(panel);
  const answered = bench.answered();
  await ask(panel, 'Go on');
  const { ended } = await answered;
  await idle(panel);
  return ended;
}

async function atTwoHundred(bench: Bench, { panel, page, tokens }: Scene): Promise<Figure[]> {
  const own = await busyWith(panel, () => take(bench, panel, tokens, 200));
  const longest = await longestTask(panel, () => take(bench, panel, Math.ceil(tokens / 3), 200));
  await page.bringToFront();
  const plain = bench.plain(tokens, 200);
  // Else the end of this answer would be taken for that of the next one.
  const appended = bench.answered();
  const other = await busyWith(page, () => page.evaluate((url) => bare.append(url), plain));
  await appended;
  await panel.bringToFront();
  const seen = panel.evaluate(seenAt, LAST_WORD);
  const ended = await take(bench, panel, Math.ceil(tokens / 10), 200);
  const late = (await seen) - ended;
  const how = `main thread, ${tokens} tokens at 200 a second`;
  return [
    ratioOf('a streamed answer / the same text into a text node', own, other, { target: 1, how }),
    { name: 'its longest task', value: longest, unit: 'ms', target: 50, detail: 'of CPU' },
    {
      name: 'its last byte until all is visible',
      value: late,
      unit: 'ms',
      target: 200,
      detail: 'at 200 a second',
    },
  ];
}

async function flatOut(
  bench: Bench,
  { panel, page, tokens, rounds }: Scene & { rounds: number },
): Promise<Figure[]> {
  const text = answerTokens(tokens).join('');
  const [own, other, late]: number[][] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    own?.push(await busyWith(panel, () => take(bench, panel, tokens, 'burst')));
    await page.bringToFront();
    other?.push(await busyWith(page, () => page.evaluate((all) => bare.draw(all), text)));
    await panel.bringToFront();
    const seen = panel.evaluate(seenAt, LAST_WORD);
    const ended = await take(bench, panel, tokens, 'burst');
    late?.push((await seen) - ended);
  }
  const how = `main thread, ${tokens} tokens`;
  return [
    ratioOf('flat out / drawing the finished answer once', median(own ?? []), median(other ?? []), {
      target: 1.5,
      how,
    }),
    {
      name: 'flat out: the server’s last write until all is visible',
      value: median(late ?? []),
      unit: 'ms',
      detail: `${tokens} tokens; what is written lies in sockets before it is read`,
    },
  ];
}

/** Runs in the page. @returns when a word was painted, in milliseconds since the epoch */
function seenAt(word: string): Promise<number> {
  return new Promise((resolve) => {
    const observer = new MutationObserver((records) => {
      const holds = (node: Node): boolean => node.textContent?.includes(word) ?? false;
      if (!records.some(({ target, addedNodes }) => holds(addedNodes[0] ?? target))) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => resolve(performance.timeOrigin + performance.now())));
    });
    const log = document.querySelector('[role=log]') ?? document.body;
    observer.observe(log, { subtree: true, childList: true, characterData: true });
  });
}

/** The fifth of the blocks that is drawn last against the second one: at first nothing scrolls. */
async function fromStartToEnd(
  bench: Bench,
  { panel, tokens, seconds }: Omit<Scene, 'page'> & { seconds: number },
): Promise<Figure> {
  const meter = await openMeter(panel);
  const samples: { blocks: number; busy: number }[] = [];
  const over = new AbortController();
  const sample = async (): Promise<void> => {
    const blocks = await panel.evaluate(
      () => [...document.querySelectorAll('.log .prose > .blocks')].at(-1)?.childElementCount ?? 0,
    );
    samples.push({ blocks, busy: await meter.busy() });
  };
  const sampling = (async () => {
    while (!over.signal.aborted) await sample().then(() => pause(50));
  })();
  await take(bench, panel, tokens, Math.round(tokens / seconds)).finally(() => over.abort());
  await sampling;
  await sample();
  await meter.close();
  // Until the new chat is there, the answer before is counted.
  const fewest = Math.min(...samples.map(({ blocks }) => blocks));
  const own = samples.slice(samples.findIndex(({ blocks }) => blocks === fewest));
  const all = own.at(-1)?.blocks ?? 0;
  /** In between two samples as if it grew evenly: on a busy computer there are few. */
  const busyAt = (share: number): number => {
    const next = own.findIndex(({ blocks }) => blocks >= share * all);
    const [before, after] = [own[Math.max(0, next - 1)], own[next]];
    if (!before || !after || before === after) return after?.busy ?? 0;
    const part = (share * all - before.blocks) / (after.blocks - before.blocks);
    return before.busy + part * (after.busy - before.busy);
  };
  const [start, end] = [busyAt(0.4) - busyAt(0.2), busyAt(1) - busyAt(0.8)];
  const how = `main thread, a fifth of ${tokens} tokens`;
  return ratioOf('tokens at the end / tokens at the start', end, start, { target: 1.2, how });
}
