import { expect, it } from 'vitest';
import { seenFrames } from '../../../lib/tools/page/frame-readings.ts';

it('frames in a hidden one are left out, the others stay', () => {
  const frames = [
    { at: '', unseen: ['1/'] },
    { at: '0/', unseen: ['0/2/'] },
    { at: '0/2/' },
    { at: '1/' },
    { at: '1/0/' },
    { at: '11/' },
    {},
  ];
  expect(seenFrames(frames)).toEqual([frames[0], frames[1], frames[5], {}]);
});
