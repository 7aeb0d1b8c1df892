import { describe, expect, it } from 'vitest';
import { findLocalServers } from '../../lib/models/discovery/local-servers.ts';
import { answering, type Routes } from '../fakes/answering.ts';

const refused: typeof fetch = () => Promise.reject(new TypeError('fetch failed'));
const list = () => ({ data: [{ id: 'm' }] });
/** A `fetch` with a server on each of these ports, and nothing elsewhere. */
function ports(servers: Record<string, Routes>): typeof fetch {
  return (input, init) => {
    const { port } = new URL(input instanceof Request ? input.url : input);
    const routes = servers[port];
    return routes ? answering(routes)(input, init) : refused(input, init);
  };
}
const look = async (fetch: typeof globalThis.fetch, readable = true) => {
  const servers = await findLocalServers({ fetch, readable: () => Promise.resolve(readable) });
  return Object.fromEntries(
    servers.map(({ preset, state, models }) => [preset, [state, models.map(({ id }) => id)]]),
  );
};
const absent = ['absent', []];

describe('looking for model servers on this computer', () => {
  it('finds each at its port, with its models', async () => {
    const fetch = ports({
      11434: { '/api/version': () => ({ version: '0.13.0' }), '/v1/models': list },
      1234: { '/api/v0/models': list, '/v1/models': list },
      8080: { '/props': () => ({ default_generation_settings: {} }), '/v1/models': list },
    });
    expect(await look(fetch)).toEqual({
      ollama: ['found', ['m']],
      lmstudio: ['found', ['m']],
      llamacpp: ['found', ['m']],
    });
  });

  it('finds nothing where nothing answers', async () => {
    expect(await look(refused)).toEqual({ ollama: absent, lmstudio: absent, llamacpp: absent });
    expect(await look(refused, false)).toEqual({ ollama: absent, lmstudio: absent, llamacpp: absent });
  });

  it('takes no other program on the port for a model server', async () => {
    const other: Routes = {
      '/': () => 'Hello',
      '/v1/models': list,
      '/props': () => ({ a: 1 }),
      '/api/version': () => '1',
    };
    const fetch = ports({ 11434: other, 1234: other, 8080: other });
    expect(await look(fetch)).toEqual({ ollama: absent, lmstudio: absent, llamacpp: absent });
  });

  it('keeps a server whose list fails', async () => {
    const fetch = ports({ 11434: { '/api/version': () => ({ version: '0.13.0' }) } });
    expect(await look(fetch)).toMatchObject({ ollama: ['found', []] });
  });

  it('says that something answers where the browser lets nothing be read, without reading it', async () => {
    const modes: unknown[] = [];
    const fetch: typeof globalThis.fetch = (input, init) => {
      modes.push(init?.mode);
      return ports({ 1234: { '/': () => 'Hello' } })(input, init);
    };
    expect(await look(fetch, false)).toEqual({ ollama: absent, lmstudio: ['locked', []], llamacpp: absent });
    expect(new Set(modes)).toEqual(new Set(['no-cors']));
  });
});
