import { expect, it } from 'vitest';
import { mend } from '../components/markdown/mend.ts';
import { createFence } from '../lib/agent/context/fence.ts';
import { isOwnCall } from '../lib/models/reply/leaked-calls.ts';
import { webOriginsIn } from '../lib/origins.ts';
import { nextSpoken } from '../lib/state/speech.ts';

/** So many of a piece as have this length together, in characters. */
const many = (piece: string, length: number): string => piece.repeat(length / piece.length);

it.each<[string, (length: number) => unknown]>([
  ['a result with a tag that never comes', (l) => createFence('4f9a2c1b').wrap(`<${many(' ', l)}.`)],
  ['an answer of empty lines before a call', (l) => isOwnCall('x', many('\n', l), '')],
  ['code that goes on', (l) => mend(`${many('`', l)}.`)],
  ...[
    'https:',
    'https://a.',
    'https://@',
    'https://[',
    'https://a/http',
    '.:',
    '=',
    '\\',
    '~.a',
    ' //a.',
    '=//a.',
    'to=https://a.b/?',
    '%25',
    '%252F',
    '&#x2F;',
    '?a.',
    '?https:x',
    'git://',
  ].map((piece): [string, (length: number) => unknown] => [
    `what may be an address: ${piece}`,
    (l) => webOriginsIn(`https://${many(piece, l)}`),
  ]),
  ['what may be a host: \\', (l) => webOriginsIn(`https:x?=${many('\\', l)}`)],
  ['what may be a host: &\\a', (l) => webOriginsIn(`https:x${many('&\\\\a', l)}`)],
  ...['a.', '0x', '1.', '\u200B', 'localhost'].map((piece): [string, (length: number) => unknown] => [
    `what may be a host: ${piece}`,
    (l) => webOriginsIn({ host: many(piece, l) }),
  ]),
  ['a line that may be a table', (l) => nextSpoken(`a | b\n---|---${many(' ', l)}.\n`, 0, true)],
])('takes time that grows with the text alone to read %s', (_what, read) => {
  // Four times as long where it grows with the length; with its square it were sixteen times as long.
  expect(timeOf(() => read(40_000))).toBeLessThan(
    8 *
      Math.max(
        timeOf(() => read(10_000)),
        LEAST_MS,
      ),
  );
});

/** What is faster says nothing: it may be the collection of garbage. */
const LEAST_MS = 25;

/** Of the processor, in milliseconds, however busy the machine is. */
function timeOf(job: () => unknown): number {
  const before = process.threadCpuUsage();
  job();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
