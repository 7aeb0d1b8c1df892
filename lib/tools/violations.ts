import type { OutputUnit } from '@cfworker/json-schema';
import { isRecord } from '../json.ts';

type Lookup = Record<string, unknown>;

const MOST = 3;
const LONGEST_VALUE = 60;

/** Units that only say that something beneath them is wrong. */
const wrappers = new Set(
  (
    '$ref $recursiveRef properties patternProperties additionalProperties unevaluatedProperties propertyNames ' +
    'prefixItems items additionalItems unevaluatedItems allOf if dependentSchemas'
  ).split(' '),
);
const choices = new Set(['anyOf', 'oneOf']);

/** The first few of a validator's findings as one sentence for the user and the model. */
export function describeViolations(
  errors: OutputUnit[],
  schema: Record<string, unknown>,
  lookup: Lookup,
  args: unknown,
): string {
  const tops = topmost(errors);
  const sentences = tops.slice(0, MOST).map((unit) => {
    const wanted = at(schema, unit.keywordLocation, lookup);
    const value = at(args, unit.instanceLocation, {});
    const beneath = choices.has(unit.keyword) ? under(unit, errors) : [];
    return describe(unit, wanted, value, typesOf(beneath, unit, schema, lookup));
  });
  const more = tops.length - MOST;
  return [...new Set(sentences), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/**
 * Those that say what is wrong, without what stands under a choice: that one form or another does not fit is the
 * choice's to say. The validator puts a choice right before what it found beneath it.
 */
function topmost(errors: OutputUnit[]): OutputUnit[] {
  let choice: string | undefined;
  return errors.filter(({ keyword, keywordLocation }) => {
    if (wrappers.has(keyword)) return false;
    if (choice !== undefined && keywordLocation.startsWith(choice)) return false;
    if (choices.has(keyword)) choice = `${keywordLocation}/`;
    return true;
  });
}

function under(choice: OutputUnit, errors: OutputUnit[]): OutputUnit[] {
  return errors.filter(
    ({ keywordLocation, instanceLocation }) =>
      keywordLocation.startsWith(`${choice.keywordLocation}/`) &&
      `${instanceLocation}/`.startsWith(`${choice.instanceLocation}/`),
  );
}

/** When every form of a choice fails by its type alone, the types that would do. */
function typesOf(
  beneath: OutputUnit[],
  choice: OutputUnit,
  schema: Record<string, unknown>,
  lookup: Lookup,
): unknown[] {
  const leaves = beneath.filter(({ keyword }) => !wrappers.has(keyword));
  const onlyTypes = leaves.every(
    ({ keyword, instanceLocation }) => keyword === 'type' && instanceLocation === choice.instanceLocation,
  );
  return onlyTypes ? leaves.flatMap((leaf) => at(schema, leaf.keywordLocation, lookup)) : [];
}

function describe(
  { keyword, instanceLocation, error }: OutputUnit,
  wanted: unknown,
  value: unknown,
  types: unknown[],
): string {
  const path = pathOf(instanceLocation);
  const subject = path === '' ? 'the arguments' : `\`${path}\``;
  const but = `but ${path === '' ? 'are' : 'is'} ${shown(value)}`;
  switch (keyword) {
    case 'required':
      return `${missing(path, error)} is missing`;
    case 'false':
      return `${subject} is not a known property`;
    case 'type':
      return `${subject} must be ${anyOfTypes([wanted].flat())}, ${but}`;
    case 'anyOf':
    case 'oneOf':
      return types.length > 0
        ? `${subject} must be ${anyOfTypes(types)}, ${but}`
        : `${subject} does not fit ${keyword === 'anyOf' ? 'any' : 'exactly one'} of the forms that it may have`;
    case 'enum':
      return `${subject} must be one of ${shown(wanted, 300).replace(/^\[|\]$/g, '')}, ${but}`;
    case 'const':
      return `${subject} must be ${shown(wanted)}, ${but}`;
    case 'minimum':
      return `${subject} must be at least ${shown(wanted)}, ${but}`;
    case 'maximum':
      return `${subject} must be at most ${shown(wanted)}, ${but}`;
    case 'pattern':
      return `${subject} must match the pattern ${shown(wanted, 200)}, ${but}`;
    default:
      return `${subject}: ${error.replace(/^Instance/, 'It').replace(/\.$/, '')}`;
  }
}

/** The validator names what is missing in its sentence only. */
function missing(path: string, error: string): string {
  const name = /^Instance does not have required property "([^]*)"\.$/.exec(error)?.[1] ?? 'a property';
  return `\`${path === '' ? name : `${path}.${name}`}\``;
}

function anyOfTypes(types: unknown[]): string {
  const named = [...new Set(types.map(String))].map((type) =>
    type === 'null' ? 'null' : `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`,
  );
  return named.length < 2 ? named.join('') : `${named.slice(0, -1).join(', ')} or ${named.at(-1)}`;
}

function shown(value: unknown, longest = LONGEST_VALUE): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

function segments(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** `#/items/0/name` -> `items[0].name` */
function pathOf(pointer: string): string {
  return segments(pointer).reduce((path, part) => {
    if (/^\d+$/.test(part)) return `${path}[${part}]`;
    return path === '' ? part : `${path}.${part}`;
  }, '');
}

/** What stands at a pointer, on through references. */
function at(root: unknown, pointer: string, lookup: Lookup): unknown {
  return segments(pointer).reduce<unknown>((part, key) => {
    if (Array.isArray(part)) return part[Number(key)];
    if (!isRecord(part) || !Object.hasOwn(part, key)) return undefined;
    return key === '$ref' ? lookup[String(part['__absolute_ref__'] ?? part['$ref'])] : part[key];
  }, root);
}
