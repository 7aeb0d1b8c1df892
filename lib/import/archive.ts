import { unzip, type ZipEntry } from 'unzipit';
import { base64Of } from '../base64.ts';
import { readPicture } from '../files/picture.ts';
import type { Picture } from '../types/picture.ts';
import type { Source } from './importer.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** A JSON text of the file, which may be read again. */
export type Part = { size: number; stream: () => Promise<AsyncIterable<Bytes>> };

type Files = Pick<Source, 'picture' | 'text'>;

/** What is in a file: itself, or what its archive holds. */
export type Contents = {
  parts: Part[];
  /** The other files in it. Each is unpacked once, however often it is asked for: they are for one chat. */
  files: () => Files;
};

/** Bytes of a picture, and of a text, that come along. */
const MOST_PICTURE = 50_000_000;
const MOST_TEXT = 2_000_000;
/** Bytes up to which a picture stays as it is; a larger one is drawn anew. */
const SMALL_PICTURE = 3_000_000;

/** Reads only an archive's list; what is in it when it is asked for. @throws Error when the archive is broken or locked */
export async function contentsOf(file: Blob): Promise<Contents> {
  if (!(await isArchive(file))) {
    const part = { size: file.size, stream: async () => file.stream() };
    return { parts: [part], files: () => ({ picture: async () => undefined, text: async () => undefined }) };
  }
  const { entries } = await unzip(file);
  const all = Object.values(entries).filter(
    ({ name, isDirectory }) => !isDirectory && !name.startsWith('__MACOSX/'),
  );
  const parts = chatParts(all);
  if (parts.some(({ encrypted }) => encrypted)) throw new Error('It is encrypted.');
  return {
    parts: parts.map((entry) => ({
      size: entry.size,
      stream: () => entry.stream() as Promise<ReadableStream<Bytes>>,
    })),
    files: () => ({
      // One that can't be unpacked is as good as none.
      picture: unpackedOnce(all, MOST_PICTURE, (entry) => entry.blob().then(pictureOf, () => undefined)),
      text: unpackedOnce(all, MOST_TEXT, (entry) => entry.arrayBuffer().then(textOf, () => undefined)),
    }),
  };
}

function unpackedOnce<T>(entries: ZipEntry[], most: number, unpack: (entry: ZipEntry) => Promise<T>) {
  const unpacked = new Map<ZipEntry, Promise<T>>();
  return async (fits: (path: string) => boolean): Promise<T | undefined> => {
    const entry = entries.find(({ name, size }) => size <= most && fits(name));
    if (entry && !unpacked.has(entry)) unpacked.set(entry, unpack(entry));
    return entry && unpacked.get(entry);
  };
}

/** https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3.7 */
async function isArchive(file: Blob): Promise<boolean> {
  const [p, k, three, four] = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  return p === 0x50 && k === 0x4b && three === 3 && four === 4;
}

/** Those that are named for their chats; in an archive without any, all that are JSON. In their order. */
function chatParts(entries: ZipEntry[]): ZipEntry[] {
  const json = entries.filter(({ name }) => /\.json$/i.test(name));
  const named = json.filter(({ name }) => /(?:^|\/)conversations(?:-\d+)?\.json$/i.test(name));
  return (named.length > 0 ? named : json).toSorted((a, b) => a.name.localeCompare(b.name));
}

/** By their first bytes, since names say little: ChatGPT calls some of them `.dat`. */
const SIGNATURES: [mimeType: string, signature: RegExp][] = [
  ['image/png', /^\x89PNG/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8/],
  ['image/webp', /^RIFF.{4}WEBP/s],
];

async function pictureOf(blob: Blob): Promise<Picture | undefined> {
  const head = String.fromCharCode(...new Uint8Array(await blob.slice(0, 12).arrayBuffer()));
  const mimeType = SIGNATURES.find(([, signature]) => signature.test(head))?.[0];
  if (mimeType === undefined) return undefined;
  if (blob.size <= SMALL_PICTURE) return { mimeType, data: await base64Of(blob) };
  // One that the browser can't draw is as good as none.
  const drawn = await readPicture(new File([blob], '', { type: mimeType })).catch(() => undefined);
  return drawn?.pictures?.[0];
}

function textOf(bytes: ArrayBuffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined; // it is no text
  }
}
