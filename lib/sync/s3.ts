import { AwsClient } from 'aws4fetch';
import { withoutSlashes } from '../origins.ts';
import type { SyncPlace } from '../types/sync.ts';
import { fromStore, MOST_LIST, type Store, SyncError } from './store.ts';

/** Of names, of which each has a thousand, if it is a store's. */
const MOST_PAGES = 100;
const MOST_NAMES = 100_000;

type S3Place = Extract<SyncPlace, { type: 's3' }>;

/** A folder in a bucket of an S3-compatible store, addressed by path, which all of them know. */
export function createS3({ url, user, region }: S3Place, password: string, signal: () => AbortSignal): Store {
  const { origin, pathname } = new URL(url);
  const [bucket = '', ...folders] = withoutSlashes(pathname).slice(1).split('/');
  const prefix = folders.map((folder) => `${folder}/`).join('');
  const client = new AwsClient({
    accessKeyId: user,
    secretAccessKey: password,
    region: region || 'us-east-1',
    service: 's3',
    retries: 2,
  });

  const request = async (path: string, init: RequestInit = {}, most?: number): Promise<Response> => {
    const address = `${origin}/${bucket}${path}`;
    const answer = fromStore(
      await client.fetch(address, { ...init, redirect: 'manual', signal: signal() }),
      most,
    );
    if (answer.ok) return answer;
    throw Object.assign(new Error(answer.statusText), { status: answer.status });
  };

  /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html */
  async function list(): Promise<string[]> {
    const keys: string[] = [];
    for (let pages = 0; pages < MOST_PAGES; pages++) {
      const after = keys.at(-1);
      const query = new URLSearchParams({
        'list-type': '2',
        prefix: decodeURIComponent(prefix),
        ...(after !== undefined && { 'start-after': after }),
      });
      const page = await (await request(`?${query}`, {}, MOST_LIST)).text();
      const found = [...page.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => fromXml(key));
      keys.push(...found);
      if (keys.length > MOST_NAMES) throw new SyncError({ code: 'tampered' });
      // One that gives the same page again would be listed without end.
      const goesOn = after === undefined ? found.length > 0 : (found.at(-1) ?? '') > after;
      if (!goesOn || !page.includes('<IsTruncated>true</IsTruncated>')) break;
    }
    return keys.map((key) => key.slice(key.lastIndexOf('/') + 1));
  }

  const put = async (
    name: string,
    body: Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
  ): Promise<void> => {
    await request(`/${prefix}${name}`, { method: 'PUT', body, headers });
  };

  return {
    list,
    get: (name) =>
      request(`/${prefix}${name}`)
        .then(async (answer) => new Uint8Array(await answer.arrayBuffer()))
        .catch(unless(404)),
    put,
    putNew: (name, bytes) => put(name, bytes, { 'If-None-Match': '*' }).catch(unless(412)),
    remove: async (name) =>
      void (await request(`/${prefix}${name}`, { method: 'DELETE' }).catch(unless(404))),
  };
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const fromXml = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '');

const unless =
  (expected: number) =>
  (error: unknown): undefined => {
    if (Object(error).status !== expected) throw error;
  };
