import { inPath, inQuery } from '../../types/answers.ts';
import { isText } from '../content/raw.ts';

export type Redaction = {
  /** The text without secrets, cut. `isCut`: it was already, and may end with the beginning of a secret. */
  text(text: string, most: number, isCut?: boolean): string;
  /** The value as JSON without secrets, cut. Costs what is written, not what there is. */
  json(value: unknown, most: number): string;
};

const HIDDEN = '•••';
/** Shorter ones stand in everything. */
const SHORTEST = 4;
/** Bytes: of fewer, base64 stands in everything. */
const SHORTEST_ENCODED = 6;
/** A value under such a name is a secret, whatever it is. */
const SECRET_NAME =
  /(?:authorization|cookie|passw(?:or)?d|passphrase|secret|credentials?|api[-_]?key|private[-_]?key|token|session[-_]?id)$/i;
const OPEN_NAMES: ReadonlySet<string> = new Set(['progressToken', 'nextPageToken', 'pageToken']);
/** In a text: credentials with their scheme, in a query, and in JSON. Words such as “basic authentication” are none. */
const SCHEME = /\b([Bb]earer|[Bb]asic)\s+(?=\S*[\dA-Z=])[\w.~+/=-]{6,}/g;
const IN_QUERY = /([?&;][\w.-]*(?:token|key|secret|password|signature|sig|code)=)[^&#\s"']+/gi;
const IN_JSON =
  /("[\w-]*(?:authorization|passw(?:or)?d|secret|api[-_]?key|token)"\s*:\s*")(?:[^"\\]|\\.)+/gis;
/** The forms of secrets that were looked for lately: of a token they take long, and each line of a log looks for all. */
const lately = new Map<string, string[]>();
const MOST_LATELY = 200;
/** Deeper is shown by nothing. */
const DEEPEST = 60;

/** Takes out `secrets`, and what looks like one. */
export function createRedaction(secrets: string[]): Redaction {
  // The longest first: one may be a part of another.
  const known = [...new Set(secrets.flatMap(formsOf))]
    .filter((secret) => secret.length >= SHORTEST)
    .toSorted((a, b) => b.length - a.length);
  const longest = known[0]?.length ?? 0;

  const clean = (text: string): string => {
    let words = text;
    for (const secret of known) words = words.replaceAll(secret, HIDDEN);
    return words
      .replace(SCHEME, `$1 ${HIDDEN}`)
      .replace(IN_QUERY, `$1${HIDDEN}`)
      .replace(IN_JSON, `$1${HIDDEN}`);
  };
  const text = (whole: string, most: number, wasCut = false): string => {
    // A secret that begins before the cut must be seen whole to be found.
    const seen = whole.slice(0, most + longest);
    const cleaned = clean(seen);
    const isCut = wasCut || seen.length < whole.length;
    // What was taken out may draw the beginning of another secret, whose end was not seen, in front of the cut.
    const end = isCut ? Math.min(most, cleaned.length - longest) : most;
    return isCut || cleaned.length > end ? `${cleaned.slice(0, Math.max(end, 0))}…` : cleaned;
  };
  return { text, json: (value, most) => write(value, most, text) };
}

/**
 * How a secret may be repeated: as it is, as in JSON, as in an address, in base64 (as far as that does not depend on what
 * follows).
 */
function formsOf(secret: string): string[] {
  const known = lately.get(secret);
  if (known) return known;
  const encoded = inQuery(secret);
  const bytes = encoded.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  const whole = bytes.slice(0, bytes.length - (bytes.length % 3));
  // encodeURIComponent leaves these as they are.
  const lightly = encoded.replace(/%(?:2[1789]|7E)/g, decodeURIComponent);
  const forms = [secret, JSON.stringify(secret).slice(1, -1), encoded, lightly, inPath(secret)];
  if (whole.length >= SHORTEST_ENCODED) forms.push(btoa(whole));
  if (lately.size >= MOST_LATELY) lately.clear();
  lately.set(secret, forms);
  return forms;
}

/** Writes JSON until it is long enough. */
function write(value: unknown, most: number, text: Redaction['text']): string {
  let out = '';
  const isFull = (): boolean => out.length > most;
  const string = (words: string): void => {
    out += JSON.stringify(text(words, Math.max(most - out.length, 0) + 1));
  };
  const put = (part: unknown, isSecret: boolean, depth: number): void => {
    if (isFull()) return;
    if (isText(part)) {
      if (isSecret && part !== '') out += `"${HIDDEN}"`;
      else string(part);
    } else if (typeof part === 'number' && isSecret) out += `"${HIDDEN}"`;
    else if (typeof part !== 'object' || part === null) out += JSON.stringify(part) ?? 'null';
    else if (depth > DEEPEST) out += '"…"';
    else if (Array.isArray(part)) list(part, isSecret, depth);
    else record(part as Record<string, unknown>, depth);
  };
  const list = (parts: unknown[], isSecret: boolean, depth: number): void => {
    out += '[';
    for (let at = 0; at < parts.length && !isFull(); at += 1) {
      if (at > 0) out += ',';
      put(parts[at], isSecret, depth + 1);
    }
    out += ']';
  };
  const record = (parts: Record<string, unknown>, depth: number): void => {
    out += '{';
    let isFirst = true;
    for (const key in parts) {
      if (isFull()) break;
      if (parts[key] === undefined) continue;
      if (!isFirst) out += ',';
      isFirst = false;
      string(key);
      out += ':';
      put(parts[key], SECRET_NAME.test(key) && !OPEN_NAMES.has(key), depth + 1);
    }
    out += '}';
  };
  put(value, false, 0);
  return isFull() ? `${out.slice(0, most)}…` : out;
}
