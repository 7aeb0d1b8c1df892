import { createRedaction } from './redact.ts';

type Environment = Readonly<Record<string, string>>;

/** A stderr line of this length was cut, as the native host does. */
const CUT = 1000;
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
    line.length < CUT ? redact.text(line, CUT) : redact.text(`${line}…`, CUT - longest).slice(0, CUT);
}
