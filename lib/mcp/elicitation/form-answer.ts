import type { FormContent } from '../../types/request.ts';
import { isRecord, listOf, recordOf } from '../../json.ts';
import type { Raw } from '../content/raw.ts';

type Value = FormContent[string];

/**
 * What is sent for a form that was accepted: only what it asked for (MCP 2025-11-25, client/elicitation, "Requested
 * Schema"). Its defaults stand only where it was accepted unseen, with no content at all: in a form that was shown they
 * were filled in, and what is missing was taken out on purpose. Patterns are the server's to check: a hostile one could
 * keep a regular expression busy for ever.
 * @returns `problem`: the first thing that does not fit, as a sentence; nothing may be sent then
 */
export function fillIn(
  schema: Raw,
  filled: FormContent | undefined,
): { content: FormContent; problem?: string } {
  const properties = recordOf(schema['properties']);
  const required = new Set(listOf(schema['required']));
  const content: [string, Value][] = [];
  for (const [name, field] of Object.entries(properties)) {
    const value = filled ? own(filled, name) : defaultOf(field);
    if (value === undefined) {
      if (required.has(name)) return { content: {}, problem: `The form’s “${name}” was not filled in.` };
      continue;
    }
    const problem = misfit(field, value);
    if (problem !== undefined) return { content: {}, problem: `The form’s “${name}” ${problem}.` };
    content.push([name, value]);
  }
  return { content: Object.fromEntries(content) };
}

const own = (filled: FormContent, name: string): Value | undefined =>
  Object.hasOwn(filled, name) ? filled[name] : undefined;

/** A default that does not fit its own field is none. */
function defaultOf(field: unknown): Value | undefined {
  if (!isRecord(field) || !isValue(field['default'])) return undefined;
  return misfit(field, field['default']) === undefined ? field['default'] : undefined;
}

function isValue(value: unknown): value is Value {
  if (Array.isArray(value)) return value.every((each) => typeof each === 'string');
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

function misfit(field: unknown, value: Value): string | undefined {
  if (!isRecord(field)) return undefined;
  switch (field['type']) {
    case 'string':
      return typeof value === 'string' ? misfitText(field, value) : 'must be text';
    case 'number':
    case 'integer':
      return misfitNumber(field, value);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'array':
      return Array.isArray(value) ? misfitList(field, value) : 'must be a list';
    default:
      return undefined;
  }
}

function misfitText(field: Raw, value: string): string | undefined {
  const choices = choicesOf(field);
  if (choices) return choices.has(value) ? undefined : 'is not one of the choices';
  // JSON Schema counts characters, not UTF-16 units.
  return outside([...value].length, field['minLength'], field['maxLength'], 'characters');
}

function misfitNumber(field: Raw, value: Value): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
  if (field['type'] === 'integer' && !Number.isInteger(value)) return 'must be a whole number';
  return outside(value, field['minimum'], field['maximum'], '');
}

function misfitList(field: Raw, value: string[]): string | undefined {
  const choices = isRecord(field['items']) ? choicesOf(field['items']) : undefined;
  if (choices && !value.every((each) => choices.has(each))) return 'holds what is not one of the choices';
  return outside(value.length, field['minItems'], field['maxItems'], 'choices');
}

function outside(measure: number, least: unknown, most: unknown, unit: string): string | undefined {
  if (typeof least === 'number' && measure < least) return `must be at least ${least} ${unit}`.trimEnd();
  if (typeof most === 'number' && measure > most) return `must be at most ${most} ${unit}`.trimEnd();
  return undefined;
}

/** What may be chosen: `enum`, or the constants of `oneOf` or `anyOf`, which carry titles; those without tell kinds apart. */
function choicesOf(field: Raw): Set<unknown> | undefined {
  if (Array.isArray(field['enum'])) return new Set(field['enum']);
  const titled = field['oneOf'] ?? field['anyOf'];
  if (!Array.isArray(titled)) return undefined;
  const choices = titled.filter(isRecord).filter((choice) => 'const' in choice);
  return choices.length > 0 ? new Set(choices.map((choice) => choice['const'])) : undefined;
}
