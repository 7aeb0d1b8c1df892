import { describe, expect, it } from 'vitest';
import { AppError } from '../../lib/errors.ts';
import { createPanel, type Panel } from '../../lib/state/panel.ts';
import type { UserMessage } from '../../lib/types/message.ts';
import { assistant, conversation, countingIds, fakeWorker, run, snapshot, user } from './fake-worker.ts';

function open(): { panel: Panel; worker: ReturnType<typeof fakeWorker> } {
  const worker = fakeWorker();
  const panel = createPanel(worker.link, {
    newId: countingIds(),
    now: () => '2026-11-21T10:00:00.000Z',
    ownWindow: async () => 1,
    later: () => undefined,
  });
  panel.start();
  return { panel, worker };
}

const attached: UserMessage = {
  ...user(1),
  attachments: ['f1', 'f2'].map((id) => ({
    id,
    title: id,
    source: { type: 'file', name: id, size: 1 },
    text: '',
    tokens: 1,
  })),
};
const last = (worker: ReturnType<typeof fakeWorker>) =>
  worker.sent.findLast(({ command }) => command !== 'nextIntent');

describe('a message that is written anew', () => {
  it('goes in the place of the one that it was, with the attachments that are kept', async () => {
    const { panel, worker } = open();
    worker.say(snapshot({ messages: [attached, assistant(2)] }));
    panel.editLast();
    panel.messages.rewrite({ text: ' Better ', kept: panel.messages.editing.value?.kept.slice(1) ?? [] });
    worker.answer.startRun = () => 'started';
    await panel.messages.sendEdit();
    expect(last(worker)).toEqual({
      command: 'startRun',
      request: {
        conversationId: 'c1',
        runId: 'id2',
        message: { id: 'id1', text: 'Better', replaces: { messageId: 'u1', kept: ['f2'] } },
      },
    });
    expect(panel.messages.editing.value).toBeNull();
  });

  it('that was not accepted stays, and is sent again under the same ids unless it changed', async () => {
    const { panel, worker } = open();
    worker.say(snapshot({ messages: [user(1)] }));
    worker.answer.startRun = () => {
      throw new AppError({ code: 'worker_unreachable', message: 'No answer' });
    };
    panel.messages.edit(user(1, 'First'));
    await panel.messages.sendEdit();
    await panel.messages.sendEdit();
    panel.messages.rewrite({ text: 'Second' });
    await panel.messages.sendEdit();
    const sent = worker.sent.filter(({ command }) => command === 'startRun');
    expect(sent.map(({ request }) => (request as { runId: string }).runId)).toEqual(['id2', 'id2', 'id4']);
    expect(panel.messages.editing.value?.text).toBe('Second');
  });

  it('is left when another chat is shown, and not begun while a run is live', () => {
    const { panel, worker } = open();
    worker.say(snapshot({ messages: [user(1)] }));
    panel.editLast();
    panel.show(null);
    expect(panel.messages.editing.value).toBeNull();
    panel.show(conversation);
    worker.say(snapshot({ messages: [user(1)], runs: [run()] }));
    panel.editLast();
    expect(panel.messages.editing.value).toBeNull();
  });
});

describe('a message', () => {
  it('is deleted, and given back', async () => {
    const { panel, worker } = open();
    worker.say(snapshot({ messages: [user(1)] }));
    await panel.messages.remove('u1');
    expect(panel.undos.list.value).toEqual([{ key: 'u1', what: 'message' }]);
    await panel.undos.take('u1');
    expect(last(worker)).toEqual({ command: 'restoreMessage', request: { messageId: 'u1' } });
  });

  it('that could not be deleted is not offered back', async () => {
    const { panel, worker } = open();
    worker.answer.deleteMessage = () => {
      throw new AppError({ code: 'run_live', message: 'Still being written' });
    };
    await panel.messages.remove('u1');
    expect(panel.undos.list.value).toEqual([]);
    expect(panel.error.value?.code).toBe('run_live');
  });

  it('begins a chat of its own, which is shown', async () => {
    const { panel, worker } = open();
    worker.say(snapshot({ messages: [user(1)] }));
    worker.answer.forkConversation = () => ({ ...conversation, id: 'id1' });
    await panel.messages.branch('u1');
    expect(panel.conversationId.value).toBe('id1');
  });

  it('begins one chat, however often it is pressed while that is made, and another afterwards', async () => {
    const { panel, worker } = open();
    worker.say(snapshot({ messages: [user(1)] }));
    const reply = Promise.withResolvers<unknown>();
    worker.answer.forkConversation = () => reply.promise;
    const presses = [panel.messages.branch('u1'), panel.messages.branch('u1')];
    reply.resolve({ ...conversation, id: 'id1' });
    await Promise.all(presses);
    const forks = () => worker.sent.filter(({ command }) => command === 'forkConversation');
    expect(forks()).toHaveLength(1);
    await panel.messages.branch('u1');
    expect(forks()).toHaveLength(2);
  });

  it('is quoted line by line, beneath what is written already', () => {
    const { panel, worker } = open();
    worker.say(snapshot());
    panel.type('See:\n');
    panel.quote(' One\n\ntwo ');
    expect(panel.text.value).toBe('See:\n> One\n>\n> two\n\n');
  });

  it('is quoted on every line that a model would read as one', () => {
    const { panel, worker } = open();
    worker.say(snapshot());
    panel.quote('One\u2028two\u2029three\rfour\vfive');
    expect(panel.text.value).toBe('> One\n> two\n> three\n> four\n> five\n\n');
  });
});
