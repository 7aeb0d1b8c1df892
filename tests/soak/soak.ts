import { parseArgs } from 'node:util';
import { type Report, soak } from './run.ts';

/**
 * `npm run soak`: the built extension in a real browser, random conversations under random faults (docs/reliability.md).
 * Five minutes unless told; exit code 1 at any violation.
 */
const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string' },
    deaths: { type: 'string' },
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string' },
    markdown: { type: 'boolean' },
  },
});

const seed = Number(flags.seed ?? Date.now() % 1_000_000);
const endsAt = Date.now() + Number(flags.minutes) * 60_000;
const enough = ({ rounds, done }: Report): boolean => {
  if (flags.rounds !== undefined) return rounds >= Number(flags.rounds);
  if (flags.deaths !== undefined) return (done['worker death'] ?? 0) >= Number(flags.deaths);
  return Date.now() >= endsAt;
};
process.stderr.write(`Seed ${seed}\n`);
const report = await soak(seed, enough, (line) => process.stderr.write(`${line}\n`));
process.stdout.write(flags.markdown ? markdown(report) : table(report));
process.exitCode = report.violations.length === 0 ? 0 : 1;

/** Each kind of violation that is looked for, also those that did not happen. */
function rowsOf({ rounds, done, violations }: Report): [string, string][] {
  const kinds = ['lost', 'doubled', 'side effect', 'results', 'live run', 'screen', 'page error'];
  const of = (kind: string) => violations.filter(({ what }) => what.includes(kind));
  return [
    ['first seed', String(seed)],
    ['rounds', String(rounds)],
    ...Object.entries(done).map(([what, times]): [string, string] => [what, String(times)]),
    ...kinds.map((kind): [string, string] => {
      const found = of(kind);
      return [
        `violation: ${kind}`,
        found.length === 0 ? '0' : `${found.length} (seeds ${found.map((each) => each.seed).join(', ')})`,
      ];
    }),
  ];
}

function table(of: Report): string {
  const width = Math.max(...rowsOf(of).map(([name]) => name.length));
  return rowsOf(of)
    .map(([name, value]) => `${name.padEnd(width)}  ${value}\n`)
    .join('');
}

function markdown(of: Report): string {
  return ['| | |\n| --- | --- |\n', ...rowsOf(of).map(([name, value]) => `| ${name} | ${value} |\n`)].join(
    '',
  );
}
