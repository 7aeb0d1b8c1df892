import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listModels } from '../../lib/models/discovery.ts';
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

describe('listing models', () => {
  it('gives the ids in the order of the server', async () => {
    expect(await listModels({ baseUrl: server.url })).toEqual(['llama3.2', 'qwen3']);
  });

  it('takes a base URL with a slash at its end', async () => {
    expect(await listModels({ baseUrl: `${server.url}/ ` })).toEqual(['llama3.2', 'qwen3']);
  });

  it('reads a bare list, once each, and passes over what has no id', async () => {
    const fetch = replying('[{"id":"a"},{"id":"a"},{"name":"b"},null]');
    expect(await listModels({ baseUrl: server.url, fetch })).toEqual(['a']);
  });

  it('says that a wrong path is wrong', async () => {
    await expect(listModels({ baseUrl: server.url.replace('/v1', '/v9') })).rejects.toMatchObject({
      code: 'model_not_found',
      detail: 'HTTP 404, 404 page not found',
      fix: expect.stringContaining('base URL'),
    });
  });

  it('says that a web page is no model server', async () => {
    await expect(
      listModels({ baseUrl: server.url, fetch: replying('<!doctype html><title>Hi</title>') }),
    ).rejects.toMatchObject({ code: 'model_bad_reply', detail: 'an HTML page' });
  });

  it('says that nothing listens there', async () => {
    await server.close();
    await expect(listModels({ baseUrl: server.url })).rejects.toMatchObject({ code: 'model_unreachable' });
    server = await startModelServer();
  });

  it.each(['', 'localhost:11434/v1', 'file:///etc/passwd', 'http://me:secret@127.0.0.1/v1'])(
    'refuses the address “%s”',
    async (baseUrl) => {
      await expect(listModels({ baseUrl })).rejects.toMatchObject({
        code: 'model_bad_url',
        message: expect.not.stringContaining('secret'),
      });
    },
  );

  it('refuses a key that cannot be a header, without showing it', async () => {
    await expect(listModels({ baseUrl: server.url, apiKey: 'sk–nope' })).rejects.toMatchObject({
      code: 'model_unauthorized',
      message: expect.not.stringContaining('nope'),
      detail: undefined,
    });
  });

  it('gives up on a server that hangs', async () => {
    const hanging = createServer(() => undefined).listen(0, '127.0.0.1');
    await new Promise((resolve) => hanging.once('listening', resolve));
    const baseUrl = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}/v1`;
    await expect(listModels({ baseUrl, timeoutMs: 20 })).rejects.toMatchObject({ code: 'model_timeout' });
    hanging.closeAllConnections();
    hanging.close();
  });
});
