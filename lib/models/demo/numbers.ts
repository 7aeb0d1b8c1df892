import type { Schema } from './schema.ts';
import { meaningfulStems } from './words.ts';

/** A number in the question. `owner` is the parameter that the words around it name; each is given out once. */
export type WrittenNumber = {
  value: number;
  label: string;
  around: Set<string>;
  owner?: string;
  taken: boolean;
};

/** Every number written in digits, except those inside a word (`banana7`). `1,000` is one thousand. */
export function writtenNumbers(question: string): WrittenNumber[] {
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
export function assignNumbers(schema: Schema, numbers: WrittenNumber[]): void {
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

export function isNumeric(schema: Schema): boolean {
  return schema.type === 'number' || schema.type === 'integer';
}

/** The parameter's own number, or for a required one the next free one; undefined when it breaks the schema. */
export function takeNumber(
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
