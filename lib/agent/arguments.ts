import { MAX_ARGUMENTS } from '../types/tools/tool-call.ts';

/** What came of reading a call's arguments: an object, or the sentence that the model gets instead of a result. */
type ParsedArguments = { ok: true; value: Record<string, unknown> } | { ok: false; problem: string };

/** Significant digits that a JavaScript number keeps exactly. */
const DIGITS = 15;

/** Reads the arguments as the model wrote them. Empty means `{}` (wire-quirks 7); anything but an object is refused. */
export function parseArguments(text: string): ParsedArguments {
  if (text.trim() === '') return { ok: true, value: {} };
  if (text.length > MAX_ARGUMENTS) {
    return {
      ok: false,
      problem: `The arguments are ${text.length} characters long; a tool gets at most ${MAX_ARGUMENTS}.`,
    };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, problem: `The arguments are not valid JSON: ${(error as Error).message}.` };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, problem: 'The arguments must be a JSON object.' };
  }
  const inexact = inexactInteger(text);
  if (inexact !== undefined) {
    return {
      ok: false,
      problem: `The number ${inexact} is too large to be passed on exactly; write it as text.`,
    };
  }
  return { ok: true, value: value as Record<string, unknown> };
}

/** The first number in valid JSON that overflows, or that is an integer and would be rounded; cut to fit a sentence. */
function inexactInteger(json: string): string | undefined {
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g)) {
    const number = Number(token);
    if (token.startsWith('"') || Number.isSafeInteger(number)) continue;
    if (!Number.isFinite(number)) return token.slice(0, 40);
    const [mantissa = ''] = token.split(/[eE]/, 1);
    const isKept = mantissa.replaceAll(/[-.]/g, '').length <= DIGITS; // as in 1e300
    if (Number.isInteger(number) && !isKept) return token.slice(0, 40);
  }
  return undefined;
}
