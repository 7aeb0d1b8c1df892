import { causeOf, Unreadable } from '../unreadable.ts';

/** Bytes of all parts of a document, unpacked: XML takes some thirty a character, and no model reads more than a million. */
const MOST_BYTES = 50_000_000;

/**
 * Unpacks a ZIP archive (PKWARE APPNOTE, 4.3) without keeping any of it: a small one can hold more than there is memory for,
 * whatever it says of its size, and who reads it would find that out at its end.
 * @throws Unreadable
 */
export async function requireSmall(archive: Uint8Array<ArrayBuffer>): Promise<void> {
  let size = 0;
  try {
    for (const part of partsOf(archive)) {
      for await (const piece of part) {
        size += piece.length;
        if (size > MOST_BYTES) throw new Unreadable({ why: 'inflated', most: MOST_BYTES });
      }
    }
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable({ why: 'broken', kind: 'docx', cause: causeOf(error) });
  }
}

type Stream = ReadableStream<Uint8Array<ArrayBuffer>>;

/** In the order of the central directory, which is what counts. @throws Error */
function partsOf(archive: Uint8Array<ArrayBuffer>): Stream[] {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const end = endOf(view);
  const [size, begin] = [view.getUint32(end + 12, true), view.getUint32(end + 16, true)];
  // Readers differ in how they find a directory that stands elsewhere.
  if (begin + size !== end) throw new Error('Its directory is not where it says.');
  // 0xffff sends readers on to the directory of a ZIP64 (4.4.1.4), which is not the one that is measured.
  for (let at = end + 4; at < end + 12; at += 2)
    if (view.getUint16(at, true) === 0xffff) throw new Error('It has another directory.');
  const parts: Stream[] = [];
  for (let at = begin; at < end;) {
    const local = view.getUint32(at + 42, true);
    const data = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const packed = new Blob([archive.subarray(data, data + view.getUint32(at + 20, true))]).stream();
    const isDeflated = view.getUint16(at + 10, true) === 8;
    parts.push(isDeflated ? packed.pipeThrough(new DecompressionStream('deflate-raw')) : packed);
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return parts;
}

/** Where the record that ends it begins. @throws Error */
function endOf(view: DataView): number {
  for (let at = view.byteLength - 22; at >= 0; at -= 1)
    if (view.getUint32(at, true) === 0x06054b50) return at;
  throw new Error('It has no directory.');
}
