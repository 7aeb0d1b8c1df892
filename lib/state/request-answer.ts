import { en } from '../../locales/en-late.ts';
import { isSafePattern } from '../safe-pattern.ts';
import type { FormContent } from '../types/request.ts';
import {
  heldBy,
  type ChoicesField,
  type FormDraft,
  type FormField,
  type NumberField,
  type TextField,
} from './request-form.ts';

/** What is wrong with each field, in a sentence, by its name. */
export type FormFaults = ReadonlyMap<string, string>;

/** The answers as they are sent, without the fields that were left empty, and what keeps them from being sent. */
export function readForm(
  fields: FormField[],
  draft: FormDraft,
): { content: FormContent; faults: FormFaults } {
  // A server may name a field as objects name what they inherit, such as `constructor` or `__proto__`.
  const content: [string, FormContent[string]][] = [];
  const faults = new Map<string, string>();
  for (const field of fields) {
    const held = heldBy(draft, field.name);
    const fault = faultOf(field, held);
    const value = valueOf(field, held);
    if (fault !== null) faults.set(field.name, fault);
    else if (value !== undefined) content.push([field.name, value]);
  }
  return { content: Object.fromEntries(content), faults };
}

const textIn = (held: FormDraft[string] | undefined): string => (typeof held === 'string' ? held : '');
const listIn = (held: FormDraft[string] | undefined): string[] => (Array.isArray(held) ? held : []);

function valueOf(field: FormField, held: FormDraft[string] | undefined): FormContent[string] | undefined {
  if (field.type === 'boolean') return held === true;
  if (field.type === 'choices') {
    const chosen = listIn(held);
    return chosen.length === 0 && !field.required ? undefined : chosen;
  }
  const text = textIn(held);
  if (text.trim() === '' || field.type === 'unfit') return undefined;
  if (field.type === 'number') return Number(text);
  return field.type === 'text' && field.format === 'date-time' ? new Date(text).toISOString() : text;
}

function faultOf(field: FormField, held: FormDraft[string] | undefined): string | null {
  if (field.type === 'unfit') return field.required ? en.request.unfit : null;
  if (field.type === 'boolean') return null;
  if (field.type === 'choices') return choicesFault(field, listIn(held).length);
  const text = textIn(held);
  if (text.trim() === '') return field.required ? en.request.required(field.label) : null;
  if (field.type === 'number') return numberFault(field, Number(text));
  return field.type === 'text' ? textFault(field, text) : null;
}

function choicesFault(
  { required, label, minItems = 0, maxItems }: ChoicesField,
  count: number,
): string | null {
  if (count === 0) return required ? en.request.required(label) : null;
  if (count >= minItems && count <= (maxItems ?? count)) return null;
  return en.request.choose(minItems, maxItems);
}

function numberFault({ whole, minimum, maximum }: NumberField, value: number): string | null {
  const fits = Number.isFinite(value) && (!whole || Number.isInteger(value));
  const inside = value >= (minimum ?? value) && value <= (maximum ?? value);
  return fits && inside ? null : en.request.number(whole, minimum, maximum);
}

function textFault(field: TextField, text: string): string | null {
  const { minLength = 0, maxLength, pattern, format } = field;
  const length = [...text].length;
  if (length < minLength || length > (maxLength ?? length)) return en.request.length(minLength, maxLength);
  if (format && !formats[format](text)) return en.request.formats[format];
  // One that could take for ever is left to the server.
  if (pattern === undefined || !isSafePattern(pattern)) return null;
  return new RegExp(pattern, 'u').test(text) ? null : en.request.pattern(pattern);
}

const isDate = (text: string): boolean => !Number.isNaN(Date.parse(text));

const formats: Record<NonNullable<TextField['format']>, (text: string) => boolean> = {
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  uri: (text) => URL.canParse(text),
  date: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && isDate(text),
  'date-time': isDate,
};
