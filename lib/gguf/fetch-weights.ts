import { readGguf } from './header.ts';
import { createSha256 } from './sha256-stream.ts';
import { addPart, dropParts, saveFacts, sizeOf, storedModel, type StoredModel, weightsOf } from './store.ts';

/** Why weights are not there; the words for it are the page's. `detail`: a status, a checksum, what the browser said. */
export class WeightsError extends Error {
  readonly why: 'status' | 'network' | 'notGguf' | 'noSize' | 'cut' | 'checksum' | 'busy' | 'full';
  constructor(why: WeightsError['why'], detail = '') {
    super(detail);
    this.why = why;
  }
}

/** Enough for what is read of it (header.ts). */
const HEAD = 128 * 1024;
/** What is lost of a download when the browser ends at once. */
const PART = 16 * 1024 * 1024;
/** More than this a small model rarely uses well, and each token takes memory. */
const LARGEST_CONTEXT = 8192;

/** What a file at an address says of itself: its beginning is read, and no more. @throws WeightsError */
export async function lookAt(address: string): Promise<StoredModel> {
  const response = await get(address, `bytes=0-${HEAD - 1}`);
  const size = Number(
    response.status === 206
      ? response.headers.get('content-range')?.split('/')[1]
      : response.headers.get('content-length'),
  );
  const name = decodeURIComponent(new URL(address).pathname.split('/').at(-1) ?? '');
  const start = await beginning(response.body);
  if (!(size > 0)) throw new WeightsError('noSize');
  return described(name, address, size, start);
}

/** The same of a file of the user's. @throws WeightsError */
export const lookInto = async (file: File): Promise<StoredModel> =>
  described(file.name, null, file.size, await file.slice(0, HEAD).arrayBuffer());

function described(name: string, address: string | null, size: number, start: ArrayBuffer): StoredModel {
  const facts = readGguf(start);
  if (!facts) throw new WeightsError('notGguf');
  // Also a folder's name.
  const id =
    name
      .replace(/\.gguf$/i, '')
      .replaceAll(/[^\w.-]+/g, '-')
      .slice(0, 100) || 'model';
  const context = Math.min(facts.context || LARGEST_CONTEXT, LARGEST_CONTEXT);
  return { id: id.replace(/^\.+/, ''), address, licence: facts.licence ?? null, size, context };
}

async function get(address: string, range: string, signal?: AbortSignal): Promise<Response> {
  const response = await fetch(address, {
    headers: { range },
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    throw signal?.aborted ? error : new WeightsError('network', String(error));
  });
  if (!response.ok) throw new WeightsError('status', String(response.status));
  return response;
}

async function beginning(body: ReadableStream<Uint8Array<ArrayBuffer>> | null): Promise<ArrayBuffer> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const piece of body ?? []) {
    pieces.push(piece);
    if ((length += piece.length) >= HEAD) break;
  }
  return new Blob(pieces).slice(0, HEAD).arrayBuffer();
}

/**
 * Brings what is missing of a model's weights: from its address, from where it was left, or from `file`.
 * @param progress told how many bytes are there
 * @param signal leaves it: what came stays
 * @throws WeightsError, or the reason of `signal`
 */
export async function bring(
  model: StoredModel,
  { file, progress, signal }: { file?: File; progress: (there: number) => void; signal: AbortSignal },
): Promise<void> {
  await navigator.locks.request(`gguf/${model.id}`, { ifAvailable: true }, async (lock) => {
    if (!lock) throw new WeightsError('busy');
    // Another file may have been called the same.
    const before = await storedModel(model.id);
    if (file || before?.address !== model.address || before.size !== model.size) await dropParts(model.id);
    await saveFacts(model);
    const { there, body } = file ? { there: 0, body: file.stream() } : await rest(model, signal);
    await take(model, body, there, { progress, signal });
    const sha256 = await checksum(await weightsOf(model.id), signal);
    if (model.expected !== undefined && model.expected !== sha256) {
      await dropParts(model.id);
      throw new WeightsError('checksum', sha256);
    }
    await saveFacts({ ...model, sha256 });
  });
}

type Body = ReadableStream<Uint8Array<ArrayBuffer>> | null;

/** What is not there yet. A server that sends all of it again, or another file, begins anew. */
async function rest(
  { id, address, size }: StoredModel,
  signal: AbortSignal,
): Promise<{ there: number; body: Body }> {
  const there = sizeOf(await weightsOf(id));
  if (there === size) return { there, body: null };
  const response = await get(address ?? '', `bytes=${there}-`, signal);
  const total = response.headers.get('content-range')?.split('/')[1];
  if (response.status === 206 && (there === 0 || total === String(size)))
    return { there, body: response.body };
  await dropParts(id);
  return { there: 0, body: response.body };
}

async function take(
  { id, size }: StoredModel,
  body: Body,
  before: number,
  { progress, signal }: { progress: (there: number) => void; signal: AbortSignal },
): Promise<void> {
  let there = before;
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  let written = before;
  const put = async (): Promise<void> => {
    const part = pieces;
    pieces = [];
    written = there;
    if (part.length > 0) await addPart(id, part).catch(whenFull);
  };
  try {
    for await (const piece of body ?? []) {
      signal.throwIfAborted();
      pieces.push(piece);
      there += piece.length;
      // A server may send without end.
      if (there > size) throw new WeightsError('cut');
      progress(there);
      if (there - written >= PART) await put();
    }
  } catch (error) {
    if (error instanceof WeightsError) throw error;
    await put();
    throw signal.aborted ? signal.reason : new WeightsError('network', String(error));
  }
  await put();
  if (there !== size) throw new WeightsError('cut');
}

function whenFull(error: unknown): never {
  throw error instanceof DOMException && error.name === 'QuotaExceededError'
    ? new WeightsError('full')
    : error;
}

async function checksum(parts: File[], signal: AbortSignal): Promise<string> {
  const hash = createSha256();
  for (const part of parts) {
    for await (const piece of part.stream()) {
      signal.throwIfAborted();
      hash.push(piece);
    }
  }
  return hash.end();
}
