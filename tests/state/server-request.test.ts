import { describe, expect, it } from 'vitest';
import { createPanel, type Panel } from '../../lib/state/panel.ts';
import { runStatusLine } from '../../lib/state/chat/run-status.ts';
import type { RequestBody, ServerRequest } from '../../lib/types/request.ts';
import { conversation, fakeWorker, rows, run, snapshot } from './fake-worker.ts';

const form: RequestBody = { kind: 'form', message: 'Which one?', schema: {} };
const request = (id: string, body: RequestBody = form, conversationId = 'c1'): ServerRequest => ({
  ...body,
  id,
  conversationId,
  serverId: 1,
  serverName: 'Everything',
  serverHost: '127.0.0.1:3001',
  callId: 'a1.0',
  askedAt: '2026-11-21T10:00:00.000Z',
});

function open(): { panel: Panel; worker: ReturnType<typeof fakeWorker> } {
  const worker = fakeWorker();
  const panel = createPanel(worker.link, { ownWindow: async () => 1, nextFrame: () => undefined });
  panel.start();
  worker.say(snapshot({ runs: [run()], requests: [request('q1')] }));
  return { panel, worker };
}
const ids = (panel: Panel): string[] => panel.chat.value.requests.map(({ id }) => id);

describe('a server’s request', () => {
  it('is there when the panel opens, comes and goes with the changes', () => {
    const { panel, worker } = open();
    expect(ids(panel)).toEqual(['q1']);
    worker.say(rows({ requests: [request('q1'), request('q2')] }));
    expect(ids(panel)).toEqual(['q1', 'q2']);
    worker.say(rows({ requests: [request('q2')] }));
    expect(ids(panel)).toEqual(['q2']);
  });

  it('keeps what is typed into it while others come', () => {
    const { panel, worker } = open();
    panel.answers.keep('q1', { name: 'Ada' });
    worker.say(rows({ requests: [request('q1'), request('q2')] }));
    expect(panel.answers.of('q1')).toEqual({ name: 'Ada' });
  });

  it('that came while a prompt was fetched for a new chat is shown there', () => {
    const { panel, worker } = open();
    panel.show(null);
    worker.say(snapshot({ conversation: null }));
    worker.say(rows({ requests: [{ ...request('q4', form, 'new'), callId: null }] }));
    expect(ids(panel)).toEqual(['q4']);
  });

  it('drops what was typed into it when it ends, wherever it was answered', () => {
    const { panel, worker } = open();
    panel.answers.keep('q1', { name: 'Ada' });
    worker.say(rows({ requests: [] }));
    expect(panel.answers.of('q1')).toBeNull();
  });

  it('that ended while no panel saw it takes it along too; one of another chat does not', () => {
    const { panel, worker } = open();
    panel.answers.keep('q1', { name: 'Ada' });
    panel.show({ ...conversation, id: 'c2' });
    worker.say(
      snapshot({ conversation: { ...conversation, id: 'c2' }, requests: [request('q2', form, 'c2')] }),
    );
    panel.answers.keep('q2', { name: 'Bea' });
    expect(panel.answers.of('q1')).toEqual({ name: 'Ada' });
    panel.show(conversation);
    worker.say(snapshot({ conversation, requests: [] }));
    expect(panel.answers.of('q1')).toBeNull();
    expect(panel.answers.of('q2')).toEqual({ name: 'Bea' });
  });

  it('is what the run bar tells of: an answer, or an approval for sampling', () => {
    const { panel } = open();
    expect(runStatusLine(panel.chat.value, false, null)).toEqual({ type: 'answer' });
    const sampling: RequestBody = { kind: 'sampling', sampling: { messages: [], tools: [], maxTokens: 10 } };
    const asked = { ...panel.chat.value, requests: [request('q1', sampling)] };
    expect(runStatusLine(asked, false, null)).toEqual({ type: 'approval' });
  });

  it('is answered once, and what was typed for it is forgotten then', async () => {
    const { panel, worker } = open();
    panel.answers.keep('q1', { name: 'Ada' });
    expect(await panel.answerRequest('q1', { action: 'accept', content: { name: 'Ada' } })).toBe(true);
    expect(worker.sent).toContainEqual({
      command: 'answerRequest',
      request: { requestId: 'q1', action: 'accept', content: { name: 'Ada' } },
    });
    expect(panel.answers.of('q1')).toBeNull();
  });

  it('keeps what was typed when the worker did not take the answer', async () => {
    const { panel, worker } = open();
    panel.answers.keep('q1', { name: 'Ada' });
    worker.answer.answerRequest = () => {
      throw new Error('no');
    };
    expect(await panel.answerRequest('q1', { action: 'decline' })).toBe(false);
    expect(panel.answers.of('q1')).toEqual({ name: 'Ada' });
    expect(panel.error.value).not.toBeNull();
  });
});
