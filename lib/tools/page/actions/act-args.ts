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
  /** The call was allowed to press what opens a file input. Never a model's word. */
  mayPress?: boolean;
  key?: string;
  direction?: 'up' | 'down' | 'left' | 'right';
  amount?: number;
} & Partial<Press>;

/** Names that Enter has beside its own. */
const ENTER = /^\s*(numpad)?(enter|return)\s*$|^[\r\n]+$/i;

/** The key of `a` or `Control+a`, as browsers call it. */
export function keyIn(named: string): string {
  const last = (named.length > 1 && named.split('+').pop()) || named.slice(-1);
  if (ENTER.test(last)) return 'Enter';
  return last === 'Space' ? ' ' : last;
}

/** The references that it names, of the element that is acted on first. */
export function refsIn({ ref, fields, from, to }: ActArgs): string[] {
  const named = Array.isArray(fields) ? fields.map((field: unknown) => Object(field)['ref']) : [];
  return [ref, ...named, from, to].filter((each) => typeof each === 'string');
}
