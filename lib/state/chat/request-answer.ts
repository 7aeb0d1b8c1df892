import { isSafePattern } from '../../safe-pattern.ts';
import type { FormContent } from '../../types/request.ts';
import {
  heldBy,
  type ChoicesField,
  type FormDraft,
  type FormField,
  type NumberField,
  type TextField,
} from './request-form.ts';
import { t } from '../../../locales/texts/panel.ts';

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
    // What is at fault may be no time.
    const value = fault === null ? valueOf(field, held) : undefined;
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
  if (field.type === 'unfit') return field.required ? t(($) => $.request.unfit) : null;
  if (field.type === 'boolean') return null;
  if (field.type === 'choices') return choicesFault(field, listIn(held).length);
  const text = textIn(held);
  if (text.trim() === '') return field.required ? t(($) => $.request.required, { label: field.label }) : null;
  if (field.type === 'number') return numberFault(field, Number(text));
  return field.type === 'text' ? textFault(field, text) : null;
}

function choicesFault(
  { required, label, minItems = 0, maxItems }: ChoicesField,
  count: number,
): string | null {
  if (count === 0) return required ? t(($) => $.request.required, { label }) : null;
  if (count >= minItems && count <= (maxItems ?? count)) return null;
  if (maxItems === undefined) return t(($) => $.request.choose.least, { least: minItems });
  if (minItems === maxItems) return t(($) => $.request.choose.exactly, { most: maxItems });
  return minItems === 0
    ? t(($) => $.request.choose.most, { most: maxItems })
    : t(($) => $.request.choose.between, { least: minItems, most: maxItems });
}

function numberFault({ whole, minimum, maximum }: NumberField, value: number): string | null {
  const fits = Number.isFinite(value) && (!whole || Number.isInteger(value));
  const inside = value >= (minimum ?? value) && value <= (maximum ?? value);
  if (fits && inside) return null;
  if (minimum === undefined)
    return maximum === undefined
      ? t(($) => $.request.number.any, { whole })
      : t(($) => $.request.number.most, { whole, most: maximum });
  return maximum === undefined
    ? t(($) => $.request.number.least, { whole, least: minimum })
    : t(($) => $.request.number.between, { whole, least: minimum, most: maximum });
}

/** Characters; what is tested takes the square of them. */
const LONGEST_MATCHED = 200;

function textFault(field: TextField, text: string): string | null {
  const { minLength = 0, maxLength, pattern, format } = field;
  const length = [...text].length;
  if (length < minLength || length > (maxLength ?? length)) return lengthWords(minLength, maxLength);
  if (format && !formats[format](text)) return t(($) => $.request.formats[format]);
  // What could take for ever is left to the server.
  if (pattern === undefined || length > LONGEST_MATCHED || !isSafePattern(pattern)) return null;
  return new RegExp(pattern, 'u').test(text) ? null : t(($) => $.request.pattern, { pattern });
}

function lengthWords(least: number, most: number | undefined): string {
  if (most === undefined) return t(($) => $.request.length.least, { least });
  if (least === 0) return t(($) => $.request.length.most, { most });
  return least === most
    ? t(($) => $.request.length.exactly, { most })
    : t(($) => $.request.length.between, { least, most });
}

const isDate = (text: string): boolean => !Number.isNaN(Date.parse(text));

const formats: Record<NonNullable<TextField['format']>, (text: string) => boolean> = {
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  uri: (text) => URL.canParse(text),
  date: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && isDate(text),
  'date-time': isDate,
};
