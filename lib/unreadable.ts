import type { FileKind } from './files/kind.ts';

/**
 * Why something is not read, as data: where it is read (entrypoints/reader) there are no texts in the user's language, and
 * what it says of itself is not shown.
 */
export type Failure =
  | { why: 'empty' | 'unopened' | 'locked' }
  | { why: 'noText'; pages: number }
  | { why: 'misnamed'; ending: string }
  | { why: 'broken'; kind: FileKind; cause: string }
  | { why: 'tooLarge'; kind: FileKind; size: number; most: number }
  | { why: 'inflated'; most: number }
  | { why: 'tooLong'; length: number; most: number }
  | { why: 'slow'; seconds: number }
  | { why: 'noCanvas' | 'unknownKind' | 'scripted' | 'noPlainText' };

/** What the reader throws. */
export class Unreadable extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.why);
    this.failure = failure;
    this.name = 'Unreadable';
  }
}

/** The words of whatever a library throws, of which the bytes that it read may be the author. */
export const causeOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 300);
