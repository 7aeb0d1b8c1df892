import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, type RecordedRequest, stream, text } from '../../fakes/model-server.ts';
import { openPortside } from '../support/browser.ts';
import { decide, offered, openScene, type Scene, until } from '../support/scene.ts';
import { inFront } from './page-site.ts';
import { type ShopSite, startShop } from './shop/site.ts';

let scene: Scene;
let shop: ShopSite;
let page: Page;
let folder: string;
const networkLog = () => join(folder, 'network.json');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portside-story-'));
  const portside = openPortside({ args: [`--log-net-log=${networkLog()}`] });
  [scene, shop] = await Promise.all([portside.then((opened) => openScene({}, opened)), startShop()]);
  page = await scene.portside.context.newPage();
});
let isOpen = true;
async function end(): Promise<void> {
  if (isOpen) {
    isOpen = false;
    await scene.close();
  }
}
afterAll(async () => {
  await end();
  shop.close();
  await rm(folder, { recursive: true, force: true });
});

type Call = [name: string, args?: object];
/** The reference of an element that the model has just been told of, by its role and its name or text. */
type Ref = (role: string, name: string) => string;
/** What the model does then: several calls in one message are a plan; text ends the run. */
type Turn = (ref: Ref, told: string) => Call[] | string;

function replyOf(turn: Turn, { body: { messages } }: RecordedRequest, at: number) {
  const from = messages.findLastIndex(({ role }) => role === 'assistant');
  const news = messages.slice(from + 1);
  const told = news.map(({ content }) => content).join('\n');
  const ref: Ref = (role, name) => {
    const line = new RegExp(`- ${role}(?: "${name}" \\[ref=(\\w+)\\]| \\[ref=(\\w+)\\].*: ${name}$)`, 'm');
    const [, byName, byText] = line.exec(told) ?? [];
    const found = byName ?? byText;
    if (found === undefined) throw new Error(`No ${role} "${name}" in:\n${told}`);
    return found;
  };
  const made = turn(ref, told);
  if (typeof made === 'string') return stream(text(made));
  const calls = made.map(([name, args = {}], index) =>
    call({ index, id: `c${at}.${index}`, name, arguments: JSON.stringify(args) }),
  );
  return stream(...calls);
}

/** Answers as the turns say, and where one can't be played, with why. */
const script = (...turns: Turn[]): void =>
  scene.model.script(
    ...turns.map((turn) => (request: RecordedRequest, at: number) => {
      try {
        return replyOf(turn, request, at);
      } catch (error) {
        return stream(text(`Broken: ${String(error)}`));
      }
    }),
  );

const panel = () => scene.portside.panel;

async function attach(name: string, after: () => Promise<void> = async () => undefined): Promise<void> {
  const chips = panel().locator('form').getByRole('list', { name: 'Context' }).getByRole('listitem');
  const read = chips.getByRole('button', { name: 'tokens' });
  const before = await read.count();
  await panel().getByRole('button', { name: 'Attach' }).click();
  await Promise.all([
    after(),
    panel().getByRole('listbox', { name: 'Context' }).getByRole('option', { name }).click(),
  ]);
  await until(`${name} is attached`, async () => (await read.count()) > before);
}

/** Buys a lantern. In the frame of the payments the user types the number of their card. */
function buy(): void {
  let tab = 0;
  const field = (ref: string, value: string) => ({ ref, value });
  script(
    () => [['snapshot']],
    (ref) => [
      ['type_text', { ref: ref('searchbox', 'Search the shop'), text: 'lantern' }],
      ['click', { ref: ref('button', 'Search') }],
    ],
    () => [['snapshot']],
    (ref) => [
      ['set_checked', { ref: ref('checkbox', 'In stock only'), checked: true }],
      ['select_option', { ref: ref('combobox', 'Sort by'), values: ['Price'] }],
    ],
    () => [['snapshot']],
    (ref) => [['click', { ref: ref('link', 'Storm lantern'), button: 'middle' }]],
    (_ref, told) => {
      tab = Number(/A new tab is there: (\d+)/.exec(told)?.[1]);
      return [['snapshot', { tab }]];
    },
    (ref) => [
      ['click', { tab, ref: ref('button', 'Add to basket') }],
      ['click', { tab, ref: ref('link', 'Checkout') }],
    ],
    () => [['snapshot', { tab }]],
    // The chat has read nothing yet of the site that the frame is of.
    (_ref, told) => [['open_tab', { url: /Left out: frames of [^:]*: (\S+)\. /.exec(told)?.[1] }]],
    () => [['ask_user', { tab, what: 'Type the number of your card', why: 'Only you may do that' }]],
    (ref) => [
      [
        'fill_form',
        {
          tab,
          fields: [
            field(ref('textbox', 'Full name'), 'Ada Stone'),
            field(ref('textbox', 'Street'), 'Harbour 1'),
            field(ref('combobox', 'Country'), 'Norway'),
          ],
        },
      ],
      ['upload_file', { tab, ref: ref('textbox', 'Greeting card'), files: ['greeting.txt'] }],
      ['drag', { tab, from: ref('listitem', 'Storm lantern'), to: ref('list', 'Gift paper') }],
      ['click', { tab, ref: ref('button', 'Place order') }],
    ],
    () => [['snapshot', { tab }]],
    (_ref, told) => `It is order ${/number (\d+)/.exec(told)?.[1]}.`,
  );
}

