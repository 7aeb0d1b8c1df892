import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import FileSystemAdapter from '@nephele/adapter-file-system';
import InsecureAuthenticator from '@nephele/authenticator-none';
import nephele from 'nephele';
import type { SyncPlace } from '../../lib/types/sync.ts';

export type StoreServer = {
  place: SyncPlace;
  password: string;
  /** Where the store's files are on the disk. */
  files: () => Promise<string[]>;
  close: () => Promise<void>;
};

/** A real WebDAV server, which wants a password. */
export async function startWebdav(): Promise<StoreServer> {
  const root = await mkdtemp(join(tmpdir(), 'portside-webdav-'));
  const serve = nephele({
    adapter: new FileSystemAdapter({ root }),
    authenticator: new InsecureAuthenticator(),
  }) as unknown as RequestListener;
  const wanted = `Basic ${btoa('ada:secret')}`;
  const server = createServer((request, response) => {
    if (request.headers.authorization === wanted) return void serve(request, response);
    response.writeHead(401, { 'www-authenticate': 'Basic realm="files"' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    place: { type: 'webdav', url: `http://127.0.0.1:${port}/chats`, user: 'ada' },
    password: 'secret',
    files: async () => (await readdir(join(root, 'chats'))).map((name) => join(root, 'chats', name)),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** A real server that speaks S3, with one bucket. */
export async function startS3(): Promise<StoreServer> {
  const directory = await mkdtemp(join(tmpdir(), 'portside-s3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    directory,
    silent: true,
    configureBuckets: [{ name: 'mine', configs: [] }],
  });
  const { port } = await server.run();
  return {
    place: { type: 's3', url: `http://127.0.0.1:${port}/mine/chats`, user: 'S3RVER', region: 'us-east-1' },
    password: 'S3RVER',
    files: async () => {
      const found = await readdir(directory, { recursive: true, withFileTypes: true });
      return found
        .filter((file) => file.isFile() && file.name.endsWith('_object'))
        .map(({ parentPath, name }) => join(parentPath, name));
    },
    close: async () => {
      await server.close();
      await rm(directory, { recursive: true });
    },
  };
}
