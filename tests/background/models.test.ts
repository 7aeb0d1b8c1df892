import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { chatModel, contextWindowOf } from '../../entrypoints/background/models/chat-model.ts';
import { createModels, modelSummary } from '../../entrypoints/background/models/models.ts';
import { createOriginRule } from '../../entrypoints/background/servers/origin-rule.ts';
import { forgetGranted } from '../../entrypoints/background/browser/permissions.ts';
import { createProviders, type Providers } from '../../entrypoints/background/models/providers.ts';
import { FREE, setRules } from '../../lib/fleet/rules.ts';
import { createInnerFetch } from '../../lib/models/browser/fetch.ts';
import { answerAsDemo } from '../../lib/models/demo/answer-asked.ts';
import { DEMO_URL } from '../../lib/origins.ts';
import type { ProviderInput } from '../../lib/protocol/setup.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import type { Database } from '../../lib/storage/schema.ts';
import { writeEntry } from '../../lib/storage/chats/journal.ts';
import { changeModel, modelRow, syncModels } from '../../lib/storage/configuration/models.ts';
import { loadNewChat } from '../../lib/storage/configuration/new-chat.ts';
import type { StreamModel } from '../../lib/types/model.ts';
import type { ChatChoice } from '../../lib/types/conversation.ts';
import type { OfferedTool } from '../../lib/types/tools/tool.ts';
import { offered } from '../fakes/rows.ts';
import { loseKey } from '../fakes/secrets.ts';
import { answer, call, startModelServer, stream, text } from '../fakes/model-server.ts';

const fake = vi.hoisted(() => ({ permissions: { contains: vi.fn(async () => true) } }));
vi.mock('wxt/browser', () => ({ browser: fake }));

let db: Database;
let databases = 0;
const changed = vi.fn(async () => {});

beforeEach(async () => {
  vi.clearAllMocks();
  db = await openDatabase(`background-models-${++databases}`);
});

function parts() {
  const saved: number[] = [];
  const innerModel = () => createInnerFetch(answerAsDemo);
  const providers = createProviders(db, { changed, saved: (id) => saved.push(id), innerModel });
  const models = createModels(db, { providers, origins: createOriginRule(db), changed });
  return {
    providers,
    models,
    saved,
    modelFor: (choice: ChatChoice) => chatModel({ db, providers, models }, choice),
  };
}

async function startServer(models?: string[]) {
  const server = await startModelServer(models);
  onTestFinished(() => server.close());
  return server;
}

const input: ProviderInput = { name: 'A', preset: 'custom', baseUrl: 'http://a.example/v1/', model: 'm' };
const demo: ProviderInput = { name: 'Demo', preset: 'demo', baseUrl: DEMO_URL, model: 'portside-demo' };
const choice = (more: Partial<ChatChoice> = {}): ChatChoice => ({
  providerId: null,
  model: null,
  settings: {},
  ...more,
});

/** One request, to its end. */
async function ask(model: StreamModel, tools: OfferedTool[] = []): Promise<void> {
  const events = model({ messages: [], tools }, new AbortController().signal)[Symbol.asyncIterator]();
  while (!(await events.next()).done);
}

