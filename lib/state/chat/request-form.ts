import { visible } from '../shown-text.ts';
import { listOf, recordOf, stringOf } from '../../json.ts';

export type FormOption = { value: string; label: string };

type FieldBase = { name: string; label: string; help: string; required: boolean };
export type TextField = FieldBase & {
  type: 'text';
  format?: 'email' | 'uri' | 'date' | 'date-time';
  minLength?: number;
  maxLength?: number;
  pattern?: string;
};
export type NumberField = FieldBase & { type: 'number'; whole: boolean; minimum?: number; maximum?: number };
export type ChoicesField = FieldBase & {
  type: 'choices';
  options: FormOption[];
  minItems?: number;
  maxItems?: number;
};

/** One question of a server's form. `unfit`: of a kind that forms do not have (spec 2025-11-25, client/elicitation), or such that no answer would do. */
export type FormField =
  | TextField
  | NumberField
  | ChoicesField
  | (FieldBase & { type: 'boolean' | 'unfit' })
  | (FieldBase & { type: 'choice'; options: FormOption[] });

/** What the fields hold by name: a text (of a number, a date or a choice too), a tick, or the choices made. */
export type FormDraft = Record<string, string | boolean | string[]>;

/** What the draft holds for a field, whatever the field's name. */
export const heldBy = (draft: FormDraft, name: string): FormDraft[string] | undefined =>
  Object.hasOwn(draft, name) ? draft[name] : undefined;

export const withHeld = (draft: FormDraft, name: string, value: FormDraft[string]): FormDraft =>
  Object.fromEntries([...Object.entries(draft), [name, value]]);

type Schema = Record<string, unknown>;

/** The questions of a flat JSON schema of primitive properties, in its order. The schema is a server's: anything may be in it. */
export function fieldsOf(schema: Record<string, unknown>): FormField[] {
  const required = listOf(schema['required']);
  return Object.entries(recordOf(schema['properties'])).map(([name, property]) =>
    fieldOf(name, recordOf(property), required.includes(name)),
  );
}

function fieldOf(name: string, schema: Schema, required: boolean): FormField {
  const base: FieldBase = {
    name,
    label: visible(stringOf(schema['title']) || name),
    help: visible(stringOf(schema['description'])),
    required,
  };
  if (isUnanswerable(schema)) return { ...base, type: 'unfit' };
  const options = optionsOf(schema);
  if (options.length > 0) return { ...base, type: 'choice', options };
  switch (schema['type']) {
    case 'boolean':
      return { ...base, type: 'boolean' };
    case 'number':
    case 'integer':
      return {
        ...base,
        type: 'number',
        whole: schema['type'] === 'integer',
        ...numbersOf(schema, ['minimum', 'maximum']),
      };
    case 'array': {
      const several = optionsOf(recordOf(schema['items']));
      const bounds = numbersOf(schema, ['minItems', 'maxItems']);
      if (several.length < Math.max(1, bounds.minItems ?? 1)) return { ...base, type: 'unfit' };
      return { ...base, type: 'choices', options: several, ...bounds };
    }
    case 'string':
    case undefined:
      return { ...base, type: 'text', ...textRules(schema) };
    default:
      return { ...base, type: 'unfit' };
  }
}

const BOUNDS = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
] as const;

/** Bounds that leave nothing between them, or choices none of which is a text. */
function isUnanswerable(schema: Schema): boolean {
  const isText = schema['type'] === 'string' || schema['type'] === undefined;
  const isEmpty = isText && Array.isArray(schema['enum']) && optionsOf(schema).length === 0;
  const isCrossed = BOUNDS.some((names) => {
    const [least = -Infinity, most = Infinity] = names.map((name) => numbersOf(schema, [name])[name]);
    const first = schema['type'] === 'integer' ? Math.ceil(least) : least;
    return first > most;
  });
  return isEmpty || isCrossed;
}

function textRules(schema: Schema): Partial<TextField> {
  const format = (['email', 'uri', 'date', 'date-time'] as const).find((known) => known === schema['format']);
  const pattern = schema['pattern'];
  return {
    ...(format && { format }),
    ...(typeof pattern === 'string' && { pattern }),
    ...numbersOf(schema, ['minLength', 'maxLength']),
  };
}

function numbersOf<K extends string>(schema: Schema, names: K[]): { [Name in K]?: number } {
  const given = names.filter((name) => typeof schema[name] === 'number');
  return Object.fromEntries(given.map((name) => [name, schema[name]])) as { [Name in K]?: number };
}

/** `enum` with `enumNames`, or `oneOf`/`anyOf` of `const` and `title`. */
function optionsOf(schema: Schema): FormOption[] {
  const names = listOf(schema['enumNames']);
  const plain = listOf(schema['enum']).map((value, position) => ({ value, title: names[position] }));
  const titled = [...listOf(schema['oneOf']), ...listOf(schema['anyOf'])].map((each) => ({
    value: recordOf(each)['const'],
    title: recordOf(each)['title'],
  }));
  return [...plain, ...titled].flatMap(({ value, title }) =>
    typeof value === 'string' ? [{ value, label: visible(beginning(stringOf(title) || value)) }] : [],
  );
}

/** Characters of a default or a choice; a list or a field of more may take a browser minutes to lay out. */
const LONGEST = 5_000;

const beginning = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

/** The fields as they begin: with the schema's defaults, where they fit. */
export function draftOfForm(schema: Record<string, unknown>): FormDraft {
  const properties = recordOf(schema['properties']);
  return Object.fromEntries(
    fieldsOf(schema).map((field) => [field.name, begun(field, recordOf(properties[field.name])['default'])]),
  );
}

function begun(field: FormField, given: unknown): string | boolean | string[] {
  switch (field.type) {
    case 'boolean':
      return given === true;
    case 'choices':
      return field.options.map(({ value }) => value).filter((value) => listOf(given).includes(value));
    case 'choice':
      return field.options.find(({ value }) => value === given)?.value ?? '';
    case 'number':
      return typeof given === 'number' ? String(given) : '';
    case 'text':
      if (stringOf(given).length > LONGEST) return '';
      return field.format === 'date-time' ? localTime(stringOf(given)) : stringOf(given);
    default:
      return '';
  }
}

/** An RFC 3339 time as a datetime-local field has it; empty when it is none, also not in this zone. */
function localTime(text: string): string {
  const at = new Date(text);
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  if (text === '' || Number.isNaN(local.getTime())) return '';
  return local.toISOString().slice(0, at.getUTCSeconds() > 0 ? 19 : 16);
}
