import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findModels, type FindModelsOptions } from '../../lib/models/discovery/discovery.ts';
import { chats } from '../../lib/models/discovery/known-models.ts';
import type { PresetId } from '../../lib/types/model.ts';
import { answering, type Routes } from '../fakes/answering.ts';
import { type ModelServer, startModelServer } from '../fakes/model-server.ts';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer(['llama3.2', 'qwen3']);
});
afterEach(() => server.close());

const replying =
  (body: string, status = 200): typeof fetch =>
  () =>
    Promise.resolve(new Response(body, { status }));

const find = (options: Omit<FindModelsOptions, 'preset'> & { preset?: PresetId }) =>
  findModels({ preset: 'custom', ...options });
const portOf = (listening: Server) => (listening.address() as AddressInfo).port;
const ids = async (...given: Parameters<typeof find>) => (await find(...given)).map(({ id }) => id);

describe('listing models', () => {
  it('gives the ids in the order of the server', async () => {
    expect(await ids({ baseUrl: server.url })).toEqual(['llama3.2', 'qwen3']);
  });

  it('takes a base URL with a slash at its end', async () => {
    expect(await ids({ baseUrl: `${server.url}/ ` })).toEqual(['llama3.2', 'qwen3']);
  });

  it('reads a bare list, once each, and passes over what has no id', async () => {
    const fetch = replying('[{"id":"a"},{"id":"a"},{"name":"b"},null]');
    expect(await ids({ baseUrl: server.url, fetch })).toEqual(['a']);
  });

  it('reads no list of megabytes', async () => {
    const fetch = replying(`{"data":[${'[],'.repeat(4_000_000)}{"id":"a"}]}`);
    await expect(find({ baseUrl: server.url, fetch })).rejects.toMatchObject({ code: 'model_bad_reply' });
  });

  it('keeps to an end with a list that has none, and to names that can be shown', async () => {
    const entries = Array.from({ length: 10_000 }, (_, at) => ({ id: `m${at}` }));
    const fetch = replying(
      JSON.stringify({ data: [{ id: 'x'.repeat(10_000) }, { id: '' }, { id: 7 }, ...entries] }),
    );
    const found = await ids({ baseUrl: server.url, fetch });
    expect(found.slice(0, 2)).toEqual(['m0', 'm1']);
    expect(found).toHaveLength(2_000);
  });

  it('says that a wrong path is wrong', async () => {
    await expect(find({ baseUrl: server.url.replace('/v1', '/v9') })).rejects.toMatchObject({
      code: 'model_wrong_api',
      detail: 'HTTP 404, 404 page not found',
      fix: expect.stringContaining('base URL'),
    });
  });

  it('says that a web page is no model server', async () => {
    await expect(
      find({ baseUrl: server.url, fetch: replying('<!doctype html><title>Hi</title>') }),
    ).rejects.toMatchObject({ code: 'model_bad_reply', detail: 'an HTML page' });
  });

  it('says that the address leads elsewhere, and asks nothing there', async () => {
    let asked = 0;
    const elsewhere = createServer((_, response) => {
      asked += 1;
      response.end('{"data":[]}');
    });
    const moved = createServer((_, response) => {
      response.writeHead(308, { location: `http://127.0.0.1:${portOf(elsewhere)}/v1/models` }).end();
    });
    for (const each of [elsewhere, moved]) await once(each.listen(0, '127.0.0.1'), 'listening');
    await expect(find({ baseUrl: `http://127.0.0.1:${portOf(moved)}/v1` })).rejects.toMatchObject({
      code: 'model_redirect',
    });
    expect(asked).toBe(0);
    for (const each of [elsewhere, moved]) each.close();
  });

  it('says that nothing listens there', async () => {
    await server.close();
    await expect(find({ baseUrl: server.url })).rejects.toMatchObject({ code: 'model_unreachable' });
    server = await startModelServer();
  });

  it.each(['', 'localhost:11434/v1', 'file:///etc/passwd', 'http://me:secret@127.0.0.1/v1'])(
    'refuses the address “%s”',
    async (baseUrl) => {
      await expect(find({ baseUrl })).rejects.toMatchObject({
        code: 'model_bad_url',
        message: expect.not.stringContaining('secret'),
      });
    },
  );

  it('refuses a key that cannot be a header, without showing it', async () => {
    await expect(find({ baseUrl: server.url, apiKey: 'sk–nope' })).rejects.toMatchObject({
      code: 'model_unauthorized',
      message: expect.not.stringContaining('nope'),
      detail: undefined,
    });
  });

  it('gives up on a server that hangs', async () => {
    const hanging = createServer(() => undefined).listen(0, '127.0.0.1');
    await new Promise((resolve) => hanging.once('listening', resolve));
    const baseUrl = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}/v1`;
    await expect(find({ baseUrl, timeoutMs: 20 })).rejects.toMatchObject({ code: 'model_timeout' });
    hanging.closeAllConnections();
    hanging.close();
  });
});

describe('what a list tells of a model', () => {
  const traits = async (preset: PresetId, entry: object) => {
    const fetch = replying(JSON.stringify({ data: [{ id: 'm', ...entry }] }));
    return (await find({ preset, baseUrl: 'https://example.com/v1', fetch }))[0]?.traits;
  };

  it('OpenRouter: everything', async () => {
    const entry = {
      context_length: 200_000,
      architecture: { input_modalities: ['text', 'image'] },
      pricing: { prompt: '0.000003', completion: '0.000015', input_cache_read: '0.0000003' },
      top_provider: { context_length: 128_000, max_completion_tokens: 8_192 },
      supported_parameters: ['tools', 'reasoning'],
    };
    expect(await traits('openrouter', entry)).toEqual({
      tools: true,
      vision: true,
      reasoning: true,
      contextWindow: 128_000,
      maxOutput: 8_192,
      price: { input: 3, output: 15, cached: 0.3 },
    });
    const plain = { architecture: { input_modalities: ['text'] }, supported_parameters: ['temperature'] };
    expect(await traits('openrouter', plain)).toEqual({ tools: false, vision: false, reasoning: false });
  });

  it.each([
    [
      'mistral',
      { capabilities: { function_calling: true, vision: false }, max_context_length: 32_768 },
      { tools: true, vision: false, contextWindow: 32_768 },
    ],
    [
      'groq',
      { context_window: 131_072, max_completion_tokens: 32_768 },
      { contextWindow: 131_072, maxOutput: 32_768 },
    ],
    [
      'together',
      { context_length: 8_192, pricing: { input: 0.88, output: 0.9 } },
      { contextWindow: 8_192, price: { input: 0.88, output: 0.9 } },
    ],
    [
      'fireworks',
      { supports_tools: true, supports_image_input: false, context_length: 9 },
      { tools: true, vision: false, contextWindow: 9 },
    ],
    ['vllm', { max_model_len: 40_960 }, { contextWindow: 40_960 }],
  ] as const)('%s: %j', async (preset, entry, expected) => {
    expect(await traits(preset, entry)).toEqual(expected);
  });

  it.each([
    { prompt: '1e300', completion: '0.000015' },
    { prompt: '0.000003', completion: 2 },
    { input: 0.88, output: 1e300 },
  ])('no price that is more than any, which pages could not be told: %j', async (pricing) => {
    expect(await traits('custom', { pricing })).toEqual({});
  });

  it('nothing, when its fields are not what they should be', async () => {
    const odd = {
      context_length: '8192',
      max_context_length: -1,
      context_window: 1e300,
      capabilities: 'tools',
      supported_parameters: { tools: true },
      architecture: null,
      pricing: { prompt: '-1', completion: 'free' },
      top_provider: [],
    };
    expect(await traits('custom', odd)).toEqual({});
  });

  it('of well-known models of silent providers stands in the table', async () => {
    const fetch = replying(
      '{"data":[{"id":"models/gemini-2.5-flash"},{"id":"models/gemini-embedding-001"}]}',
    );
    const found = await find({ preset: 'google', baseUrl: 'https://example.com/v1', fetch });
    expect(found).toEqual([
      { id: 'gemini-2.5-flash', traits: expect.objectContaining({ vision: true, contextWindow: 1_048_576 }) },
      { id: 'gemini-embedding-001', traits: { chat: false } },
    ]);
  });

  it('marks what does not chat', async () => {
    const silent = expect.objectContaining({ chat: false });
    expect(await traits('mistral', { capabilities: { completion_chat: false } })).toEqual(silent);
    expect(await traits('together', { type: 'embedding' })).toEqual(silent);
  });

  it.each([
    'dall-e-3',
    'whisper-1',
    'text-embedding-3-small',
    'nomic-embed-text:latest',
    'gpt-4o-mini-tts',
    'tts-1-hd',
    'omni-moderation-latest',
    'bge-reranker-v2-m3',
  ])('does not take %s for a chat model with any provider', (id) => {
    expect(chats('custom', id)).toBe(false);
  });

  it.each(['qwen3:8b', 'gpt-5', 'attstar-7b', 'llama3.1-instruct', 'e5'])('takes %s for one', (id) => {
    expect(chats('custom', id)).toBe(true);
  });

  it('asks Anthropic as its own API wants to be asked', async () => {
    let asked = new Headers();
    const fetch = ((_url: string, init: RequestInit) => {
      asked = new Headers(init.headers);
      return Promise.resolve(new Response('{"data":[{"id":"claude-x"}]}'));
    }) as typeof globalThis.fetch;
    await find({ preset: 'anthropic', baseUrl: 'https://example.com/v1', apiKey: 'k', fetch });
    expect(asked.get('x-api-key')).toBe('k');
    expect(asked.get('authorization')).toBeNull();
  });
});

describe('a local server’s own API', () => {
  const list = (...names: string[]) => ({ data: names.map((id) => ({ id })) });
  const local = (preset: PresetId, routes: Routes) =>
    find({ preset, baseUrl: 'http://127.0.0.1:9/v1', fetch: answering(routes) });

  it('Ollama: what a model can do, and how much it is given', async () => {
    const shown: Record<string, unknown> = {
      plain: { capabilities: ['completion', 'tools'], model_info: { 'qwen3.context_length': 40_960 } },
      set: {
        capabilities: ['completion', 'vision'],
        parameters: 'stop "x"\nnum_ctx    16384',
        model_info: {},
      },
      loaded: { capabilities: ['completion', 'thinking'], model_info: { 'a.context_length': 131_072 } },
      small: { model_info: { 'a.context_length': 2_048 } },
      cloud: { remote_host: 'https://ollama.com', model_info: { 'a.context_length': 262_144 } },
      embed: { capabilities: ['embedding'] },
    };
    const found = await local('ollama', {
      '/v1/models': () => list(...Object.keys(shown), 'gone'),
      '/api/ps': () => ({ models: [{ model: 'loaded', context_length: 32_768 }] }),
      '/api/show': (body) => shown[(body as { model: string }).model],
    });
    expect(Object.fromEntries(found.map(({ id, traits }) => [id, traits]))).toEqual({
      plain: { tools: true, vision: false, reasoning: false, contextWindow: 4_096, largestContext: 40_960 },
      set: { tools: false, vision: true, reasoning: false, contextWindow: 16_384 },
      loaded: {
        tools: false,
        vision: false,
        reasoning: true,
        contextWindow: 32_768,
        largestContext: 131_072,
      },
      small: { contextWindow: 2_048 },
      cloud: { contextWindow: 262_144 },
      gone: {},
    });
  });

  it('LM Studio: the length a model is loaded with, vision, tools', async () => {
    const data = [
      {
        id: 'a',
        type: 'vlm',
        max_context_length: 131_072,
        loaded_context_length: 8_192,
        capabilities: ['tool_use'],
      },
      { id: 'b', type: 'llm', max_context_length: 32_768 },
      { id: 'e', type: 'embeddings' },
    ];
    const routes = { '/v1/models': () => list('a', 'b', 'e'), '/api/v0/models': () => ({ data }) };
    expect(await local('lmstudio', routes)).toEqual([
      { id: 'a', traits: { tools: true, vision: true, contextWindow: 8_192, largestContext: 131_072 } },
      { id: 'b', traits: { vision: false, contextWindow: 4_096, largestContext: 32_768 } },
    ]);
  });

  it('llama.cpp: its context, its senses, and whether its template knows tools', async () => {
    const props = {
      default_generation_settings: { n_ctx: 16_384 },
      modalities: { vision: true, audio: false },
      chat_template: '{% if tools %}…{% endif %}',
    };
    expect(await local('llamacpp', { '/v1/models': () => list('a'), '/props': () => props })).toEqual([
      { id: 'a', traits: { tools: true, vision: true, contextWindow: 16_384 } },
    ]);
  });

  it.each(['ollama', 'lmstudio', 'llamacpp'] as const)(
    '%s: may fail or talk nonsense, the list stays',
    async (preset) => {
      const plain = [{ id: 'a', traits: {} }];
      expect(await local(preset, { '/v1/models': () => list('a') })).toEqual(plain);
      const nonsense = {
        '/api/ps': () => [1],
        '/api/show': () => 'x',
        '/api/v0/models': () => ({ data: 'x' }),
        '/props': () => 7,
      };
      expect(await local(preset, { '/v1/models': () => list('a'), ...nonsense })).toEqual(plain);
    },
  );
});
