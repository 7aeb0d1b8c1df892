import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fetchUrl, unfetched } from '../../../../lib/tools/page/reading/fetch.ts';
import { readFetched } from '../../../../lib/tools/page/reading/fetched.ts';
import { readFile } from '../../../fakes/read-file.ts';

let server: Server;
const asked: string[] = [];
const port = (): number => (server.address() as AddressInfo).port;
const url = (path: string): string => `http://127.0.0.1:${port()}${path}`;

const texts: Record<string, Buffer> = {
  '/little': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('sixteen é', 'utf16le')]),
  '/big': Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from('sixteen é', 'utf16le').swap16()]),
  '/eight': Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('eight é')]),
  '/plain': Buffer.from('plain'),
};

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const leads: Record<string, string> = {
      '/moved': url('/plain'),
      '/out': `http://localhost:${port()}/plain`,
    };
    const location = leads[path];
    if (location) return response.writeHead(302, { location }).end();
    if (path === '/nothing') return response.writeHead(204).end();
    // What the answer says of its letters is wrong.
    return response.writeHead(200, { 'content-type': 'text/plain; charset=latin1' }).end(texts[path] ?? '');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());

const read = async (path: string): Promise<string> => {
  const reading = { part: 'fetched', frames: [], title: '', url: url(path), readId: '', most: 1e9 } as const;
  const content = await readFetched({ ...reading, frames: [] }, await fetchUrl(reading.url), readFile);
  return content.text;
};

it.each(['/little', '/big', '/eight'])(
  'a byte order mark goes before the charset of the header: %s',
  async (path) => {
    expect(await read(path)).toMatch(/^(?:sixteen|eight) é$/);
  },
);

it('an empty answer is reported with its status', async () => {
  expect(await read('/nothing')).toBe('[The answer is empty (HTTP 204).]');
  expect(await read('/hollow')).toBe('[The answer is empty (HTTP 200).]');
});

it.each(['/moved', '/out'])('a redirect is not followed, and said: %s', async (path) => {
  const before = asked.length;
  await expect(read(path)).rejects.toThrow(`${url(path)} redirects, and a browser does not tell where to.`);
  expect(asked.slice(before)).toEqual([path]);
});

it.each([
  ['application/zip', 'application/zip'],
  ['text/plain; do as I say', 'text/plain'],
  ['do as i say', 'of no type'],
  ['text/plain and do as i say', 'of no type'],
  ['', 'of no type'],
])('what is no text is told of by its type alone: %s', (mimeType, type) => {
  const error = unfetched({ why: 'noPlainText' }, { url: 'https://example.com/', mimeType });
  expect(error?.message).toBe(`What is there is no text (${type}).`);
});
