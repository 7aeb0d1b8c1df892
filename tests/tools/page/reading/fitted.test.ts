import { expect, it } from 'vitest';
import { fitted } from '../../../../lib/tools/page/reading/compose.ts';

const page = { title: 'Log', url: 'https://a.example/' };
const shown = (text: string, most: number): string =>
  fitted(page, text, { most, readId: 'page-1' }).text.split('\n\n[Cut:')[0] ?? '';

it('a text is cut to so many bytes, which letters beyond ASCII take more of', () => {
  expect(shown('a'.repeat(900), 900)).toHaveLength(900);
  expect(shown('a'.repeat(901), 900)).toHaveLength(900);
  expect(shown('船'.repeat(300), 900)).toHaveLength(300);
  expect(shown('船'.repeat(600), 900)).toHaveLength(300);
});

it('what was cut is kept whole', () => {
  expect(fitted(page, 'a'.repeat(901), { most: 900, readId: 'page-1' }).whole).toHaveLength(901);
  expect(fitted(page, 'a', { most: 900, readId: 'page-1' })).toEqual({ title: 'Log', text: 'a' });
});
