import type { Schema } from './schema.ts';
import { takeText, writtenTexts, type WrittenTexts } from './texts.ts';
import { meaningfulStems } from './words.ts';

export type Filled = { values: Record<string, unknown>; missing: string[] };

/** What one question offers to fill parameters with. */
type Material = { question: string; numbers: WrittenNumber[]; texts: WrittenTexts; verbs: string[] };

/**
 * Fills a tool's arguments from the words of a question: required parameters, and optional ones that it clearly
 * speaks of. `missing` names the required ones that it leaves open.
 * @param verbs stems of the tool's name, after which a free text may come: "echo X"
 */
export function fillArguments(schema: Schema, question: string, verbs: string[]): Filled {
  return fillObject(schema, {
    question,
    verbs,
    numbers: writtenNumbers(question),
    texts: writtenTexts(question),
  });
}

function fillObject(schema: Schema, material: Material): Filled {
  assignNumbers(schema, material.numbers);
  const filled: Filled = { values: {}, missing: [] };
  for (const [name, property] of Object.entries(schema.properties)) {
    const required = schema.required.includes(name);
    const value = fill(name, property, required, material);
    if (value !== undefined) filled.values[name] = value;
    else if (required) filled.missing.push(name);
  }
  return filled;
}

function fill(name: string, schema: Schema, required: boolean, material: Material): unknown {
  const { question, numbers, texts, verbs } = material;
  if (schema.enum) return mentioned(schema.enum, question)[0];
  if (isNumeric(schema)) return takeNumber(name, schema, numbers, required);
  if (schema.type === 'boolean') return writtenBoolean(name, question, required);
  if (!required && !namesParameter(name, question)) return undefined;
  if (schema.type === 'string') return takeText(name, schema.format, texts, verbs);
  if (schema.type === 'array' && schema.items) return fillList(name, schema.items, material);
  if (schema.type !== 'object') return undefined;
  const inner = fillObject(schema, material);
  return inner.missing.length === 0 ? inner.values : undefined;
}

/** The values of an enum that the question names, in the order of the question. */
function mentioned(values: unknown[], question: string): unknown[] {
  const text = plainWords(question);
  return values
    .map((value) => ({ value, at: text.indexOf(plainWords(String(value))) }))
    .filter(({ at }) => at >= 0)
    .toSorted((one, other) => one.at - other.at)
    .map(({ value }) => value);
}

/** Lower case, one space around each word, so that whole words can be looked for. */
function plainWords(text: string): string {
  return ` ${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `.replace(/ +/g, ' ');
}

function namesParameter(name: string, question: string): boolean {
  const words = meaningfulStems(name);
  const asked = new Set(meaningfulStems(question));
  return words.length > 0 && words.every((word) => asked.has(word));
}

function writtenBoolean(name: string, question: string, required: boolean): boolean | undefined {
  const asked = new Set(meaningfulStems(question));
  if (meaningfulStems(name).some((word) => asked.has(word)))
    return !/\b(?:no|not|without|don't)\b/i.test(question);
  const plain = /\b(yes|true|no|false)\b/i.exec(question)?.[1]?.toLowerCase();
  return required && plain ? plain === 'yes' || plain === 'true' : undefined;
}

function fillList(
  name: string,
  item: Schema,
  { question, numbers, texts, verbs }: Material,
): unknown[] | undefined {
  const list = item.enum
    ? mentioned(item.enum, question)
    : isNumeric(item)
      ? numbers.filter((number) => number.owner === undefined && !number.taken).map((number) => number.value)
      : item.type === 'string'
        ? textList(name, texts, verbs)
        : [];
  return list.length > 0 ? list : undefined;
}

function textList(name: string, texts: WrittenTexts, verbs: string[]): string[] {
  if (texts.quoted.length > 0) return texts.quoted.splice(0);
  const text = takeText(name, undefined, texts, verbs);
  return text?.split(/\s*(?:,|\band\b)\s*/).filter((part) => part !== '') ?? [];
}

/** A number in the question. `owner` is the parameter that the words around it name; each is given out once. */
type WrittenNumber = {
  value: number;
  label: string;
  around: Set<string>;
  owner?: string;
  taken: boolean;
};

/** Every number written in digits, except those inside a word (`banana7`). `1,000` is one thousand. */
function writtenNumbers(question: string): WrittenNumber[] {
  return [...question.matchAll(/(?<![\w.-])-?\d+(?:,\d{3})*(?:\.\d+)?(?!\w)/g)].map((match) => {
    const before = question.slice(0, match.index);
    const after = question.slice(match.index + match[0].length);
    return {
      value: Number(match[0].replaceAll(',', '')),
      label: /([\w-]+)\s*[=:]\s*$/.exec(before)?.[1] ?? '',
      around: new Set([
        ...meaningfulStems(before.split(/\s+/).slice(-2).join(' ')),
        ...meaningfulStems(after.split(/\s+/).slice(0, 2).join(' ')),
      ]),
      taken: false,
    };
  });
}

/** "a=2" and "3 steps" name their parameters; "2 seconds" the one whose description speaks of seconds. */
function assignNumbers(schema: Schema, numbers: WrittenNumber[]): void {
  const numeric = Object.entries(schema.properties).filter(([, property]) => isNumeric(property));
  const signs: ((name: string, property: Schema, number: WrittenNumber) => boolean)[] = [
    (name, _, number) => number.label === name,
    (name, _, number) => meaningfulStems(name).some((word) => number.around.has(word)),
    (_, { description }, number) =>
      meaningfulStems(description ?? '').some((word) => number.around.has(word)),
  ];
  for (const sign of signs) {
    for (const [name, property] of numeric) {
      if (numbers.some((number) => number.owner === name)) continue;
      const found = numbers.find((number) => number.owner === undefined && sign(name, property, number));
      if (found) found.owner = name;
    }
  }
}

function isNumeric(schema: Schema): boolean {
  return schema.type === 'number' || schema.type === 'integer';
}

/** The parameter's own number, or for a required one the next free one; undefined when it breaks the schema. */
function takeNumber(
  name: string,
  schema: Schema,
  numbers: WrittenNumber[],
  required: boolean,
): number | undefined {
  const found =
    numbers.find((number) => number.owner === name) ??
    (required ? numbers.find((number) => number.owner === undefined && !number.taken) : undefined);
  if (!found) return undefined;
  found.taken = true;
  const { value } = found;
  if (schema.type === 'integer' && !Number.isInteger(value)) return undefined;
  return value >= (schema.minimum ?? -Infinity) && value <= (schema.maximum ?? Infinity) ? value : undefined;
}
