import { expect, it } from 'vitest';
import { dimensionsOf, isDrawn } from '../../components/ui/pixels.ts';
import { png } from '../fakes/png.ts';

it('a small file that unpacks to a huge picture is known by its header', () => {
  expect(dimensionsOf(png(16_000, 16_000))).toMatchObject({ width: 16_000, height: 16_000 });
  expect(isDrawn(png(16_000, 16_000), 25_000_000)).toBe(false);
  expect(isDrawn(png(5_000, 5_000), 25_000_000)).toBe(true);
});

it.each(['', '%', 'AAAA', 'iVBORw0KGgo='])('what is no picture (%s) is not drawn', (base64) => {
  expect(isDrawn(base64, Infinity)).toBe(false);
});
