import { expect, it } from 'vitest';
import { settings } from '../../entrypoints/gallery/setups.ts';
import { startersOf } from '../../lib/state/composer/starters.ts';
import { type FrontPage, STARTERS_OF } from '../../lib/types/starter.ts';
import { AppError } from '../../lib/errors.ts';
import { createPanel, type Panel } from '../../lib/state/panel.ts';
import type { AttachmentSummary } from '../../lib/types/attachment.ts';
import { fakeWorker, setup, snapshot } from './fake-worker.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const provider = {
  id: 1,
  name: 'Local',
  preset: 'custom',
  baseUrl: 'http://127.0.0.1/v1',
  model: 'small',
  headerNames: [],
};
const chosenSetup = {
  ...setup,
  providers: [provider],
  newChat: { ...setup.newChat, providerId: 1, model: 'small' },
} as unknown as typeof setup;

const page: FrontPage = { tabId: 7, title: 'Tides', url: 'https://a.example/', hasSelection: false };
const attached: AttachmentSummary = {
  id: 'a1',
  title: 'Tides',
  tokens: 9,
  source: { type: 'page', part: 'page', url: 'https://a.example/' },
} as never;
const noAccess = new AppError({ code: 'no_page_access', message: 'No.', retryable: true });

async function open(front: FrontPage | null = page, first = chosenSetup) {
  const worker = fakeWorker();
  worker.answer.frontPage = () => front;
  worker.answer.attachPage = () => attached;
  worker.answer.startRun = () => 'started';
  const panel = createPanel(worker.link, { newId: () => 'id', ownWindow: async () => 1, store: null });
  panel.start();
  worker.say({ type: 'setup', setup: first });
  worker.say(snapshot({ conversation: null }));
  await panel.front.look();
  const asked = (command: string) =>
    worker.sent.filter((sent) => sent.command === command).map(({ request }) => request);
  return { panel, worker, asked };
}
function given<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('It is not there.');
  return value;
}
const [summarise] = startersOf({}, STARTERS_OF.page);
const ask = (panel: Panel) => panel.askOfFront(given(summarise));

it('those of a page and of a selection come first there, but for what is switched off, in the user’s own words', () => {
  const names = (part: keyof typeof STARTERS_OF, chosen = {}) =>
    startersOf(chosen, STARTERS_OF[part]).map(({ name }) => name);
  expect(names('page').slice(0, 3)).toEqual(['Summarise', 'Key points', 'Draft a reply']);
  expect(names('selection').slice(0, 3)).toEqual(['Explain', 'Translate to English', 'Rewrite']);
  expect(names('page', { summarise: { isOff: true } })[0]).toBe('Key points');
  expect(startersOf({ explain: { text: 'Why?' } }, ['explain'])[0]?.text).toBe('Why?');
});

it('one is sent with the page in front, once that is read', async () => {
  const { panel, worker, asked } = await open();
  const read = Promise.withResolvers<AttachmentSummary>();
  worker.answer.attachPage = () => read.promise;
  void ask(panel);
  await settled();
  expect(panel.heldSend.isHeld.value).toBe(true);
  expect(asked('attachPage')).toMatchObject([{ tabId: 7, part: 'page', url: 'https://a.example/' }]);
  expect(asked('startRun')).toEqual([]);
  read.resolve(attached);
  await settled();
  expect(asked('startRun')).toMatchObject([{ message: { text: 'Summarise this.', attachments: ['a1'] } }]);
});

it('one waits for the access to the page, and goes on by itself when that is given', async () => {
  const { panel, worker, asked } = await open();
  worker.answer.attachPage = () => {
    throw noAccess;
  };
  await ask(panel);
  expect(asked('startRun')).toEqual([]);
  worker.answer.attachPage = () => attached;
  const [failed] = panel.attaching.adding.value;
  await panel.attaching.retry(given(failed));
  await settled();
  expect(asked('startRun')).toMatchObject([{ message: { text: 'Summarise this.', attachments: ['a1'] } }]);
});

it('one that is pressed before a model is chosen stays a draft with the page, until the user sends it', async () => {
  const { panel, worker, asked } = await open(page, setup);
  await ask(panel);
  worker.say({ type: 'setup', setup: chosenSetup });
  await settled();
  expect([panel.text.value, panel.chat.value.attachments]).toEqual(['Summarise this.', [attached]]);
  expect([panel.heldSend.isHeld.value, asked('startRun')]).toEqual([false, []]);
  await panel.send();
  expect(asked('startRun')).toMatchObject([{ message: { text: 'Summarise this.', attachments: ['a1'] } }]);
});

it.each([
  ['the text is changed', (panel: Panel) => panel.type('Something else')],
  ['another chat is shown', (panel: Panel) => panel.show(null)],
])('one is not sent when %s before', async (_, change) => {
  const { panel, worker, asked } = await open();
  const read = Promise.withResolvers<AttachmentSummary>();
  worker.answer.attachPage = () => read.promise;
  void ask(panel);
  change(panel);
  read.resolve(attached);
  await settled();
  expect(asked('startRun')).toEqual([]);
});

it('one is not sent without a page that can’t be read', async () => {
  const { panel, worker, asked } = await open();
  worker.answer.attachPage = () => {
    throw new AppError({ code: 'page_closed', message: 'No.', retryable: true });
  };
  await ask(panel);
  await settled();
  expect([asked('startRun'), panel.text.value]).toEqual([[], 'Summarise this.']);
});

it('what could not be read of a page is not offered again in the next new chat', async () => {
  const { panel, worker } = await open();
  worker.answer.attachPage = () => {
    throw noAccess;
  };
  await ask(panel);
  expect(panel.attaching.adding.value).toHaveLength(1);
  panel.show(null);
  expect([panel.attaching.adding.value, panel.text.value]).toEqual([[], '']);
});

it('under / one puts its text into the message, with what is selected in front, unless something is attached', async () => {
  const { panel, asked } = await open({ ...page, hasSelection: true });
  panel.type('/expl');
  panel.menu.look('/expl', 5);
  const entry = panel.menu.found.value.groups.flatMap(({ entries }) => entries)[0];
  if (entry?.type !== 'starter') throw new Error('Explain is not listed.');
  await panel.menu.chooseStarter(entry.starter);
  expect(panel.text.value).toBe('Explain this in simple terms.');
  expect(asked('attachPage')).toMatchObject([{ tabId: 7, part: 'selection' }]);
  await panel.menu.chooseStarter(entry.starter);
  expect(asked('attachPage')).toHaveLength(1);
});

it('the page is not offered any more once it was declined, until another one is in front', async () => {
  const { panel, worker } = await open();
  panel.front.decline();
  await panel.front.look();
  expect(panel.front.page.value).toBeNull();
  worker.answer.frontPage = () => ({ ...page, url: 'https://a.example/other' });
  await panel.front.look();
  expect(panel.front.page.value).not.toBeNull();
});

it('a hint is shown once, at the moment when it would have helped', async () => {
  const { panel, worker, asked } = await open();
  await ask(panel);
  expect([panel.hints.shown.value, asked('saveSettings')]).toEqual([
    'shortcut',
    [{ seenHints: ['shortcut'] }],
  ]);
  panel.hints.dismiss();
  worker.say({
    type: 'setup',
    setup: { ...chosenSetup, settings: { ...settings, seenHints: ['shortcut'] } },
  });
  await ask(panel);
  expect(panel.hints.shown.value).toBeNull();
});

it('a question asked before an empty tab hints at the address bar', async () => {
  const { panel } = await open(null);
  panel.type('Hello');
  await panel.send();
  expect(panel.hints.shown.value).toBe('keyword');
});
