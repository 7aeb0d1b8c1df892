import { listOf as list, recordOf as record, stringOf as text } from '../json.ts';
import type { Picture } from '../types/picture.ts';
import { joined } from './told-chat.ts';

/** What another program wrote is read field by field: what is not as it should be counts as not there. */
export { list, record, text };

/** Text, or a list of texts and `{text}`, one under the other. */
export const textsIn = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : list(value)
        .map((part) => text(part) || text(record(part)['text']))
        .filter((each) => each !== '')
        .join('\n\n');

/** As the JSON text that a call's arguments are. */
export const argumentsOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? {});

/** Below it a number is a time in seconds since 1970, above it one in milliseconds. */
const MOST_SECONDS = 100_000_000_000;

/** A time, in seconds or milliseconds since 1970 or as ISO 8601, as ISO 8601. */
export function moment(value: unknown): string | undefined {
  const ms =
    typeof value === 'number'
      ? value * (Math.abs(value) < MOST_SECONDS ? 1000 : 1)
      : typeof value === 'string'
        ? Date.parse(value)
        : Number.NaN;
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : undefined;
}

const DATA_URL = /^data:(image\/[\w.+-]{1,50});base64,/;

/** The picture in a `data:` address. */
export function pictureIn(url: unknown): Picture | undefined {
  const [head, mimeType] = DATA_URL.exec(text(url).slice(0, 100)) ?? [];
  return head && mimeType ? { mimeType, data: text(url).slice(head.length) } : undefined;
}

/** What stands between `<think>` and `</think>` as reasoning, the rest as text. */
export function thinkingIn(content: string): { text: string; reasoning: string } {
  let said = '';
  let reasoning = '';
  let at = 0;
  for (;;) {
    const start = content.indexOf('<think>', at);
    const end = start === -1 ? -1 : content.indexOf('</think>', start);
    if (end === -1) return { text: joined(said, content.slice(at).trim()), reasoning };
    said = joined(said, content.slice(at, start).trim());
    reasoning = joined(reasoning, content.slice(start + 7, end).trim());
    at = end + 8;
  }
}
