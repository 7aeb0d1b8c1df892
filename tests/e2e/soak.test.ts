import { expect, it } from 'vitest';
import { soak } from '../soak/run.ts';

/** Rounds of this seed bring about a dozen deaths of the worker, and most of the other faults. */
const SEED = 1000;
const ROUNDS = 8;

it('loses nothing, doubles nothing and shows what the database holds, whatever dies', async () => {
  const report = await soak(SEED, ({ rounds }) => rounds >= ROUNDS);
  expect(report.violations).toEqual([]);
  expect(report.done['worker death']).toBeGreaterThan(5);
}, 180_000);
