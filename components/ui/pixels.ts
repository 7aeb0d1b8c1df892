import { bytesOf } from '../../lib/base64.ts';
import { imageDimensionsFromData } from 'image-dimensions';

/** Enough of a file for its header: in JPEG, pictures of the picture and colour profiles come before. */
const HEADER = 400_000;

/**
 * Width and height of a picture, out of its header: a small file may unpack to gigabytes, which a browser tells only when
 * it has. Undefined where the header says nothing.
 * @param base64 the file
 */
export function dimensionsOf(base64: string): { width: number; height: number } | undefined {
  try {
    const file = bytesOf(base64.slice(0, HEADER));
    const size = imageDimensionsFromData(file);
    if (size?.type === 'jpeg') return jpegSizeOf(file, base64);
    if (size?.type === 'gif') return largerOf(size, firstFrameOf(file));
    return size?.type === 'png' || size?.type === 'webp' ? size : undefined;
  } catch {
    return undefined; // no base64
  }
}

type Size = { width: number; height: number };

const largerOf = (one: Size, other: Size | undefined): Size | undefined =>
  other && { width: Math.max(one.width, other.width), height: Math.max(one.height, other.height) };

/** Where a GIF's first frame ends: browsers let its screen grow with that (https://www.w3.org/Graphics/GIF/spec-gif89a.txt). */
function firstFrameOf(file: Uint8Array): Size | undefined {
  const view = new DataView(file.buffer);
  const flags = view.getUint8(10);
  let at = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  while (file[at] === EXTENSION) {
    at += 2;
    while (view.getUint8(at) > 0) at += view.getUint8(at) + 1;
    at += 1;
  }
  if (file[at] !== FRAME) return undefined;
  const [left, top, width, height] = [1, 3, 5, 7].map((offset) => view.getUint16(at + offset, true)) as [
    number,
    number,
    number,
    number,
  ];
  return { width: left + width, height: top + height };
}

const EXTENSION = 0x21;
const FRAME = 0x2c;

const SCAN = '\xff\xda';
/** Encoders write ten. */
const MOST_SCANS = 100;

/**
 * What a JPEG's frame header says (ITU-T T.81, B.2). Decoders take markers without a length, and step over bytes that are
 * none, in places where a reader of segments sees others: where something but the usual segments stands before it, it says nothing.
 */
function jpegSizeOf(file: Uint8Array, base64: string): Size | undefined {
  const view = new DataView(file.buffer);
  for (let at = 2; view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1);
    if (/^c[^48c]$/.test(marker.toString(16))) {
      // Each scan of a progressive one goes over the whole picture, and may have 42 bytes.
      if (marker > 0xc1 && atob(base64).split(SCAN).length > MOST_SCANS) return undefined;
      return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    }
    if (!/^(?:e.|fe|db|c4|cc|dd)$/.test(marker.toString(16))) return undefined;
  }
  return undefined;
}

/** Whether it has at most so many pixels, and says so. */
export function isDrawn(base64: string, mostPixels: number): boolean {
  const size = dimensionsOf(base64);
  return size !== undefined && size.width * size.height <= mostPixels;
}
