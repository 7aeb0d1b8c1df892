import { parseArgs } from 'node:util';
import { calls } from './calls.ts';
import { type Figure, meets } from './figures.ts';
import { streaming } from './streaming.ts';
import { toolSets } from './tool-sets.ts';

/**
 * Measures what the issue of speed promises, each figure as a ratio to a baseline of the same run. Prints a table, or
 * JSON with `--json`. Exit code 1 when a target is missed. `--tiny` only shows that the benches work: its figures mean
 * nothing and miss nothing.
 */
const { values: flags } = parseArgs({
  options: { json: { type: 'boolean' }, tiny: { type: 'boolean' }, only: { type: 'string' } },
});

const full = {
  streaming: () => streaming({ tokens: 20_000, few: 1_000, many: 100_000, rounds: 7, paceMicros: 100 }),
  calls: () => calls({ origins: 8, calls: 32, ms: 200, rounds: 5 }),
  tools: () => toolSets({ tools: 2_000, rounds: 15 }),
};
const tiny: typeof full = {
  streaming: () => streaming({ tokens: 20, few: 10, many: 20, rounds: 1, paceMicros: 100 }),
  calls: () => calls({ origins: 2, calls: 10, ms: 5, rounds: 1 }),
  tools: () => toolSets({ tools: 20, rounds: 1 }),
};

const figures: Figure[] = [];
for (const [name, run] of Object.entries(flags.tiny ? tiny : full)) {
  if (flags.only !== undefined && flags.only !== name) continue;
  if (!flags.json) process.stderr.write(`Measuring ${name}…\n`);
  figures.push(...(await run()));
}
const missed = figures.filter((figure) => meets(figure) === false);
process.stdout.write(flags.json ? `${JSON.stringify(figures.map(asJson))}\n` : table(figures));
process.exitCode = missed.length > 0 && !flags.tiny ? 1 : 0;

function asJson(figure: Figure) {
  return { ...figure, met: meets(figure) ?? null };
}

function table(rows: Figure[]): string {
  const cells = rows.map((figure) => [
    figure.name,
    `${figure.value.toFixed(2)} ${figure.unit}`,
    figure.target === undefined ? '' : `≤ ${figure.target} ${figure.unit}`,
    { true: '✓', false: '✗ missed', undefined: '' }[String(meets(figure)) as 'true' | 'false' | 'undefined'],
    figure.detail,
  ]);
  const head = ['', 'measured', 'target', '', ''];
  const widths = head.map((_, column) =>
    Math.max(...[head, ...cells].map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return `${[head, ...cells].map((row) => line(row).trimEnd()).join('\n')}\n`;
}
