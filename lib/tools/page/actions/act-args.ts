import type { Press } from './pointer.ts';

/** A file on its way into a page; `data` in base64. */
export type SentFile = { name: string; mimeType: string; data: string };

/** What an action is given, by a model, or by the user who edits it. */
export type ActArgs = {
  ref?: string;
  fields?: { ref: string; value: string }[];
  from?: string;
  to?: string;
  text?: string;
  clear?: boolean;
  submit?: boolean;
  checked?: boolean;
  value?: number;
  values?: string[];
  files?: SentFile[];
  key?: string;
  direction?: 'up' | 'down' | 'left' | 'right';
  amount?: number;
} & Partial<Press>;

/** The references that it names, of the element that is acted on first. */
export function refsIn({ ref, fields, from, to }: ActArgs): string[] {
  const named = Array.isArray(fields) ? fields.map((field: unknown) => Object(field)['ref']) : [];
  return [ref, ...named, from, to].filter((each) => typeof each === 'string');
}