describe('saving a provider', () => {
  it('keeps its key and headers where no page sees them', async () => {
    const { providers, saved } = parts();
    const { id } = await providers.save({ ...input, apiKey: 'hush', headers: { 'x-key': 'hush' } });
    expect(await db.get('providers', id)).toEqual({
      id,
      name: 'A',
      preset: 'custom',
      baseUrl: 'http://a.example/v1',
      model: 'm',
      hasKey: true,
      headerNames: ['x-key'],
    });
    expect(await providers.addressOf((await db.get('providers', id))!)).toMatchObject({
      apiKey: 'hush',
      headers: { 'x-key': 'hush' },
    });
    expect(saved).toEqual([id]);
  });

  it('leaves secrets that are not given as they are, and takes none of them to another origin', async () => {
    const { providers } = parts();
    const { id } = await providers.save({ ...input, apiKey: 'hush', headers: { 'x-key': 'hush' } });
    await providers.save({ ...input, id, name: 'B' });
    expect(await db.get('providers', id)).toMatchObject({ name: 'B', hasKey: true, headerNames: ['x-key'] });
    const elsewhere = { ...input, id, baseUrl: 'http://b.example/v1' };
    await expect(providers.save(elsewhere)).rejects.toThrow('The stored key belongs to a.example');
    await expect(providers.save({ ...elsewhere, apiKey: '' })).rejects.toThrow(
      'The stored headers belong to',
    );
    await providers.save({ ...elsewhere, apiKey: '', headers: {} });
    expect(await db.get('providers', id)).toMatchObject({ hasKey: false, headerNames: [] });
  });

  it('takes the key of its new address to no other, also where that was saved meanwhile', async () => {
    const { providers } = parts();
    const { id } = await providers.save({ ...input, apiKey: 'hush' });
    const before = (await db.get('providers', id))!;
    await providers.save({ ...input, id, baseUrl: 'http://b.example/v1', apiKey: 'of b' });
    await expect(providers.addressOf(before)).rejects.toMatchObject({ code: 'secrets_lost' });
  });

  it('asks an address that is not saved with stored secrets only where they belong', async () => {
    const { providers } = parts();
    const { id } = await providers.save({ ...input, apiKey: 'hush' });
    const probe = { preset: 'custom', baseUrl: input.baseUrl, providerId: id } as const;
    expect(await providers.probe(probe)).toMatchObject({ apiKey: 'hush' });
    expect(await providers.probe({ ...probe, apiKey: '' })).toMatchObject({ apiKey: '' });
    const elsewhere = providers.probe({ ...probe, baseUrl: 'http://b.example/v1' });
    await expect(elsewhere).rejects.toMatchObject({ code: 'secret_for_other_address' });
  });

  it('without the key that its secrets are encrypted with asks for them again, and sends nothing', async () => {
    const { providers } = parts();
    const { id } = await providers.save({ ...input, apiKey: 'hush', headers: { 'x-key': 'hush' } });
    await loseKey(db);
    const address = async () => providers.addressOf((await db.get('providers', id))!);
    const probe = { preset: 'custom', baseUrl: input.baseUrl, providerId: id } as const;
    const lost = { code: 'secrets_lost', message: 'Portside can’t read the secrets of A any more.' };
    await expect(address()).rejects.toMatchObject(lost);
    await expect(providers.probe({ ...probe, apiKey: 'again' })).rejects.toMatchObject(lost);
    const again = { apiKey: 'again', headers: { 'x-key': 'again' } };
    expect(await providers.probe({ ...probe, ...again })).toMatchObject(again);
    await providers.save({ ...input, id, ...again });
    expect(await address()).toMatchObject(again);
  });

  it('makes the first one the new chat’s, and the next one when that is removed', async () => {
    const { providers } = parts();
    const first = await providers.save(input);
    const second = await providers.save(input);
    expect((await loadNewChat(db)).providerId).toBe(first.id);
    await providers.remove(first);
    expect((await loadNewChat(db)).providerId).toBe(second.id);
    await providers.remove(second);
    expect((await loadNewChat(db)).providerId).toBeNull();
  });

  it('gives new chats what is added in place of the demo model, but of a real one’s', async () => {
    const { providers } = parts();
    await providers.save(demo);
    const real = await providers.save(input);
    expect((await loadNewChat(db)).providerId).toBe(real.id);
    await providers.save(demo);
    expect((await loadNewChat(db)).providerId).toBe(real.id);
  });

  it('leaves the new chat’s settings alone that are changed at the same time', async () => {
    const { providers } = parts();
    const settings = { temperature: 0 };
    await Promise.all([providers.save(input), writeEntry(db, { newChat: { settings } })]);
    expect(await loadNewChat(db)).toMatchObject({ providerId: 1, settings });
  });

  it('is refused for a kind, headers or an address that make no sense', async () => {
    const { providers } = parts();
    await expect(providers.save({ ...input, preset: 'x' as 'custom' })).rejects.toThrow('isn’t supported');
    await expect(providers.save({ ...input, headers: { 'a b': '' } })).rejects.toThrow('HTTP does not allow');
    await expect(providers.save({ ...input, baseUrl: 'a.example' })).rejects.toThrow('not a web address');
  });
});

