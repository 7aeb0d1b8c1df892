import { expect, it } from 'vitest';
import { dimensionsOf, isDrawn } from '../../components/ui/pixels.ts';
import { png } from '../fakes/png.ts';

it('a small file that unpacks to a huge picture is known by its header', () => {
  expect(dimensionsOf(png(16_000, 16_000))).toMatchObject({ width: 16_000, height: 16_000 });
  expect(isDrawn(png(16_000, 16_000), 25_000_000)).toBe(false);
  expect(isDrawn(png(5_000, 5_000), 25_000_000)).toBe(true);
});

it('a GIF is as large as its first frame, wherever that begins', () => {
  const gif = (screen: number, frame: number): string =>
    Buffer.from(
      [
        [...'GIF89a'].map((letter) => letter.charCodeAt(0)),
        [screen & 255, screen >> 8, screen & 255, screen >> 8, 0x80, 0, 0, 0, 0, 0, 255, 255, 255],
        [0x21, 0xf9, 4, 0, 0, 0, 0, 0, 0x21, 0xfe, 2, 65, 66, 1, 67, 0],
        [0x2c, 0, 0, 0, 0, frame & 255, frame >> 8, frame & 255, frame >> 8, 0],
      ].flat(),
    ).toString('base64');
  expect(dimensionsOf(gif(1, 16_000))).toEqual({ width: 16_000, height: 16_000 });
  expect(dimensionsOf(gif(20, 10))).toEqual({ width: 20, height: 20 });
  expect(dimensionsOf(gif(20, 10).slice(0, 40))).toBeUndefined();
});

it.each(['', '%', 'AAAA', 'iVBORw0KGgo='])('what is no picture (%s) is not drawn', (base64) => {
  expect(isDrawn(base64, Infinity)).toBe(false);
});

it('a JPEG is as large as the frame that decoders find, else it says nothing', () => {
  const frame = (size: number) => [
    0xff,
    0xc2,
    0,
    11,
    8,
    size >> 8,
    size & 255,
    size >> 8,
    size & 255,
    1,
    1,
    0x11,
    0,
  ];
  const jpeg = (...parts: number[][]) => Buffer.from([0xff, 0xd8, ...parts.flat()]).toString('base64');
  const comment = (text: number[]) => [0xff, 0xfe, 0, 2 + text.length, ...text];
  expect(dimensionsOf(jpeg(comment([1, 2]), frame(300)))).toEqual({ width: 300, height: 300 });
  const scans = (count: number) =>
    jpeg(frame(300), ...Array.from({ length: count }, () => [0xff, 0xda, 0, 2]));
  expect(isDrawn(scans(10), 25_000_000)).toBe(true);
  expect(isDrawn(scans(1_000), 25_000_000)).toBe(false);
  // A marker that has no length hides the frame in what looks like its segment.
  const hidden = jpeg([0xff, 0xd0, 0, 19], frame(16_000), comment(frame(1)));
  expect(isDrawn(hidden, 25_000_000)).toBe(false);
  expect(isDrawn(jpeg(comment([]), [0, 0], frame(16_000), frame(1)), 25_000_000)).toBe(false);
});
