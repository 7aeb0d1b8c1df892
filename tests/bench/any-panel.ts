import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type ExtensionBrowser, launchBrowser } from '../../scripts/browser.ts';
import { root } from '../../scripts/paths.ts';
import { LAST_WORD } from './answer.ts';
import { startChild } from './child.ts';
import { enter } from './entering.ts';
import { busyWith } from './extension.ts';
import { type Figure, median, ratioOf, tableOf } from './figures.ts';
import { untilEcho } from './opening.ts';

/**
 * Measures the panel of any extension as a black box, each figure as a ratio to a page of an empty extension in the same
 * browser: `npm run bench:panel -- --extension FOLDER` (docs/performance.md). Its profile is kept, so that with `--set-up`,
 * which opens a window, its model is chosen once: the address that is printed.
 */
const { values: flags } = parseArgs({
  options: {
    extension: { type: 'string' },
    panel: { type: 'string', default: 'sidepanel.html' },
    field: { type: 'string', default: 'textarea, [contenteditable="true"]' },
    profile: { type: 'string' },
    port: { type: 'string', default: '8765' },
    tokens: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '9' },
    'set-up': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
if (flags.extension === undefined) throw new Error('Say which: --extension FOLDER, the unpacked extension.');

/** What is written is taken for slower than this by no one, and whatever the field's page does about it is over. */
const WRITING_MS = 500;

const extension = path.resolve(flags.extension);
const profile = flags.profile ?? path.join(root, '.cache', 'panels', path.basename(extension));
const server = await startChild<number>('answer-server.ts', flags.port);
const answer = `http://127.0.0.1:${server.said}/${flags.tokens}/burst`;
await mkdir(profile, { recursive: true });
try {
  if (flags['set-up']) await inBrowser(profile, setUp);
  else {
    const figures = await measure();
    process.stdout.write(flags.json ? `${JSON.stringify(figures)}\n` : tableOf(figures));
  }
} finally {
  server.stop();
}

async function inBrowser<T>(folder: string, work: (browser: ExtensionBrowser) => Promise<T>): Promise<T> {
  const headless = !flags['set-up'];
  const browser = await launchBrowser({ extension, headless, profile: folder, firstPage: flags.panel });
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

async function setUp({ context }: ExtensionBrowser): Promise<void> {
  process.stdout.write(
    `Choose this OpenAI-compatible server, with any key and the model "bench": ${answer}/v1\nThen close the window.\n`,
  );
  await new Promise((closed) => context.once('close', closed));
}

/** Each round is in a copy of the profile, since a chat that grows by each of its answers costs more and more. */
async function measure(): Promise<Figure[]> {
  const [own, bare] = [0, 1].map(() => ({ echo: [], asked: [], late: [], busy: [] }) as Costs) as [
    Costs,
    Costs,
  ];
  for (let round = 0; round < Number(flags.rounds); round++) {
    const copy = await mkdtemp(path.join(tmpdir(), 'portside-panel-'));
    await cp(profile, copy, { recursive: true });
    await inBrowser(copy, async (browser) => {
      const plain = await browser.load(path.join(import.meta.dirname, 'plain'));
      const pages = [
        [`chrome-extension://${plain}/plain.html?answer=${answer}/v1/chat/completions`, bare],
        [`chrome-extension://${browser.extensionId}/${flags.panel}`, own],
      ] as const;
      // The first time in a browser is not measured.
      for (const [url] of pages) await once(browser, url);
      for (const [url, costs] of pages) {
        const spent = await once(browser, url);
        for (const [name, ms] of Object.entries(spent)) costs[name as keyof Costs].push(ms);
      }
    });
    await rm(copy, { recursive: true });
  }
  const over = (name: keyof Costs, what: string): Figure =>
    ratioOf(what, median(own[name]), median(bare[name]), {});
  return [
    over('echo', 'opening until what is typed is seen / an empty page'),
    over('asked', 'Enter until the model is asked / a page’s fetch'),
    over('late', `the last byte of ${flags.tokens} tokens at once until they are seen / plain text`),
    over('busy', `the main thread, for ${flags.tokens} tokens at once / plain text`),
  ];
}

type Costs = Record<'echo' | 'asked' | 'late' | 'busy', number[]>;

/** Opens the page, types, asks, and has the answer drawn. */
async function once(browser: ExtensionBrowser, url: string): Promise<Record<keyof Costs, number>> {
  const echo = await untilEcho(browser, url, flags.field);
  const page = await browser.context.newPage();
  await page.setViewportSize({ width: 400, height: 700 });
  await page.goto(url);
  await page.locator(flags.field).first().focus();
  await page.keyboard.insertText('Go on');
  await pause(WRITING_MS);
  let [asked, late] = [Number.NaN, Number.NaN];
  const busy = await busyWith(page, async () => {
    const seen = page.evaluate(seenAgain, LAST_WORD);
    const answered = answeredSince(Date.now());
    asked = await enter(() => answered, page);
    late = (await seen) - (await answered).ended;
  });
  await page.close();
  return { echo, asked, late, busy };
}

/** When the first request came that was made after that, and when its answer ended: a panel may have asked for a title before. */
async function answeredSince(time: number): Promise<{ asked: number; ended: number }> {
  for (;;) {
    const answered = await server.next<{ asked: number; ended: number }>();
    if (answered.asked > time) return answered;
  }
}

/** Runs in the page. @returns when the word was painted once more, in milliseconds since the epoch */
function seenAgain(word: string): Promise<number> {
  const times = (): number => (document.body.textContent ?? '').split(word).length;
  const before = times();
  return new Promise((resolve) => {
    const look = (): void => {
      if (times() <= before) return void requestAnimationFrame(look);
      requestAnimationFrame(() => setTimeout(() => resolve(performance.timeOrigin + performance.now())));
    };
    requestAnimationFrame(look);
  });
}