describe('a provider’s models', () => {
  it('are found anew; what the user chose and what was learnt stays with them', async () => {
    const { providers, models } = parts();
    const server = await startServer(['one', 'two']);
    const { id } = await providers.save({ ...input, baseUrl: server.url });
    await changeModel(db, id, 'gone', (row) => ({ ...row, shown: true }));
    await changeModel(db, id, 'one', (row) => ({
      ...row,
      found: { vision: true },
      chosen: { tools: false },
      learned: { dropped: ['top_p'] },
    }));
    expect(await models.refresh({ providerId: id })).toEqual({ count: 2 });
    const [gone, one, two] = await db.getAll('models');
    expect(gone).toMatchObject({ id: 'gone', present: false, shown: true });
    expect(one).toMatchObject({ id: 'one', chosen: { tools: false }, learned: { dropped: ['top_p'] } });
    expect(one?.found.vision).toBeUndefined();
    expect(two).toMatchObject({ id: 'two', present: true, chosen: {} });
  });

  it('go with their provider', async () => {
    const { providers } = parts();
    const { id } = await providers.save(input);
    await syncModels(db, id, [{ id: 'm', traits: {} }]);
    await providers.remove({ id });
    expect(await db.getAll('models')).toEqual([]);
    await syncModels(db, id, [{ id: 'late', traits: {} }]);
    expect(await changeModel(db, id, 'late', (row) => row)).toBe(false);
    expect(await db.getAll('models')).toEqual([]);
  });

  it('are what the user says of them', async () => {
    const { providers, models } = parts();
    const { id } = await providers.save(input);
    await models.set({ providerId: id, id: 'm', chosen: { tools: false, contextWindow: 5000 }, shown: true });
    const row = await modelRow(db, id, 'm');
    expect(modelSummary(row, 'custom')).toMatchObject({
      shown: true,
      traits: { tools: false, contextWindow: 5000 },
    });
    await models.set({ providerId: id, id: 'm', shown: false });
    expect(await modelRow(db, id, 'm')).toMatchObject({ shown: false, chosen: { contextWindow: 5000 } });
    await expect(models.set({ providerId: id, id: 'm', chosen: { maxOutput: -1 } })).rejects.toThrow(
      'Maximum output',
    );
  });

  it('are what the user says also where refusals taught otherwise before', async () => {
    const { providers, models } = parts();
    const { id } = await providers.save(input);
    const learned = { dropped: ['temperature'], traits: { tools: false, contextWindow: 4096 } };
    await changeModel(db, id, 'm', (row) => ({ ...row, learned }));
    await models.set({ providerId: id, id: 'm', chosen: { tools: true } });
    expect((await modelRow(db, id, 'm')).learned).toEqual({
      dropped: ['temperature'],
      traits: { contextWindow: 4096 },
    });
  });

  it('have learnt from refusals, which pages are sent, until that is forgotten', async () => {
    const { providers, models } = parts();
    const { id } = await providers.save(input);
    const learned = { dropped: ['temperature'], traits: { tools: false } };
    await changeModel(db, id, 'm', (row) => ({ ...row, learned, chosen: { vision: true } }));
    expect(modelSummary(await modelRow(db, id, 'm'), 'custom')).toMatchObject({
      learned,
      traits: { tools: false },
    });
    await models.set({ providerId: id, id: 'm', forget: true });
    const row = await modelRow(db, id, 'm');
    expect(row).toMatchObject({ learned: {}, chosen: { vision: true } });
    expect(modelSummary(row, 'custom').traits.tools).toBe(true);
  });

  it('can use tools again when the refusal that a test met is forgotten', async () => {
    const { providers, models } = parts();
    const server = await startServer();
    server.script(answer(400, { error: { message: 'm does not support tools' } }), stream(text('Ahoy!')));
    const { id } = await providers.save({ ...input, baseUrl: server.url });
    await models.test({ preset: 'custom', baseUrl: server.url, model: 'm', providerId: id });
    const traits = async () => modelSummary(await modelRow(db, id, 'm'), 'custom').traits;
    await vi.waitFor(async () => expect((await traits()).tools).toBe(false));
    await models.set({ providerId: id, id: 'm', forget: true });
    expect((await traits()).tools).toBe(true);
  });

  it('have learnt what either of two runs learnt, and nothing of a server that is no longer theirs', async () => {
    const { providers, models } = parts();
    const { id } = await providers.save(input);
    const asked = { providerId: id, id: 'm', baseUrl: 'http://a.example/v1' };
    models.learn({ ...asked, baseUrl: 'http://elsewhere.example/v1' }, { dropped: ['temperature'] });
    models.learn(asked, { traits: { tools: false } });
    models.learn(asked, { traits: { contextWindow: 4096 } });
    await vi.waitFor(async () =>
      expect((await modelRow(db, id, 'm')).learned.traits).toEqual({ tools: false, contextWindow: 4096 }),
    );
    expect((await modelRow(db, id, 'm')).learned.dropped).toBeUndefined();
  });

  it('that are tested are remembered by what they showed, if they are of a saved provider', async () => {
    const { providers, models } = parts();
    const server = await startServer();
    server.otherwise(stream(call({ id: 'c1', name: 'say_word', arguments: '{"word":"ahoy"}' })));
    const { id } = await providers.save({ ...input, baseUrl: server.url });
    const probe = { preset: 'custom', baseUrl: server.url, model: 'm' } as const;
    expect(await models.test(probe)).toMatchObject({ calledTool: true });
    expect(await db.getAll('models')).toEqual([]);
    await models.test({ ...probe, providerId: id });
    expect(await modelRow(db, id, 'm')).toMatchObject({ found: { tools: true } });
  });

  it('of an address that is not saved are listed and not remembered', async () => {
    const server = await startServer(['one']);
    const found = await parts().models.list({ preset: 'custom', baseUrl: server.url });
    expect(found.map(({ id }) => id)).toEqual(['one']);
    expect(await db.getAll('models')).toEqual([]);
  });
});

