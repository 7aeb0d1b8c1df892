import { LONGEST_STDERR_LINE } from '../../types/native-host.ts';
import { createRedaction } from './redact.ts';

type Environment = Readonly<Record<string, string>>;

/** A shorter line of a value stands in everything. */
const SHORTEST_LINE = 8;

/** The values of a program's environment as they may stand in what it prints: line by line. */
export function printedSecrets(env: Environment): string[] {
  return Object.values(env).flatMap((value) => {
    const lines = value.split(/\r?\n|\\n/);
    return lines.length === 1 ? lines : lines.filter((line) => line.length >= SHORTEST_LINE);
  });
}

/** Takes a program's environment out of a line that it printed. */
export function createLineRedaction(env: Environment): (line: string) => string {
  const secrets = printedSecrets(env);
  const longest = Math.max(0, ...secrets.map(({ length }) => length));
  const redact = createRedaction(secrets);
  // The end of a cut line may be the beginning of a secret, which nothing would find.
  return (line) =>
    line.length < LONGEST_STDERR_LINE
      ? redact.text(line, LONGEST_STDERR_LINE)
      : redact.text(`${line}…`, LONGEST_STDERR_LINE - longest).slice(0, LONGEST_STDERR_LINE);
}
