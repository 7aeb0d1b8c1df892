import { AuthType, createClient, getPatcher, type WebDAVClientOptions } from 'webdav/web';
import type { SyncPlace } from '../types/sync.ts';
import { fromStore, MOST_LIST, type Store } from './store.ts';

// The library has no other way to see an answer before it is read.
getPatcher().patch('fetch', async (...request) => {
  const [url, init] = request as Parameters<typeof fetch>;
  const response = await fetch(url, { ...init, redirect: 'manual' });
  return fromStore(response, init?.method === 'PROPFIND' ? MOST_LIST : undefined);
});

/** A folder of a WebDAV server (RFC 4918), such as Nextcloud's. */
export function createWebdav({ url, user }: SyncPlace, password: string, signal: () => AbortSignal): Store {
  const client = createClient(url, signIn(user, password));

  const names = async (): Promise<string[]> => {
    const found = await client.getDirectoryContents('/', { signal: signal() });
    return found.filter(({ type }) => type === 'file').map(({ basename }) => basename);
  };

  const put = async (name: string, bytes: Uint8Array<ArrayBuffer>, overwrite: boolean): Promise<void> => {
    await client.putFileContents(`/${name}`, bytes.buffer, { overwrite, signal: signal() });
  };

  return {
    list: () =>
      names().catch(async (error: unknown) => {
        if (Object(error).status !== 404) throw error;
        await client.createDirectory('/', { signal: signal() });
        return [];
      }),
    get: (name) =>
      client
        .getFileContents(`/${name}`, { signal: signal() })
        .then((content) => new Uint8Array(content as ArrayBuffer))
        .catch(unlessMissing),
    put: (name, bytes) => put(name, bytes, true),
    putNew: (name, bytes) => put(name, bytes, false),
    remove: (name) => client.deleteFile(`/${name}`, { signal: signal() }).catch(unlessMissing),
  };
}

function signIn(username: string, password: string): WebDAVClientOptions {
  if (username === '') return {};
  const both = `${username}:${password}`;
  if (/^[ -~]*$/.test(both)) return { authType: AuthType.Auto, username, password };
  // The library writes other letters in Latin-1, which servers do not expect (RFC 7617, 2.1), or not at all.
  return {
    headers: { Authorization: `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(both)))}` },
  };
}

function unlessMissing(error: unknown): undefined {
  if (Object(error).status !== 404) throw error;
}
