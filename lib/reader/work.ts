import { type FileKind, KINDS } from '../files/kind.ts';
import type { Fetched } from '../tools/page/reading/fetch.ts';
import type { PageContent, PageReading } from '../types/page.ts';
import type { Failure } from '../unreadable.ts';
import { isRecord } from '../json.ts';

/** What the reader (entrypoints/reader) is given: bytes of others, and how they are to be read. */
export type Work =
  | { type: 'file'; file: File }
  | { type: 'page'; reading: PageReading }
  | { type: 'fetched'; reading: PageReading; fetched: Fetched };

/** What it read. A file has no title of its own. */
export type ReadContent = Omit<PageContent, 'title'> & { title?: string };

export type Outcome = { ok: true; content: ReadContent } | { ok: false; failure: Failure };

/** Characters at most. */
const TEXTS = { title: 10_000, text: 20_000_000, whole: 20_000_000, mimeType: 200 };
const MOST_PICTURES = 1;
const LONGEST_PICTURE = 10_000_000;

type FieldCheck = (value: unknown) => boolean;
const isNumber: FieldCheck = (value) => Number.isFinite(value);
const isKind: FieldCheck = (value) => KINDS.includes(value as FileKind);
const isText =
  (most: number): FieldCheck =>
  (value) =>
    typeof value === 'string' && value.length <= most;

/** What each failure tells besides. */
const FAILURES: { [W in Failure['why']]: Record<string, FieldCheck> } = {
  empty: {},
  unopened: {},
  locked: {},
  noCanvas: {},
  unknownKind: {},
  scripted: {},
  noPlainText: {},
  slow: { seconds: isNumber },
  noText: { pages: isNumber },
  misnamed: { ending: isText(10) },
  broken: { kind: isKind, cause: isText(1000) },
  tooLarge: { kind: isKind, size: isNumber, most: isNumber },
  inflated: { most: isNumber },
  tooLong: { length: isNumber, most: isNumber },
};

/**
 * What the reader answered, with nothing in it that is not expected: hostile bytes may have made it say anything.
 * @throws Error for what has another shape
 */
export function outcomeIn(value: unknown): Outcome {
  if (isRecord(value) && value['ok'] === true) return { ok: true, content: contentIn(value['content']) };
  if (isRecord(value) && value['ok'] === false) return { ok: false, failure: failureIn(value['failure']) };
  throw misshapen();
}

function contentIn(value: unknown): ReadContent {
  if (!isRecord(value) || !('text' in value)) throw misshapen();
  const { pictures = [] } = value;
  if (!Array.isArray(pictures) || pictures.length > MOST_PICTURES) throw misshapen();
  const texts = Object.entries(TEXTS).flatMap(([name, most]) =>
    value[name] === undefined ? [] : [[name, checked(value[name], isText(most))]],
  );
  return {
    ...(Object.fromEntries(texts) as ReadContent),
    ...(pictures.length > 0 && { pictures: pictures.map(pictureIn) }),
    ...(value['isUnseen'] === true && { isUnseen: true }),
  };
}

function pictureIn(value: unknown): { mimeType: string; data: string } {
  if (!isRecord(value)) throw misshapen();
  const mimeType = checked(value['mimeType'], (type) => /^image\/(?:png|jpeg)$/.test(String(type)));
  return { mimeType: mimeType as string, data: checked(value['data'], isText(LONGEST_PICTURE)) as string };
}

function failureIn(value: unknown): Failure {
  const why = isRecord(value) ? String(value['why']) : '';
  if (!isRecord(value) || !Object.hasOwn(FAILURES, why)) throw misshapen();
  const fields = Object.entries(FAILURES[why as Failure['why']]);
  const told = fields.map(([name, isRight]) => [name, checked(value[name], isRight)]);
  return { why, ...Object.fromEntries(told) } as Failure;
}

function checked(value: unknown, isRight: FieldCheck): unknown {
  if (!isRight(value)) throw misshapen();
  return value;
}

const misshapen = (): Error => new Error('The reader answered in another shape.');
