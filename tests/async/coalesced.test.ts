import { expect, it } from 'vitest';
import { coalesced } from '../../lib/async.ts';

/** A job whose ends the test decides. */
function held() {
  const ends: PromiseWithResolvers<void>[] = [];
  let running = 0;
  let peak = 0;
  const ask = coalesced(async () => {
    peak = Math.max(peak, ++running);
    const end = Promise.withResolvers<void>();
    ends.push(end);
    await end.promise.finally(() => running--);
  });
  return { ask, ends, peak: () => peak };
}

it('runs once more for all callers during a run, never twice at once', async () => {
  const { ask, ends, peak } = held();
  const first = ask();
  const others = [ask(), ask(), ask()];
  expect(ends).toHaveLength(1);
  ends[0]?.resolve();
  await first;
  const late = ask(); // the second one runs already: what it saw may be older
  ends[1]?.resolve();
  await Promise.all(others);
  ends[2]?.resolve();
  await late;
  expect([ends.length, peak()]).toEqual([3, 1]);
});

it('goes on after a failure, which only its own callers get', async () => {
  const { ask, ends } = held();
  const first = ask();
  const second = ask();
  ends[0]?.reject(new Error('no'));
  await expect(first).rejects.toThrow('no');
  await Promise.resolve();
  ends[1]?.resolve();
  await second;
  expect(ends).toHaveLength(2);
});
