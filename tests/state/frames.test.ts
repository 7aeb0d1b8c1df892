import { expect, it } from 'vitest';
import { createFrames } from '../../lib/state/seams.ts';

it('draws at once what comes after a pause, and what follows some frames later', () => {
  let now = 1000;
  const drawn: string[] = [];
  const waits: number[] = [];
  const due: (() => void)[] = [];
  const frame = createFrames(
    (paint) => paint(),
    () => now,
    (task, ms) => {
      waits.push(ms);
      due.push(task);
    },
  );
  frame(() => drawn.push('first'));
  now = 1010;
  frame(() => drawn.push('second'));
  expect([drawn, waits]).toEqual([['first'], [40]]);
  now = 1050;
  due.splice(0).forEach((task) => task());
  expect(drawn).toEqual(['first', 'second']);
  now = 1200;
  frame(() => drawn.push('third'));
  expect([drawn, waits]).toEqual([['first', 'second', 'third'], [40]]);
});

it('rests after a drawing that took long, so that the page stays its reader’s', () => {
  let now = 1000;
  const waits: number[] = [];
  const frame = createFrames(
    (paint) => paint(),
    () => now,
    (_task, ms) => waits.push(ms),
  );
  frame(() => (now += 20));
  frame(() => {});
  expect(waits).toEqual([80]);
});