/** The user answers the cards as they come, until the model has. @returns the approvals, as they were shown */
async function answerAll(): Promise<string[]> {
  const approval = panel().getByRole('alertdialog', { name: /^Approve/ });
  const handOver = panel().getByRole('alertdialog', { name: 'The model asks for your help' });
  const done = scene.articles('Assistant').getByText(/^(It is order|Broken)/);
  const shown: string[] = [];
  for (;;) {
    await approval.or(handOver).or(done).first().waitFor();
    if ((await approval.count()) > 0) {
      shown.push(await decide(approval, 'Allow for this chat'));
    } else if ((await handOver.count()) > 0) {
      await typeCardNumber();
      await decide(handOver, 'Continue');
    } else return shown;
  }
}

async function typeCardNumber(): Promise<void> {
  // All that was done in it, was done behind the shop's first page.
  expect(await inFront(scene.portside)).toBe(page.url());
  const checkout = scene.portside.context.pages().find((each) => each.url() === `${shop.url}/checkout`);
  await checkout?.bringToFront();
  await checkout?.frameLocator('iframe').getByLabel('Card number').pressSequentially('4242424242424242');
}

/** The bodies of what the servers were asked for so. */
const asked = (what: string): string[] =>
  shop.asked.filter((each) => each.what === what).map(({ body }) => body);

it('a purchase over two tabs and a frame of another site asks the user three times, and for the number of their card', async () => {
  await page.goto(`${shop.url}/`);
  await page.bringToFront();
  await attach('This page');
  const greeting = { name: 'greeting.txt', mimeType: 'text/plain', buffer: Buffer.from('Fair winds') };
  await attach('Files…', async () => (await panel().waitForEvent('filechooser')).setFiles([greeting]));
  buy();
  await scene.ask('Buy the cheapest lantern that is in stock, wrapped as a gift, with my greeting.');
  const cards = await answerAll();
  expect(cards).toEqual([
    expect.stringContaining('Approve 2 calls'), // the search, which sends a form
    expect.stringContaining('Approve open_tab'), // the site of the payments
    expect.stringContaining('Approve 3 calls'), // the order; dragging was allowed with the search
  ]);
  const failed = (await scene.stored()).toolCalls.filter(({ status }) => status !== 'success');
  expect(failed.map(({ toolName, result }) => [toolName, result?.text])).toEqual([]);
  expect(await scene.articles('Assistant').textContent()).toContain('It is order 1812.');
  expect(asked('GET /search?q=lantern')).toHaveLength(1);
  expect(asked('POST /shown').slice(-3)).toEqual([
    'Brass lantern, Deck lantern, Storm lantern',
    'Brass lantern, Storm lantern',
    'Storm lantern, Brass lantern',
  ]);
  expect(asked('GET /products/storm-lantern')).toHaveLength(1);
  expect(asked('POST /basket')).toEqual(['storm-lantern']);
  expect(asked('POST /pay')).toEqual([
    'name=Ada+Stone&street=Harbour+1&country=Norway&card=4242424242424242',
  ]);
  const [order = ''] = asked('POST /orders');
  for (const part of ['filename="greeting.txt"', 'Fair winds', 'Storm lantern', 'payment-4711'])
    expect(order).toContain(part);
  expect(JSON.stringify(scene.model.requests.map(({ body }) => body))).not.toContain('4242');
});

/** Where the extension and the pages sent requests: what the browser asks on its own account names no one who asked. */
async function requested(): Promise<Set<string>> {
  const lines = (await readFile(networkLog(), 'utf8')).split('\n').slice(1);
  const urls = lines.flatMap((line) => {
    const [, initiator, url] = /"initiator":"([^"]*)".*"url":"([^"]*)"/.exec(line) ?? [];
    return initiator === undefined || url === undefined || initiator === 'not an origin' ? [] : [url];
  });
  return new Set(urls.filter((url) => /^https?:/.test(url)).map((url) => new URL(url).origin));
}

it('a day’s use asks the user’s model, servers and pages for something, and nobody else', async () => {
  const [{ url: model }, { url: mcp }] = [scene.model, scene.mcp];
  script(
    () => [[offered('add'), { a: 2, b: 40 }]],
    () => 'It is 42.',
  );
  await scene.ask('Add 2 and 40');
  await decide(panel().getByRole('alertdialog', { name: /^Approve/ }), 'Allow once');
  await scene.articles('Assistant').getByText('It is 42.').waitFor();
  const { options } = scene.portside;
  for (const link of await options.getByRole('navigation').getByRole('link').all()) {
    await link.click();
    await options.locator('main h1').waitFor();
  }
  await end(); // the log is whole when the browser has ended
  const origins = await requested();
  const chosen = [model, mcp, shop.url, shop.payments].map((url) => new URL(url).origin);
  for (const each of chosen) expect(origins).toContain(each);
  // Where Portside looks for a model server while it has none (PRIVACY.md).
  const looked = [11434, 1234, 8080].map((port) => `http://127.0.0.1:${port}`);
  expect([...origins.difference(new Set([...chosen, ...looked]))]).toEqual([]);
});
