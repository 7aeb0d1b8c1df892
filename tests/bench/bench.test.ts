import { expect, it } from 'vitest';
import { runNode } from '../../scripts/run.ts';

it('npm run bench measures what runs without a browser, and prints it as JSON', async () => {
  const { code, output } = await runNode('tests/bench/bench.ts', [
    '--tiny',
    '--json',
    'streaming',
    'calls',
    'cancel',
    'tools',
    'import',
  ]);
  expect({ code, output }).toEqual({ code: 0, output: expect.any(String) }); // shows what it said
  const figures = JSON.parse(output) as { name: string; value: number; target?: number }[];
  expect(figures.every(({ value }) => Number.isFinite(value))).toBe(true);
  expect(figures.filter(({ target }) => target !== undefined).map(({ name }) => name)).toEqual([
    'loop and parser / bare fetch, 20 tokens',
    'a token of 20 / a token of 10',
    '10 calls of 5 ms over 2 origins / one call',
    '10 calls of 5 ms on one origin / 3 calls',
    'a cancel’s way to its server, 2 calls queued on its origin',
    'assembling a request with 20 tools, as JSON / JSON.stringify',
    'the first search over 20 tools, which builds the index / JSON.stringify',
    'a search over 20 tools, index ready / JSON.stringify',
    'import of 3 chats / JSON.parse',
  ]);
});
