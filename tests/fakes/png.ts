import { deflateSync } from 'node:zlib';

/** A PNG of one bit a pixel as base64, with a header as it should be; its checksums and its end are not. */
export function png(width: number, height: number): string {
  const number = (value: number) => Buffer.from([24, 16, 8, 0].map((shift) => (value >> shift) & 255));
  const chunk = (name: string, data: Buffer) =>
    Buffer.concat([number(data.length), Buffer.from(name), data, number(0)]);
  const head = Buffer.concat([number(width), number(height), Buffer.from([1, 0, 0, 0, 0])]);
  const data = deflateSync(Buffer.alloc(64));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', data)]).toString('base64');
}
