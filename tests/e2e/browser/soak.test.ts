import { expect, it } from 'vitest';
import { join } from 'node:path';
import { root } from '../../../scripts/paths.ts';
import { runNode } from '../../../scripts/run.ts';
import { soak } from '../../soak/run.ts';

/** Rounds of this seed bring about a dozen deaths of the worker, and most of the other faults. */
const SEED = 1000;
const ROUNDS = 8;

it('loses nothing, doubles nothing and shows what the database holds, whatever dies', async () => {
  const report = await soak(SEED, ({ rounds }) => rounds >= ROUNDS);
  expect(report.violations).toEqual([]);
  expect(report.done['worker death']).toBeGreaterThan(5);
}, 180_000);

it('goes on after a violation, keeps what was in the browser, and ends with exit code 1, the seeds and the table', async () => {
  const args = ['--rounds', '2', '--seed', '7'];
  const { code, output } = await runNode('tests/e2e/browser/on-purpose/soak.ts', args);
  expect(output).toContain('wrong on purpose');
  expect(code).toBe(1);
  expect(output).toContain(join(root, '.cache', 'failures', 'soak-8'));
  expect(output).toMatch(/^first seed +7$/m);
  expect(output).toMatch(/^rounds +2$/m);
  expect(output).toMatch(/^violation: page error +\d+ \(seeds 7, 8\)$/m);
  expect(output).toMatch(/^violation: lost +0$/m);
}, 120_000);
