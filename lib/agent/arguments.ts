/** What came of reading a call's arguments: an object, or the sentence that the model gets instead of a result. */
type ParsedArguments = { ok: true; value: Record<string, unknown> } | { ok: false; problem: string };

/** Characters. What is longer is a model that got stuck, and reading it would hold up everything else. */
const MAX_LENGTH = 1_000_000;

/** Reads the arguments as the model wrote them. Empty means `{}` (wire-quirks 7); anything but an object is refused. */
export function parseArguments(text: string): ParsedArguments {
  if (text.trim() === '') return { ok: true, value: {} };
  if (text.length > MAX_LENGTH) {
    return {
      ok: false,
      problem: `The arguments are ${text.length} characters long; a tool gets at most ${MAX_LENGTH}.`,
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
  return { ok: true, value: value as Record<string, unknown> };
}
