import type { WireError } from '../../lib/types/error.ts';
import { printable } from './transcript.ts';

/** The command cannot go on. `lines` are for a user: what happened, the cause, what to do. */
export class Failure extends Error {
  readonly lines: string[];

  constructor(message: string, ...more: (string | undefined)[]) {
    super(message);
    this.lines = [message, ...more.filter((line) => line !== undefined)];
  }
}

export function failureOf(error: WireError): Failure {
  return new Failure(error.message, error.cause, error.fix);
}

/** On stderr: the sentence, then its cause and what to do, indented. */
export function sayFailure(error: unknown): void {
  const lines =
    error instanceof Failure ? error.lines : [error instanceof Error ? error.message : String(error)];
  process.stderr.write(`portside: ${printable(lines.join('\n  '))}\n`);
}
