import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** A PNG, in base64, whose pixels spell a text: for a model that sees, a picture of words. */
export function pictureOf(text: string): string {
  const chunk = (type: string, data: Uint8Array): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const around = Buffer.alloc(8);
    around.writeUInt32BE(data.length, 0);
    around.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([around.subarray(0, 4), body, around.subarray(4)]);
  };
  const pixels = Buffer.from(text, 'latin1');
  const head = Buffer.alloc(13);
  head.writeUInt32BE(pixels.length, 0);
  head.writeUInt32BE(1, 4);
  head.set([8, 0], 8);
  return Buffer.concat([
    Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat([Buffer.of(0), pixels]))),
    chunk('IEND', Buffer.alloc(0)),
  ]).toString('base64');
}

/** What the pixels of such pictures in a request spell. */
export function wordsInPictures(request: string): string {
  const found = request.matchAll(/data:image\/png;base64,([\w+/=]+)/g);
  return [...found].map(([, data = '']) => spelled(Buffer.from(data, 'base64'))).join('\n');
}

function spelled(png: Buffer): string {
  const at = png.indexOf('IDAT');
  if (at === -1) return '';
  const size = png.readUInt32BE(at - 4);
  return inflateSync(png.subarray(at + 4, at + 4 + size)).toString('latin1');
}
