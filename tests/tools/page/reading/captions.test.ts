import { expect, it } from 'vitest';
import { cuesIn, linesOf } from '../../../../lib/tools/page/reading/captions.ts';

const read = (file: string): string => linesOf(cuesIn(file));

it('a WebVTT file is read as lines with a time every half minute, without its marks', () => {
  const file =
    'WEBVTT - A talk\n\nNOTE by hand\n\nintro\n00:01.000 --> 00:04.000 align:start\n<v Ada>Tides follow\n<i>the moon.</i>\n\n' +
    '00:20.000 --> 00:24.000\nTwice a day.\n\n01:02:03.500 --> 01:02:05.000\nThe end.\n';
  expect(read(file)).toBe('[0:01] Tides follow the moon. Twice a day.\n[1:02:03] The end.');
});

it('so is SubRip, and what rolling captions say twice is said once', () => {
  const file =
    '1\r\n00:00:00,000 --> 00:00:02,000\r\nThe sea\r\n\r\n2\r\n00:00:02,000 --> 00:00:03,000\r\nThe sea\r\nis salt.\r\n';
  expect(read(file)).toBe('[0:00] The sea is salt.');
});

it('of a page that stands where captions should be nothing is read', () => {
  expect(read('<!doctype html><p>Not found</p>')).toBe('');
});
