import type { PromptArgument } from './types/offer.ts';

/** One variable of a template, and how its value is written. */
type Variable = { name: string; explode: boolean; prefix?: number };
type Expression = { operator: Operator; variables: Variable[] };
/** RFC 6570, appendix A: what stands before, between and around values, and whether reserved characters stay. */
type Operator = { first: string; between: string; named: boolean; ifEmpty: string; keepsReserved: boolean };

const plain: Operator = { first: '', between: ',', named: false, ifEmpty: '', keepsReserved: false };
const OPERATORS: Record<string, Operator> = {
  '+': { ...plain, keepsReserved: true },
  '#': { ...plain, first: '#', keepsReserved: true },
  '.': { ...plain, first: '.', between: '.' },
  '/': { ...plain, first: '/', between: '/' },
  ';': { ...plain, first: ';', between: ';', named: true },
  '?': { ...plain, first: '?', between: '&', named: true, ifEmpty: '=' },
  '&': { ...plain, first: '&', between: '&', named: true, ifEmpty: '=' },
};
const EXPRESSION = /\{([+#./;?&]?)([^{}]*)\}/g;
const VARIABLE = /^([\w.%-]+?)(?::(\d{1,4})|(\*))?$/;

/** The names of a template's variables, each once, in order. What is no expression of RFC 6570 has none. */
export function templateVariables(uriTemplate: string): string[] {
  const names = [...uriTemplate.matchAll(EXPRESSION)].flatMap((match) =>
    expressionOf(match[1], match[2]).variables.map(({ name }) => name),
  );
  return [...new Set(names)];
}

/** What a template wants filled in. What stands behind an operator (query, path, fragment) may be left out (RFC 6570, 3.2). */
export function templateArguments(uriTemplate: string): PromptArgument[] {
  const needed = templateVariables(uriTemplate.replace(/\{[?&/;.#][^{}]*\}/g, ''));
  return templateVariables(uriTemplate).map((name) => ({
    name,
    description: '',
    required: needed.includes(name),
  }));
}

/**
 * The URI that a template stands for (RFC 6570, level 4, without maps). What is absent or empty is left out. The text of
 * an exploded variable (`{/path*}`) may hold several values, divided as they will be written (`src/lib`); a list is
 * taken as it is.
 */
export function expandTemplate(uriTemplate: string, values: Record<string, string | string[]>): string {
  return uriTemplate.replaceAll(EXPRESSION, (_all, operator: string, list: string) => {
    const expression = expressionOf(operator, list);
    const { first, between } = expression.operator;
    const parts = expression.variables.flatMap((variable) => {
      const value = Object.hasOwn(values, variable.name) ? values[variable.name] : undefined;
      return expand(variable, expression.operator, value);
    });
    return parts.length > 0 ? first + parts.join(between) : '';
  });
}

function expressionOf(operator = '', list = ''): Expression {
  const variables = list.split(',').flatMap((text): Variable[] => {
    const [, name, prefix, star] = VARIABLE.exec(text.trim()) ?? [];
    if (name === undefined) return [];
    return [{ name, explode: star !== undefined, ...(prefix !== undefined && { prefix: Number(prefix) }) }];
  });
  return { operator: OPERATORS[operator] ?? plain, variables };
}

function expand(
  { name, explode, prefix }: Variable,
  { between, named, ifEmpty, keepsReserved }: Operator,
  value: string | string[] | undefined,
): string[] {
  const given = [value ?? []].flat();
  const whole = explode && !Array.isArray(value) ? given.flatMap((text) => text.split(between)) : given;
  const kept = whole.filter((text) => text !== '');
  if (kept.length === 0) return [];
  const written = kept.map((text) => encoded([...text].slice(0, prefix).join(''), keepsReserved));
  const label = (text: string): string => (named ? `${name}${text === '' ? ifEmpty : `=${text}`}` : text);
  return explode ? written.map(label) : [label(written.join(','))];
}

/** Percent-encoded but for unreserved characters and, where they stay, reserved ones and what is encoded already. */
function encoded(text: string, keepsReserved: boolean): string {
  const allowed = keepsReserved ? /%[0-9a-f]{2}|[\w.~:/?#[\]@!$&'()*+,;=-]+/gi : /[\w.~-]+/gi;
  let out = '';
  let end = 0;
  for (const match of text.matchAll(allowed)) {
    out += percent(text.slice(end, match.index)) + match[0];
    end = match.index + match[0].length;
  }
  return out + percent(text.slice(end));
}

function percent(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return Array.from(bytes, (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}
