import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { chatModel } from '../../entrypoints/background/models/chat-model.ts';
import { createModels } from '../../entrypoints/background/models/models.ts';
import { createOriginRule } from '../../entrypoints/background/servers/origin-rule.ts';
import { createProviders } from '../../entrypoints/background/models/providers.ts';
import { createSampling } from '../../entrypoints/background/servers/sampling.ts';
import type { RequestChannel } from '../../lib/runs/deps.ts';
import { newConversation } from '../../lib/runs/rows.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import type { Database } from '../../lib/storage/schema.ts';
import { answer, hang, type Reply, startModelServer, stream, text, usage } from '../fakes/model-server.ts';
import type { AskedBy, RequestAnswer, RequestBody, SamplingRequest } from '../../lib/types/request.ts';

vi.mock('wxt/browser', () => ({ browser: { permissions: { contains: async () => true } } }));

let db: Database;

beforeEach(async () => {
  db = await openDatabase(crypto.randomUUID());
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  onTestFinished(() => void vi.restoreAllMocks());
});

const by: AskedBy = {
  conversationId: 'c1',
  callId: 'm1.0',
  serverId: 1,
  serverName: 'Test server',
  serverHost: 'api.example.com',
};
const sampling: SamplingRequest = {
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  tools: [],
  maxTokens: 50,
};
const body: RequestBody = { kind: 'sampling', sampling };
const open = new AbortController().signal;

/** A conversation whose model says this, and a user who answers that. */
async function scene(replies: Reply[], given: RequestAnswer = { action: 'accept' }) {
  const server = await startModelServer();
  onTestFinished(() => server.close());
  server.script(...replies);
  const changed = async () => {};
  const providers = createProviders(db, { changed, saved: () => undefined, innerModel: () => fetch });
  const models = createModels(db, { providers, origins: createOriginRule(db), changed });
  const address = { name: 'A', preset: 'custom' as const, baseUrl: server.url, model: 'small' };
  const { id: providerId } = await providers.save({ ...address, apiKey: 'sk-secret' });
  const choice = { providerId, model: 'large', settings: { system: 'Be brief.', temperature: 1 } };
  await db.put('conversations', newConversation('c1', { text: 'Hi' }, choice, new Date(0).toISOString()));
  const asked: RequestBody[] = [];
  const elicit = createSampling({ db, providers, models });
  const channel: RequestChannel = {
    ask: async (_by, request) => {
      asked.push(request);
      return given;
    },
    change: async (id, change) => {
      const before = await db.get('conversations', id);
      if (before) await db.put('conversations', change(before));
    },
  };
  const elicitFor = (asking: AskedBy) => elicit(asking, channel);
  return { server, elicitFor, asked, providers, providerId, models };
}

describe('a server’s sampling request', () => {
  it('leaves half of the model’s context to what is asked, however long an answer it wants', async () => {
    const { server, elicitFor, ...deps } = await scene([stream(text('Hi there'))]);
    await elicitFor(by)({ kind: 'sampling', sampling: { ...sampling, maxTokens: 1_000_000 } }, open);
    const choice = { providerId: deps.providerId, model: 'large', settings: {} };
    const { contextWindow } = await chatModel({ db, ...deps }, choice);
    expect(server.requests[0]?.body).toMatchObject({ max_tokens: contextWindow / 2 });
  });

  it('is shown to the user as it is, then answered by the conversation’s model, in the server’s words', async () => {
    const { server, elicitFor, asked } = await scene([stream(text('Hi there'))]);
    expect(await elicitFor(by)(body, open)).toEqual({
      action: 'accept',
      sampled: { model: 'large', content: [{ type: 'text', text: 'Hi there' }], stopReason: 'endTurn' },
    });
    expect(asked).toEqual([body]);
    expect(server.requests[0]?.body).toMatchObject({
      model: 'large',
      max_tokens: 50,
      messages: [{ role: 'user', content: 'Hello' }],
    });
    expect(server.requests[0]?.body).not.toHaveProperty('temperature');
  });

  it('counts as used by the chat', async () => {
    const { elicitFor } = await scene([stream(text('Hi'), usage(12, 3)), stream(text('Ho'), usage(8, 2))]);
    const ask = elicitFor(by);
    await ask(body, open);
    await ask(body, open);
    const used = async () => (await db.get('conversations', 'c1'))?.usage;
    await expect.poll(used).toEqual({ inputTokens: 20, outputTokens: 5 });
  });

  it.each(['decline', 'cancel'] as const)('asks no model when the user says %s', async (action) => {
    const { server, elicitFor } = await scene([stream(text('Never'))], { action });
    expect(await elicitFor(by)(body, open)).toEqual({ action });
    expect(server.requests).toEqual([]);
  });

  it('is the only kind that the model is told of', async () => {
    const given: RequestAnswer = { action: 'accept', content: { name: 'Ada' } };
    const { server, elicitFor, asked } = await scene([], given);
    const form: RequestBody = { kind: 'form', message: 'Who?', schema: {} };
    expect(await elicitFor(by)(form, open)).toBe(given);
    expect(asked).toEqual([form]);
    expect(server.requests).toEqual([]);
  });

  it('fails in words that tell the server neither key nor address', async () => {
    const refusal = { error: { message: 'Incorrect API key provided: sk-secret' } };
    const { server, elicitFor } = await scene([answer(401, refusal)]);
    const failure = await elicitFor(by)(body, open).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ message: 'The model of this chat could not answer.' });
    expect(JSON.stringify(failure)).not.toMatch(/sk-|127\.0\.0\.1/);
    expect(server.requests).toHaveLength(1);
  });

  it('fails before the model is asked when it brings tools and the model can’t call any', async () => {
    const { server, elicitFor, models, providerId } = await scene([]);
    await models.set({ providerId, id: 'large', chosen: { tools: false } });
    const tools = [{ name: 'look', description: '', inputSchema: { type: 'object' } }];
    const request: RequestBody = { kind: 'sampling', sampling: { ...sampling, tools } };
    await expect(elicitFor(by)(request, open)).rejects.toThrow('calls no tools');
    expect(server.requests).toEqual([]);
  });

  it('is cancelled with its call: the model stops', async () => {
    const { server, elicitFor } = await scene([hang()]);
    const abort = new AbortController();
    const sampled = elicitFor(by)(body, abort.signal);
    await expect.poll(() => server.requests.length).toBe(1);
    abort.abort();
    expect(await sampled).toEqual({ action: 'cancel' });
  });

  it('is one of ten at most in a call; the user is not even asked about more', async () => {
    const { elicitFor, asked } = await scene(Array.from({ length: 11 }, () => stream(text('Hi'))));
    const ask = elicitFor(by);
    for (let n = 0; n < 10; n += 1) await ask(body, open);
    await expect(ask(body, open)).rejects.toThrow('At most 10');
    expect(asked).toHaveLength(10);
    expect(await elicitFor({ ...by, callId: 'm1.1' })(body, open)).toMatchObject({ action: 'accept' });
  });
});
