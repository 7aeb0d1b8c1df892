import { LONGEST_STDERR_LINE } from '../../types/native-host.ts';
import { createRedaction } from './redact.ts';

/** A shorter line of a value stands in everything. */
const SHORTEST_LINE = 8;

/** Values that were given to a program as they may stand in what it prints: line by line. */
export function printedSecrets(values: string[]): string[] {
  return values.flatMap((value) => {
    const lines = value.split(/\r?\n|\\n/);
    return lines.length === 1 ? lines : lines.filter((line) => line.length >= SHORTEST_LINE);
  });
}

/** Takes what was given to a program, as `values`, out of a line that it printed. */
export function createLineRedaction(values: string[]): (line: string) => string {
  const secrets = printedSecrets(values);
  const longest = Math.max(0, ...secrets.map(({ length }) => length));
  const redact = createRedaction(secrets);
  // The end of a cut line may be the beginning of a secret, which nothing would find.
  return (line) =>
    line.length < LONGEST_STDERR_LINE
      ? redact.text(line, LONGEST_STDERR_LINE)
      : redact.text(`${line}…`, LONGEST_STDERR_LINE - longest).slice(0, LONGEST_STDERR_LINE);
}
