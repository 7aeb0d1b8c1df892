import { expect, it } from 'vitest';
import { createPanel } from '../../lib/state/panel.ts';
import type { Attachment } from '../../lib/types/attachment.ts';
import { countingIds, fakeWorker, rows, snapshot, user } from './fake-worker.ts';

const at = '2026-11-21T10:00:00.000Z';
const page = (id: string, tabId: number, print: string): Attachment => ({
  id,
  title: id,
  source: { type: 'page', part: 'page', tabId, url: 'https://a.example/', at, print },
  text: 'Tides',
  tokens: 1,
});

function open() {
  const worker = fakeWorker();
  const panel = createPanel(worker.link, {
    nextFrame: () => undefined,
    newId: countingIds(),
    now: () => at,
    ownWindow: async () => 1,
    readFile: async () => Promise.reject(new Error('there is none')),
  });
  panel.start();
  const sent = [page('first', 7, 'a'), page('later', 7, 'b'), page('other', 8, 'c')];
  worker.say(
    snapshot({ messages: [{ ...user(1), attachments: sent }], attachments: [page('draft', 9, 'd')] }),
  );
  const asked = (command: string) =>
    worker.sent.filter((each) => each.command === command).map(({ request }) => request);
  return { worker, asked, panel, pages: panel.changedPages };
}

it('the pages of the draft, and each tab as the chat read it last, are asked about together', async () => {
  const { worker, asked, pages } = open();
  worker.answer.changedPages = () => ['draft', 'later'];
  expect(pages.isLooking.value).toBe(true);
  await pages.look();
  const url = 'https://a.example/';
  expect(asked('changedPages')).toEqual([
    {
      pages: [
        { id: 'draft', tabId: 9, url, print: 'd', isSent: false },
        { id: 'later', tabId: 7, url, print: 'b', isSent: true },
        { id: 'other', tabId: 8, url, print: 'c', isSent: true },
      ],
    },
  ]);
  expect([...pages.inDraft.value]).toEqual(['draft']);
  expect(pages.sent.value?.id).toBe('later');
});

it('one of the draft is read anew in its place, and one that was sent into the draft; then neither is told of', async () => {
  const { worker, asked, panel, pages } = open();
  worker.answer.changedPages = () => ['draft', 'later'];
  worker.answer.attachPage = () => page('anew', 7, 'e');
  await pages.look();
  const [draft] = panel.chat.value.attachments;
  const sent = pages.sent.value;
  if (!draft || !sent) throw new Error('neither is there');
  await pages.refresh(draft);
  expect(asked('refreshPage')).toEqual([{ id: 'draft' }]);
  worker.say(rows({ attachments: [page('draft', 9, 'f')] }));
  expect([...pages.inDraft.value]).toEqual([]);
  await pages.refresh(sent);
  expect(asked('attachPage')).toMatchObject([{ part: 'page', tabId: 7, url: 'https://a.example/' }]);
  expect(panel.chat.value.attachments.map(({ id }) => id)).toEqual(['draft', 'anew']);
  expect(pages.sent.value).toBeNull();
});

it('of two looks the later one counts, whichever is answered first', async () => {
  const { worker, pages } = open();
  const { promise, resolve } = Promise.withResolvers<string[]>();
  worker.answer.changedPages = () => promise;
  const first = pages.look();
  worker.answer.changedPages = () => [];
  await pages.look();
  resolve(['draft']);
  await first;
  expect([...pages.inDraft.value]).toEqual([]);
});
