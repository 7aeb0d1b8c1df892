import { fillArguments } from './arguments.ts';
import { readSchema, type Schema } from './schema.ts';
import { withoutQuotes } from './texts.ts';
import { wishes } from './wishes.ts';
import { meaningfulStems } from './words.ts';

/** A tool as a chat completion request offers it. */
export type ModelTool = { name: string; description: string; parameters: unknown };

export type ChosenCall = { name: string; arguments: Record<string, unknown> };

export type Choice =
  | { type: 'calls'; calls: ChosenCall[] }
  /** A tool fits, but the question leaves required parameters open. */
  | { type: 'ask'; tool: string; missing: { name: string; hint: string }[] }
  | { type: 'none' };

type Candidate = {
  tool: ModelTool;
  schema: Schema;
  name: string[];
  parameters: string[];
  description: string[];
};

/**
 * Chooses by the words of the question: one tool, several when it plainly asks for several things, or none. What it
 * asks not to do, or only asks about, chooses none.
 * The same question and tools always give the same choice.
 */
export function choose(question: string, tools: ModelTool[]): Choice {
  const candidates = tools.map(toCandidate);
  const spelled = wishes(question).replace(/(\d)\s*\+\s*(?=\d)/g, '$1 plus ');
  const parts = requests(spelled, candidates).map((part) => chooseOne(part, candidates));
  const calls = parts.flatMap((choice) => (choice.type === 'calls' ? choice.calls : []));
  return calls.length > 1 && calls.length === parts.length
    ? { type: 'calls', calls }
    : chooseOne(spelled, candidates);
}

const separator = /\s*;\s*|,?\s+(?:and|then)(?:\s+(?:also|then))?\s+/gi;

/** Splits at "and", "then" and ";", but only where what follows is a request of its own: "add 2 and 40" is one. */
function requests(question: string, candidates: Candidate[]): string[] {
  const places = [...withoutQuotes(question).matchAll(separator)];
  const parts: string[] = [];
  let start = 0;
  for (const [index, { 0: words, index: at }] of places.entries()) {
    const next = at + words.length;
    if (chooseOne(question.slice(next, places[index + 1]?.index), candidates).type === 'none') continue;
    parts.push(question.slice(start, at));
    start = next;
  }
  return [...parts, question.slice(start)];
}

function toCandidate(tool: ModelTool): Candidate {
  const schema = readSchema(tool.parameters);
  const parameters = Object.entries(schema.properties).flatMap(([name, property]) => [
    ...meaningfulStems(name),
    ...meaningfulStems((property.enum ?? []).join(' ')),
  ]);
  const described = Object.values(schema.properties).map((property) => property.description ?? '');
  return {
    tool,
    schema,
    name: meaningfulStems(plainName(tool.name)),
    parameters,
    description: meaningfulStems([tool.description, ...described].join(' ')),
  };
}

/** The name without the prefix of its server: `mcp__3__get-sum` -> `get-sum`. */
export function plainName(name: string): string {
  return name.replace(/^mcp__\d+__/, '');
}

function chooseOne(question: string, candidates: Candidate[]): Choice {
  const asked = meaningfulStems(withoutQuotes(question));
  const best = candidates
    .map((candidate) => ({ candidate, score: score(asked, candidate, candidates) }))
    .filter(({ candidate }) => fits(question, asked, candidate))
    .toSorted((one, other) => other.score - one.score)[0];
  if (!best) return { type: 'none' };
  const { tool, schema, name } = best.candidate;
  const filled = fillArguments(schema, question, name);
  if (filled.missing.length === 0)
    return { type: 'calls', calls: [{ name: tool.name, arguments: filled.values }] };
  const missing = filled.missing.map((parameter) => ({
    name: parameter,
    hint: schema.properties[parameter]?.enum?.join(', ') ?? schema.properties[parameter]?.description ?? '',
  }));
  return { type: 'ask', tool: plainName(tool.name), missing };
}

/** A word counts by where it stands in the tool, less the more tools share it; a request begins with its verb. */
function score(asked: string[], candidate: Candidate, all: Candidate[]): number {
  const verb = candidate.name.includes(asked[0] ?? '') ? 1 : 0;
  return asked.reduce((sum, word) => {
    const sharing = all.filter((other) => weight(word, other) > 0).length;
    return sum + weight(word, candidate) / Math.sqrt(Math.max(sharing, 1));
  }, verb);
}

function weight(word: string, { name, parameters, description }: Candidate): number {
  if (name.includes(word)) return 3;
  if (parameters.includes(word)) return 2;
  return description.includes(word) ? 1 : 0;
}

/**
 * Whether the question is about the tool at all: it names the tool (half the words of its name) or two things that
 * the tool speaks of, and it is not mostly about something else. What may be free text does not count as "else".
 */
function fits(question: string, asked: string[], candidate: Candidate): boolean {
  const named = candidate.name.filter((word) => asked.includes(word)).length;
  const hits = asked.filter((word) => weight(word, candidate) > 0).length;
  const isNamed = named > 0 && named >= candidate.name.length / 2;
  if (!isNamed && hits < 2) return false;
  if (named > 0 && mentionsTool(question, candidate.name)) return true;
  const first = asked[0];
  if (first !== undefined && candidate.name.includes(first) && takesText(candidate.schema)) return true;
  return hits / asked.length >= 0.4;
}

function mentionsTool(question: string, name: string[]): boolean {
  return [...question.matchAll(/([\p{L}\p{N}_-]+) tool\b/giu)].some((match) =>
    meaningfulStems(match[1] ?? '').some((word) => name.includes(word)),
  );
}

function takesText({ properties, required }: Schema): boolean {
  return required.some((name) => properties[name]?.type === 'string' && !properties[name].enum);
}
