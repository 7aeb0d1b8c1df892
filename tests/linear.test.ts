import { expect, it } from 'vitest';
import { mend } from '../components/markdown/mend.ts';
import { createFence } from '../lib/agent/context/fence.ts';
import { isOwnCall } from '../lib/models/reply/leaked-calls.ts';
import { nextSpoken } from '../lib/state/speech.ts';

const LENGTH = 40_000;
const many = (piece: string): string => piece.repeat(LENGTH / piece.length);

it.each<[string, () => unknown]>([
  ['a result with a tag that never comes', () => createFence('4f9a2c1b').wrap(`<${many(' ')}.`)],
  ['an answer of empty lines before a call', () => isOwnCall('x', many('\n'), '')],
  ['code that goes on', () => mend(`${many('`')}.`)],
  ['a line that may be a table', () => nextSpoken(`a | b\n---|---${many(' ')}.\n`, 0, true)],
])('takes time that grows with the text alone to read %s', (_what, read) => {
  const start = performance.now();
  read();
  expect(performance.now() - start).toBeLessThan(2000);
});
