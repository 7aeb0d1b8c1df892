import { describe, expect, it } from 'vitest';
import { AppError } from '../../lib/errors.ts';
import { errorOf } from '../../lib/reader/failures.ts';
import { Unreadable } from '../../lib/unreadable.ts';
import { overBudget } from '../../lib/state/composer/over-budget.ts';
import { createPanel, type Panel } from '../../lib/state/panel.ts';
import type { AttachmentSummary } from '../../lib/types/attachment.ts';
import { readFile } from '../fakes/read-file.ts';
import { conversation, countingIds, fakeWorker, rows, snapshot } from './fake-worker.ts';

const NOW = '2026-11-21T10:00:00.000Z';

const attachment = (name: string, tokens = 12): AttachmentSummary => ({
  id: name,
  title: name,
  source: { type: 'file', name, size: 5 },
  mimeType: 'text/plain',
  tokens,
});
const file = (name: string, text = 'Hello'): File => new File([text], name);

/** There is no frame here to read it in. */
const readInFrame = (chosen: File) =>
  readFile(chosen).catch((error: Unreadable) => Promise.reject(errorOf(error.failure, chosen.name)));

function open(): { panel: Panel; worker: ReturnType<typeof fakeWorker> } {
  const worker = fakeWorker();
  worker.answer.attachFile = () => attachment('a.txt');
  const panel = createPanel(worker.link, {
    nextFrame: () => undefined,
    newId: countingIds(),
    now: () => NOW,
    ownWindow: async () => 1,
    readFile: (chosen, signal) => readInFrame(chosen).finally(() => signal.throwIfAborted()),
  });
  panel.start();
  worker.say(snapshot());
  return { panel, worker };
}
const asked = (worker: ReturnType<typeof fakeWorker>, command: string): unknown[] =>
  worker.sent.filter((sent) => sent.command === command).map(({ request }) => request);
const adding = (panel: Panel): unknown[] =>
  panel.attaching.adding.value.map(({ title, error }) => [title, error?.message]);

