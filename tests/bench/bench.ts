import { parseArgs } from 'node:util';
import { acting } from './acting.ts';
import { answering } from './answering.ts';
import { calls } from './calls.ts';
import { cancel } from './cancel.ts';
import { chats } from './chats.ts';
import { entering } from './entering.ts';
import { type Figure, meets, tableOf } from './figures.ts';
import { importHeap, importing } from './importing.ts';
import { opening } from './opening.ts';
import { reading } from './reading.ts';
import { searching } from './searching.ts';
import { size } from './size.ts';
import { stdio } from './stdio.ts';
import { streaming } from './streaming.ts';
import { syncing } from './syncing.ts';
import { toolSets } from './tool-sets.ts';

/**
 * Measures what the issue of speed promises, each figure as a ratio to a baseline of the same run. Prints a table, or
 * JSON with `--json`. Exit code 1 when a target is missed. `--tiny` only shows that the benches work: its figures mean
 * nothing and miss nothing. Parts are chosen by their names: `npm run bench -- search size`.
 */
const { values: flags, positionals: chosen } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean' }, tiny: { type: 'boolean' } },
});

const full = {
  streaming: () => streaming({ tokens: 20_000, few: 1_000, many: 100_000, rounds: 7, paceMicros: 100 }),
  calls: () => calls({ origins: 8, calls: 32, ms: 200, rounds: 5 }),
  cancel: () => cancel({ queued: 20, rounds: 15 }),
  stdio: () => stdio({ calls: 200, bytes: 20_000_000, rounds: 5 }),
  tools: () => toolSets({ tools: 2_000, rounds: 15 }),
  size,
  open: () => opening({ rounds: 9 }),
  enter: () => entering({ rounds: 15 }),
  answer: () => answering({ slow: 3_000, many: 20_000, seconds: 10, rounds: 3 }),
  chats: () => chats({ long: 10_000, short: 50, rounds: 5, turns: 100 }),
  import: () => importing({ chats: 2_000, messages: 40, rounds: 5 }),
  heap: () => importHeap({ megabytes: 500, seconds: 30 }),
  sync: () => syncing({ chats: 200, messages: 50 }),
  search: () => searching({ many: 100_000, few: 1_000, rounds: 9 }),
  page: () => reading({ characters: 1_000_000, rounds: 15 }),
  act: () => acting({ elements: [1_000, 5_000, 20_000], rounds: 50, clicks: 9 }),
};
const tiny: typeof full = {
  streaming: () => streaming({ tokens: 20, few: 10, many: 20, rounds: 1, paceMicros: 100 }),
  calls: () => calls({ origins: 2, calls: 10, ms: 5, rounds: 1 }),
  cancel: () => cancel({ queued: 2, rounds: 1 }),
  stdio: () => stdio({ calls: 3, bytes: 1_000_000, rounds: 1 }),
  tools: () => toolSets({ tools: 20, rounds: 1 }),
  size,
  open: () => opening({ rounds: 1 }),
  enter: () => entering({ rounds: 1 }),
  answer: () => answering({ slow: 50, many: 2_000, seconds: 2, rounds: 1 }),
  chats: () => chats({ long: 120, short: 10, rounds: 1, turns: 4 }),
  import: () => importing({ chats: 3, messages: 4, rounds: 1 }),
  heap: () => importHeap({ megabytes: 1, seconds: 1 }),
  sync: () => syncing({ chats: 2, messages: 4 }),
  search: () => searching({ many: 60, few: 20, rounds: 1 }),
  page: () => reading({ characters: 10_000, rounds: 1 }),
  act: () => acting({ elements: [100, 200, 400], rounds: 1, clicks: 1 }),
};

const figures: Figure[] = [];
for (const [name, run] of Object.entries(flags.tiny ? tiny : full)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  if (!flags.json) process.stderr.write(`Measuring ${name}…\n`);
  figures.push(...(await run()));
}
const missed = figures.filter((figure) => meets(figure) === false);
process.stdout.write(flags.json ? `${JSON.stringify(figures.map(asJson))}\n` : tableOf(figures));
process.exitCode = missed.length > 0 && !flags.tiny ? 1 : 0;

function asJson(figure: Figure) {
  return { ...figure, met: meets(figure) ?? null };
}
