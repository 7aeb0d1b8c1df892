import type { Effects } from '../dom/effects.ts';
import type { Press } from './press.ts';

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
  /** What of it was asked about. Never a model's word. */
  may?: Effects;
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

const isText = (value: unknown): boolean => typeof value === 'string';
const isFlag = (value: unknown): boolean => typeof value === 'boolean';

const KINDS: Record<string, (value: unknown) => boolean> = {
  ref: isText,
  from: isText,
  to: isText,
  text: isText,
  key: isText,
  clear: isFlag,
  submit: isFlag,
  checked: isFlag,
  fields: (value) =>
    Array.isArray(value) &&
    value.every((field: unknown) => isText(Object(field)['ref']) && isText(Object(field)['value'])),
  values: (value) => Array.isArray(value) && value.every(isText),
};

/** The first argument that is not of its kind: what a call is judged by takes these for granted, as what acts on them does. */
export const misfitIn = (args: Record<string, unknown>): string | undefined =>
  Object.keys(KINDS).find((name) => args[name] !== undefined && !KINDS[name]?.(args[name]));
