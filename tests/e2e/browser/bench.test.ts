import { expect, it } from 'vitest';
import { runNode } from '../../../scripts/run.ts';

it('npm run bench measures what the panel costs, in a browser', async () => {
  const parts = ['size', 'enter', 'answer'];
  const { code, output } = await runNode('tests/bench/bench.ts', ['--tiny', '--json', ...parts]);
  expect({ code, output }).toEqual({ code: 0, output: expect.any(String) }); // shows what it said
  const figures = JSON.parse(output) as { name: string; value: number; target?: number }[];
  expect(figures.filter(({ value }) => !Number.isFinite(value))).toEqual([]);
  expect(figures.filter(({ target }) => target !== undefined)).toHaveLength(9);
}, 180_000);
