/**
 * What an imported file asked for as a password stands in a server's settings as `${input:api-key}`, by the question's id,
 * and is kept with its secrets.
 */
export type Answers = Readonly<Record<string, string>>;

const REFERENCE = /\$\{([^{}]*)\}/g;

/** The text with the answers in it, each put in once: one that looks like a reference is none. What is no reference stays. */
export function withAnswers(text: string, answers: Answers): string {
  return text.replace(REFERENCE, (written, id: string) =>
    Object.hasOwn(answers, id) ? (answers[id] ?? '') : written,
  );
}

/** Scheme and host of an address, or the reference that stands for them. */
export const placeIn = (url: string): string => /^(?:https?:\/\/|\$\{[^{}]*\})[^/?#]*/i.exec(url)?.[0] ?? url;

/** An address with the answers in it. Behind the host each is what the server is to read, whatever signs are in it. */
export function addressWith(url: string, answers: Answers): string {
  const place = placeIn(url);
  const rest = url.slice(place.length);
  const put = (written: string, id: string, at: number): string =>
    Object.hasOwn(answers, id) ? encoded(answers[id] ?? '', rest.slice(0, at)) : written;
  return withAnswers(place, answers) + rest.replace(REFERENCE, put);
}

/** @param before what stands before it in path and query: where a parameter begins, it may be several of them */
function encoded(value: string, before: string): string {
  const parameter = Math.max(before.lastIndexOf('?'), before.lastIndexOf('&'));
  if (parameter !== -1 && !before.includes('=', parameter)) return value;
  return before.includes('?') ? inQuery(value) : inPath(value);
}

/** Unlike encodeURIComponent it takes half of a character too. */
export const inQuery = (value: string): string =>
  new URLSearchParams({ v: value }).toString().slice(2).replaceAll('+', '%20');

/** As above, but for the slashes: an answer may be several steps of a path. */
export const inPath = (value: string): string => inQuery(value).replaceAll('%2F', '/');

/** The text as it is meant; as it stands where it is not encoded, or not in UTF-8. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether the answer to a question belongs into the text. */
export const needsAnswer = (text: string, id: string): boolean => text.includes(`\${${id}}`);
