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
  const redact = createRedaction(printedSecrets(values));
  return (line) => redact.text(line, LONGEST_STDERR_LINE, line.length >= LONGEST_STDERR_LINE);
}
