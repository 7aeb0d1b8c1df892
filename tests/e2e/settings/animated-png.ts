import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** A picture as Chromium takes it (RGB, 8 bits, not interlaced), and for how long it is seen. */
export type AnimationFrame = { png: Buffer; ms: number };

type Chunk = { type: string; data: Buffer };

/** What lies between the first and the last row that changed. */
type Change = { top: number; rows: Buffer[]; ms: number };

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const SAMPLES = 3;

/**
 * Joins pictures of one size into an animated PNG that repeats: the third edition of PNG has frames
 * (https://www.w3.org/TR/png-3/#apng-frame-based-animation), and zlib packs them, so that no encoder is needed.
 */
export function animatedPng(frames: AnimationFrame[]): Buffer {
  const [first] = frames;
  if (!first) throw new Error('An animation has at least one picture.');
  const head = headOf(first.png);
  let sequence = 0;
  const body = changes(frames).flatMap((change, index): Chunk[] => {
    const control = frameControl(sequence++, head.readUInt32BE(0), change);
    const packed = deflateSync(Buffer.concat(change.rows.map(filtered)), { level: 9 });
    if (index === 0) return [control, { type: 'IDAT', data: packed }];
    return [control, { type: 'fdAT', data: Buffer.concat([uint32(sequence++), packed]) }];
  });
  const control = { type: 'acTL', data: Buffer.concat([uint32(frames.length), uint32(0)]) };
  const all = [{ type: 'IHDR', data: head }, control, ...body, { type: 'IEND', data: Buffer.alloc(0) }];
  return Buffer.concat([SIGNATURE, ...all.map(written)]);
}

function changes(frames: AnimationFrame[]): Change[] {
  let before: Buffer[] = [];
  return frames.map(({ png, ms }) => {
    const rows = rowsOf(png);
    const isChanged = (row: Buffer, y: number) => !before[y]?.equals(row);
    const top = Math.max(0, rows.findIndex(isChanged));
    const bottom = Math.max(top, rows.findLastIndex(isChanged));
    before = rows;
    return { top, rows: rows.slice(top, bottom + 1), ms };
  });
}

const headOf = (png: Buffer): Buffer => png.subarray(16, 29);

/** The rows of a picture without their filters (https://www.w3.org/TR/png-3/#9Filters). */
function rowsOf(png: Buffer): Buffer[] {
  const head = headOf(png);
  if (head[8] !== 8 || head[9] !== 2 || head[12] !== 0) throw new Error('The picture is not plain RGB.');
  const length = head.readUInt32BE(0) * SAMPLES;
  const packed = chunksOf(png).filter(({ type }) => type === 'IDAT');
  const raw = inflateSync(Buffer.concat(packed.map(({ data }) => data)));
  const rows: Buffer[] = [];
  for (let at = 0; at < raw.length; at += length + 1) {
    const row = raw.subarray(at + 1, at + 1 + length);
    unfilter(row, rows.at(-1) ?? Buffer.alloc(length), raw[at] ?? 0);
    rows.push(row);
  }
  return rows;
}

function unfilter(row: Buffer, above: Buffer, filter: number): void {
  for (let x = 0; x < row.length; x++) {
    const left = row[x - SAMPLES] ?? 0;
    const up = above[x] ?? 0;
    const corner = above[x - SAMPLES] ?? 0;
    const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
    row[x] = (row[x] ?? 0) + predicted;
  }
}

function paeth(left: number, up: number, corner: number): number {
  const toLeft = Math.abs(up - corner);
  const toUp = Math.abs(left - corner);
  const toCorner = Math.abs(left + up - 2 * corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

/** With each sample as its difference to the one on the left, which packs plain surfaces well. */
function filtered(row: Buffer): Buffer {
  const differences = row.map((value, x) => value - (row[x - SAMPLES] ?? 0));
  return Buffer.concat([Buffer.from([1]), differences]);
}

function chunksOf(png: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    chunks.push({ type, data: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return chunks;
}

/** It is put over the picture before, which stays. */
function frameControl(sequence: number, width: number, { top, rows, ms }: Change): Chunk {
  const data = Buffer.alloc(26);
  [sequence, width, rows.length, 0, top].forEach((value, index) => data.writeUInt32BE(value, index * 4));
  data.writeUInt16BE(ms, 20);
  data.writeUInt16BE(1000, 22);
  return { type: 'fcTL', data };
}

function written({ type, data }: Chunk): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), named, uint32(crc32(named))]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
