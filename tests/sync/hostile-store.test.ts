import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { base64Of } from '../../lib/base64.ts';
import { wrapKey } from '../../lib/storage/secrets/wrapped-key.ts';
import { entryName } from '../../lib/sync/entry.ts';
import { joinStore } from '../../lib/sync/key-file.ts';
import { openStore } from '../../lib/sync/open-store.ts';
import type { SyncPlace } from '../../lib/types/sync.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const TYPES: SyncPlace['type'][] = ['webdav', 's3'];
const storeAt = (type: SyncPlace['type'], origin: string) =>
  openStore({ type, url: `${origin}/mine/chats`, user: 'ada', region: '' }, 'secret');

describe.each(TYPES)('a hostile store that speaks %s', (type) => {
  it('leads no request to another server', async () => {
    let reached = 0;
    const other = await serve((_request, response) => {
      reached += 1;
      response.end();
    });
    const origin = await serve((_request, response) =>
      response.writeHead(307, { location: `${other}/x` }).end(),
    );
    const store = storeAt(type, origin);
    const name = entryName(1, false);
    const redirected = { fault: { code: 'redirected' } };
    await expect(store.list()).rejects.toMatchObject(redirected);
    await expect(store.get(name)).rejects.toMatchObject(redirected);
    await expect(store.put(name, new Uint8Array(9))).rejects.toMatchObject(redirected);
    await expect(store.putNew(name, new Uint8Array(9))).rejects.toMatchObject(redirected);
    await expect(store.remove(name)).rejects.toMatchObject(redirected);
    expect(reached).toBe(0);
  });

  it('holds nothing up with a list without end', async () => {
    const file = (name: string) =>
      type === 's3'
        ? `<Contents><Key>chats/${name}</Key></Contents>`
        : `<d:response><d:href>/mine/chats/${name}</d:href><d:propstat><d:prop/><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`;
    const names = Array.from({ length: 60_000 }, (_, at) => file(entryName(at, false))).join('');
    const list =
      type === 's3'
        ? `<ListBucketResult>${names}</ListBucketResult>`
        : `<d:multistatus xmlns:d="DAV:">${names}</d:multistatus>`;
    const origin = await serve((_request, response) =>
      response.writeHead(type === 's3' ? 200 : 207, { 'content-type': 'application/xml' }).end(list),
    );
    await expect(storeAt(type, origin).list()).rejects.toMatchObject({ fault: { code: 'tampered' } });
  });
});

it('of pages of names a hundred are read', async () => {
  let pages = 0;
  const origin = await serve((_request, response) => {
    const key = `chats/${entryName(pages++, false)}`;
    response.end(`<IsTruncated>true</IsTruncated><Key>${key}</Key>`);
  });
  expect((await storeAt('s3', origin).list()).length).toBe(100);
});

it.each([
  ['that is hashed less often than any', { iterations: 1 }, 32],
  ['that is longer than any', {}, 48],
])('no passphrase is tried on a key %s', async (_what, said, length) => {
  const { id, iterations, ...bytes } = await wrapKey(new Uint8Array(length), 'correct horse battery');
  const [salt, iv, wrapped] = await Promise.all(
    [bytes.salt, bytes.iv, bytes.wrapped].map((part) => base64Of(new Blob([part]))),
  );
  const file = JSON.stringify({ portside: 1, id, iterations, salt, iv, wrapped, ...said });
  const origin = await serve((request, response) =>
    response.end(request.url?.includes('key.json') ? file : '<ListBucketResult/>'),
  );
  await expect(joinStore(storeAt('s3', origin), 'correct horse battery')).rejects.toMatchObject({
    fault: { code: 'other_key' },
  });
});
