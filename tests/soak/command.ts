import { parseArgs } from 'node:util';
import { violationKinds } from './oracle.ts';
import type { Scene } from './round.ts';
import { type Report, soak } from './run.ts';

/**
 * What `npm run soak` does: the built extension in a real browser, random conversations under random faults
 * (docs/reliability.md), five minutes unless told.
 * @param sent see `playRound`
 * @returns the exit code, 1 at any violation
 */
export async function soakCommand(args: string[], sent?: (scene: Scene) => Promise<void>): Promise<number> {
  const { values: flags } = parseArgs({
    args,
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
  const report = await soak(seed, enough, (line) => process.stderr.write(`${line}\n`), sent);
  process.stdout.write((flags.markdown ? markdown : table)(rowsOf(seed, report)));
  return report.violations.length === 0 ? 0 : 1;
}

/** Each kind of violation that is looked for, also those that did not happen. */
function rowsOf(seed: number, { rounds, done, violations }: Report): [string, string][] {
  return [
    ['first seed', String(seed)],
    ['rounds', String(rounds)],
    ...Object.entries(done).map(([what, times]): [string, string] => [what, String(times)]),
    ...violationKinds.map((kind): [string, string] => {
      const found = violations.filter((violation) => violation.kind === kind);
      const seeds = [...new Set(found.map((each) => each.seed))].join(', ');
      return [`violation: ${kind}`, found.length === 0 ? '0' : `${found.length} (seeds ${seeds})`];
    }),
  ];
}

function table(rows: [string, string][]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}\n`).join('');
}

const markdown = (rows: [string, string][]): string =>
  ['| What | Times |\n| --- | --- |\n', ...rows.map(([name, value]) => `| ${name} | ${value} |\n`)].join('');