describe('the demo model', () => {
  it('answers without any access and without a request', async () => {
    fake.permissions.contains.mockResolvedValue(false);
    const fetched = vi.spyOn(globalThis, 'fetch');
    onTestFinished(() => {
      fetched.mockRestore();
      fake.permissions.contains.mockResolvedValue(true);
    });
    const { providers, models, modelFor } = parts();
    const { id } = await providers.save(demo);
    expect(await models.refresh({ providerId: id })).toEqual({ count: 1 });
    const { model } = await modelFor(choice());
    const events = [];
    for await (const event of model(
      { messages: [{ id: 'm', role: 'user', content: 'Hello' } as never], tools: [] },
      new AbortController().signal,
    ))
      events.push(event);
    expect(events.at(-1)).toMatchObject({
      type: 'end',
      turn: { content: expect.stringContaining('scripted') },
    });
    expect(fetched).not.toHaveBeenCalled();
  });
});

describe('the model of a chat', () => {
  it('is the chat’s own, asked as the chat says', async () => {
    const { providers, modelFor } = parts();
    const server = await startServer();
    server.otherwise(stream(text('Hi.')));
    const { id } = await providers.save({
      ...input,
      baseUrl: server.url,
      apiKey: 'k',
      headers: { 'x-team': '7' },
    });
    const settings = { system: 'Be brief.', temperature: 0.5 };
    const prepared = await modelFor(choice({ providerId: id, model: 'other', settings }));
    expect(prepared).toMatchObject({ modelName: 'other', system: 'Be brief.', callsTools: true });
    await ask(prepared.model);
    expect(server.requests[0]?.body).toMatchObject({ model: 'other', temperature: 0.5 });
    expect(server.requests[0]?.headers).toMatchObject({ authorization: 'Bearer k', 'x-team': '7' });
  });

  it('is the provider’s first choice where the chat names none', async () => {
    const { providers, modelFor } = parts();
    const { id } = await providers.save(input);
    expect((await modelFor(choice({ providerId: id }))).modelName).toBe('m');
    expect((await modelFor(choice({ model: 'other' }))).modelName).toBe('m');
  });

  it('is not another provider’s when the chat’s own was removed: its history goes nowhere unasked', async () => {
    const { providers, modelFor } = parts();
    const { id } = await providers.save(input);
    await providers.save({ ...input, name: 'B' });
    await providers.remove({ id });
    await expect(modelFor(choice({ providerId: id, model: 'm' }))).rejects.toMatchObject({
      code: 'no_provider',
      message: 'The provider of this chat was removed.',
      fix: 'Choose a model below, then press Retry.',
    });
  });

  it('has what the user says of it', async () => {
    const { providers, models, modelFor } = parts();
    const { id } = await providers.save(input);
    const price = { input: 1, output: 2 };
    await models.set({ providerId: id, id: 'm', chosen: { tools: false, contextWindow: 9000, price } });
    expect(await modelFor(choice())).toMatchObject({ callsTools: false, contextWindow: 9000, price });
  });

  it('reads so much, also before its chat has begun; without a provider it is unknown', async () => {
    const { providers, models } = parts();
    const windowOf = (id: string) => contextWindowOf({ db, providers }, id);
    await expect(windowOf('new')).rejects.toMatchObject({ code: 'no_provider' });
    const { id } = await providers.save(input);
    await models.set({ providerId: id, id: 'other', chosen: { contextWindow: 9000 } });
    const at = '2026-11-22T10:00:00.000Z';
    const chat = { id: 'c1', title: 'A', createdAt: at, updatedAt: at, leafId: null, settings: {} };
    await db.put('conversations', { ...chat, providerId: id, model: 'other' });
    expect([await windowOf('new'), await windowOf('c1')]).toEqual([32_768, 9000]);
  });

  it('gets its tools where the user says so, though a refusal taught otherwise after that', async () => {
    const { providers, models, modelFor } = parts();
    const server = await startServer();
    server.otherwise(stream(text('Hi.')));
    const { id } = await providers.save({ ...input, baseUrl: server.url });
    await models.set({ providerId: id, id: 'm', chosen: { tools: true } });
    await changeModel(db, id, 'm', (row) => ({ ...row, learned: { traits: { tools: false } } }));
    const { model } = await modelFor(choice({ providerId: id }));
    await ask(model, [offered('echo')]);
    expect(server.requests[0]?.body).toHaveProperty('tools');
  });

  it('remembers what a refusal taught, and says so to the pages', async () => {
    const { providers, modelFor } = parts();
    const server = await startServer();
    const error = {
      message: 'Unsupported parameter: temperature',
      param: 'temperature',
      code: 'unsupported_parameter',
    };
    server.script(answer(400, { error }), stream(text('Hi.')));
    const { id } = await providers.save({ ...input, baseUrl: server.url });
    changed.mockClear();
    const { model } = await modelFor(choice({ providerId: id, settings: { temperature: 1 } }));
    await ask(model);
    await vi.waitFor(() => expect(changed).toHaveBeenCalled());
    expect((await modelRow(db, id, 'm')).learned.dropped).toEqual(['temperature']);
  });

  it.each<[string, (id: number, providers: Providers) => unknown, string]>([
    ['forbidden', () => setRules({ ...FREE, ownProviders: false }), 'set_by_organisation'],
    ['removed', (id, providers) => providers.remove({ id }), 'no_provider'],
  ])('is asked nothing more once its provider is %s', async (_, end, code) => {
    onTestFinished(() => setRules(FREE));
    const { providers, modelFor } = parts();
    const server = await startServer();
    server.otherwise(stream(text('Hi.')));
    const { id } = await providers.save({ ...input, baseUrl: server.url });
    const { model } = await modelFor(choice({ providerId: id }));
    await ask(model);
    await end(id, providers);
    await expect(ask(model)).rejects.toMatchObject({ code });
    expect(server.requests).toHaveLength(1);
  });

  it('is missing in words when none is set up, or the browser does not let Portside ask it', async () => {
    const { providers, modelFor } = parts();
    await expect(modelFor(choice())).rejects.toMatchObject({ code: 'no_provider' });
    await providers.save(input);
    forgetGranted();
    fake.permissions.contains.mockResolvedValueOnce(false);
    await expect(modelFor(choice())).rejects.toMatchObject({ code: 'origin_not_granted' });
  });
});