describe('attaching files', () => {
  it('reads each here and gives the worker what a model gets of it', async () => {
    const { panel, worker } = open();
    const attaching = panel.attaching.attachFiles([file('a.txt'), file('b.csv', '1,2')]);
    expect(adding(panel)).toEqual([
      ['a.txt', undefined],
      ['b.csv', undefined],
    ]);
    await attaching;
    expect(asked(worker, 'attachFile')).toEqual([
      {
        conversationId: 'c1',
        id: `${NOW} 000001 id1`,
        name: 'a.txt',
        size: 5,
        text: 'Hello',
        mimeType: 'text/plain',
        url: expect.stringMatching(/^blob:/),
      },
      {
        conversationId: 'c1',
        id: `${NOW} 000002 id2`,
        name: 'b.csv',
        size: 3,
        text: '1,2',
        mimeType: 'text/csv',
        url: expect.stringMatching(/^blob:/),
      },
    ]);
    expect(adding(panel)).toEqual([]);
    expect(panel.chat.value.attachments.map(({ title }) => title)).toEqual(['a.txt']);
  });

  it('says of each file that can’t be read why, and asks nothing of the worker', async () => {
    const { panel, worker } = open();
    await panel.attaching.attachFiles([file('empty.txt', ''), file('a.txt')]);
    expect(adding(panel)).toEqual([['empty.txt', 'The file is empty.']]);
    expect(asked(worker, 'attachFile')).toHaveLength(1);
    for (const each of panel.attaching.adding.value) panel.attaching.giveUp(each);
    expect(adding(panel)).toEqual([]);
  });

  it('forgets that one could not be read once it is read again', async () => {
    const { panel } = open();
    await panel.attaching.attachFiles([file('a.txt', ''), file('b.txt', '')]);
    await panel.attaching.attachFiles([file('a.txt')]);
    expect(adding(panel)).toEqual([['b.txt', 'The file is empty.']]);
    expect(panel.chat.value.attachments.map(({ title }) => title)).toEqual(['a.txt']);
  });

  it('keeps one that can’t be read when the message goes without it, and says so, until it is removed', async () => {
    const { panel, worker } = open();
    await panel.attaching.attachFiles([file('empty.txt', ''), file('a.txt')]);
    const left = (): unknown[] => panel.attaching.adding.value.map(({ title, isLeft }) => [title, isLeft]);
    expect(left()).toEqual([['empty.txt', undefined]]);
    panel.type('Read them');
    await panel.send();
    expect(asked(worker, 'startRun')).toMatchObject([{ message: { attachments: ['a.txt'] } }]);
    expect(left()).toEqual([['empty.txt', true]]);
    panel.show({ ...conversation, id: 'c2' });
    expect(left()).toEqual([]);
    panel.show(conversation);
    expect(left()).toEqual([['empty.txt', true]]);
  });

  it('keeps one that can’t be read through the first message of a chat', async () => {
    const { panel, worker } = open();
    panel.show(null);
    worker.say(snapshot({ conversation: null }));
    await panel.attaching.attachFiles([file('empty.txt', '')]);
    panel.type('Read it');
    worker.answer.startRun = async () => {
      await Promise.resolve();
      worker.say(rows({ conversation: { ...conversation, id: panel.conversationId.value ?? '' } }));
    };
    await panel.send();
    expect(asked(worker, 'startRun')).toHaveLength(1);
    expect(panel.attaching.adding.value).toMatchObject([{ title: 'empty.txt', isLeft: true }]);
    panel.show(null);
    expect(adding(panel)).toEqual([]);
  });

  it('are in sight all the time when a new chat is asked for in a new chat', async () => {
    const { panel, worker } = open();
    panel.show(null);
    worker.say(snapshot({ conversation: null }));
    await panel.attaching.attachFiles([file('a.txt')]);
    panel.show(null);
    expect(panel.chat.value.attachments.map(({ title }) => title)).toEqual(['a.txt']);
    panel.show(conversation);
    expect(panel.chat.value.attachments).toEqual([]);
  });

  it('says what the worker has against one', async () => {
    const { panel, worker } = open();
    worker.answer.attachFile = () => {
      throw new AppError({ code: 'attachment_too_large', message: 'The images are too large to attach.' });
    };
    await panel.attaching.attachFiles([file('a.txt')]);
    expect(adding(panel)).toEqual([['a.txt', 'The images are too large to attach.']]);
  });

  it('puts away one that was given up when the worker had it already', async () => {
    const { panel, worker } = open();
    const reply = Promise.withResolvers<unknown>();
    worker.answer.attachFile = () => reply.promise;
    const attaching = panel.attaching.attachFiles([file('a.txt')]);
    await expect.poll(() => asked(worker, 'attachFile').length).toBe(1);
    for (const each of panel.attaching.adding.value) panel.attaching.giveUp(each);
    reply.resolve(attachment('a.txt'));
    await attaching;
    expect(panel.chat.value.attachments).toEqual([]);
    expect(asked(worker, 'detach')).toEqual([{ id: 'a.txt' }]);
  });

  it('given up while it is read never reaches the worker', async () => {
    const { panel, worker } = open();
    const attaching = panel.attaching.attachFiles([file('a.txt')]);
    for (const each of panel.attaching.adding.value) panel.attaching.giveUp(each);
    await attaching;
    expect(asked(worker, 'attachFile')).toEqual([]);
  });

  it('goes into the chat that it was meant for, whichever is shown by then', async () => {
    const { panel, worker } = open();
    const reply = Promise.withResolvers<unknown>();
    worker.answer.attachFile = () => reply.promise;
    const attaching = panel.attaching.attachFiles([file('a.txt')]);
    panel.show({ ...conversation, id: 'c2' });
    worker.say(snapshot({ conversation: { ...conversation, id: 'c2' } }));
    reply.resolve(attachment('a.txt'));
    await attaching;
    expect(asked(worker, 'attachFile')).toMatchObject([{ conversationId: 'c1' }]);
    expect(panel.chat.value.attachments).toEqual([]);
    expect(asked(worker, 'detach')).toEqual([]);
  });

  it('is still shown being read when the user comes back to its chat', async () => {
    const { panel, worker } = open();
    const reply = Promise.withResolvers<unknown>();
    worker.answer.attachFile = () => reply.promise;
    const attaching = panel.attaching.attachFiles([file('a.txt')]);
    panel.show({ ...conversation, id: 'c2' });
    panel.show(conversation);
    expect(adding(panel)).toEqual([['a.txt', undefined]]);
    worker.say(snapshot());
    reply.resolve(attachment('a.txt'));
    await attaching;
    expect(panel.chat.value.attachments.map(({ id }) => id)).toEqual(['a.txt']);
  });
});

describe('the budget', () => {
  const traits = { contextWindow: 100, vision: false };

  it('is over when all attachments together are more than the model reads', () => {
    expect(overBudget([attachment('a', 60), attachment('b', 40)], { traits })).toBeNull();
    expect(overBudget([attachment('a', 60), attachment('b', 41)], { traits })).toEqual({
      tokens: 101,
      window: 100,
    });
  });

  it('leaves out pictures that are not sent, and is never over where the context is not known', () => {
    const picture = { ...attachment('a.png', 200), mimeType: 'image/png' };
    expect(overBudget([picture], { traits })).toBeNull();
    expect(overBudget([picture], { traits: { ...traits, vision: true } })).not.toBeNull();
    expect(overBudget([attachment('a', 1000)], { traits: {} })).toBeNull();
  });
});
