import { meaningfulStems } from './words.ts';

/** The free texts of one question. Each is given out once, so that two parameters never get the same one. */
export type WrittenTexts = { question: string; quoted: string[]; spent: boolean };

const quotes = /"([^"]+)"|“([^”]+)”|(?<!\w)'([^']+)'(?!\w)|`([^`]+)`/g;

/** The question with its quoted texts blanked out, every other character in its place. */
export function withoutQuotes(question: string): string {
  return question.replace(quotes, (quoted) => ' '.repeat(quoted.length));
}

/** @param question as the user wrote it */
export function writtenTexts(question: string): WrittenTexts {
  const quoted = [...question.matchAll(quotes)].map(
    (match) => match.slice(1).find((text) => text !== undefined) ?? '',
  );
  return { question, quoted, spent: false };
}

/**
 * The text meant for one parameter, from the plainest sign to the weakest: quotes, "name: X", "the word X", a closing
 * ": X", "the phrase X", what follows the tool's verb, a proper name.
 * @param verbs stems of the tool's name
 */
export function takeText(
  name: string,
  format: string | undefined,
  texts: WrittenTexts,
  verbs: string[],
): string | undefined {
  const { question } = texts;
  if (format === 'uri') return /\b(?:https?|data):\S+/.exec(question)?.[0];
  const quoted = texts.quoted.shift();
  if (quoted !== undefined) {
    texts.spent = true;
    return quoted;
  }
  const labelled = new RegExp(`\\b${name.replace(/\W/g, '\\$&')}\\s*[=:]\\s*(\\S+)`, 'i').exec(question)?.[1];
  if (labelled !== undefined) return labelled;
  if (texts.spent) return undefined;
  const text = freeText(question, verbs);
  const found = /path/i.test(name) ? text?.replace(/^(?:the )?(?:file|folder|directory) (?=\S)/i, '') : text;
  texts.spent = found !== undefined;
  return found;
}

function freeText(question: string, verbs: string[]): string | undefined {
  const closing = /\S:\s+(.+)$/s.exec(question)?.[1]?.trim();
  const word = /\bthe word\s+(\S+?)[.!?,]*(?:\s|$)/i.exec(question)?.[1];
  const kinds = 'phrase|text|sentence|words|message|topic|prompt';
  const phrase = new RegExp(`\\b(?:the )?(?:${kinds})\\s+(.+?)[.!?]*$`, 'is').exec(question)?.[1];
  const isQuestion = /^\W*(?:what|when|where|which|who|how|is|are)\b/i.test(question);
  const rest = isQuestion
    ? (properName(question) ?? afterVerb(question, verbs))
    : (afterVerb(question, verbs) ?? properName(question));
  return closing ?? word ?? (phrase && withoutTool(phrase)) ?? rest;
}

/** "Echo good morning" -> "good morning". */
function afterVerb(question: string, verbs: string[]): string | undefined {
  const verb = [...question.matchAll(/[\p{L}\p{N}_-]+/gu)].find((word) =>
    meaningfulStems(word[0]).some((stemmed) => verbs.includes(stemmed)),
  );
  if (!verb) return undefined;
  const rest = withoutTool(question.slice(verb.index + verb[0].length))
    .replace(/^\s*(?:tool )?(?:to say|with|about|on|of|for|in|that|back|after me)?\s+/i, '')
    .replace(/[\s.!?]+$/, '');
  return /[\p{L}\p{N}]/u.test(rest) ? rest : undefined;
}

function withoutTool(text: string): string {
  return text.replace(/\s*\b(?:with|using|by) (?:the )?\S+ tool\b.*$/i, '');
}

/** "the forecast in New York" -> "New York". */
function properName(question: string): string | undefined {
  return /\b(?:in|for|of|about|to|on|from)\s+((?:\p{Lu}[\p{L}\p{N}'-]*\s?)+)/u.exec(question)?.[1]?.trim();
}
