import { isRecord, parseJson } from '../../json.ts';
import type { ChatRequest } from './prompts.ts';

/**
 * The JSON schemas that an answer is held to where tools are offered: an answer, or one call. The second takes any
 * arguments, for a browser that does not know a part of some tool's schema (`NotSupportedError`).
 */
export function constraintsOf({ tools, toolChoice }: ChatRequest): object[] {
  if (tools.length === 0) return [];
  const answer = toolChoice === 'required' ? [] : [objectOf({ answer: { type: 'string' } })];
  const calls = toolChoice === 'none' ? [] : tools;
  return [true, false].map((exact) => ({
    anyOf: [
      ...answer,
      ...calls.map(({ name, parameters }) =>
        objectOf({
          tool: { type: 'string', enum: [name] },
          arguments: exact ? { type: 'object', ...parameters } : { type: 'object' },
        }),
      ),
    ],
  }));
}

const objectOf = (properties: Record<string, object>): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

export type Ended =
  | { type: 'answer' }
  | { type: 'call'; name: string; arguments: string }
  /** It broke off in the middle. */
  | { type: 'cut' };

/** Where the text of an answer begins. */
const ANSWER = /^\s*\{\s*"answer"\s*:\s*"/;

/** As much of a JSON string as can be read without what follows it: no half an escape, no half a pair of surrogates. */
const READABLE =
  /^(?:[^"\\]|\\["\\/bfnrt]|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u(?![dD][89abAB])[\da-fA-F]{4})*/;

/** Reads such an answer while it grows. What is no JSON, from a browser that ignores constraints, passes as an answer. */
export function createConstrainedReader() {
  let text = '';
  /** Of `text`, once it is an answer: how much of it was read. */
  let at: number | undefined;
  let isPlain = false;

  return {
    /** @returns what was said since the last time */
    push(piece: string): string {
      text += piece;
      if (isPlain) return piece;
      if (/^\s*[^\s{]/.test(text)) {
        isPlain = true;
        return text;
      }
      at ??= ANSWER.exec(text)?.[0].length;
      if (at === undefined) return '';
      const [raw = ''] = READABLE.exec(text.slice(at)) ?? [];
      at += raw.length;
      const said = parseJson(`"${raw}"`);
      return typeof said === 'string' ? said : raw;
    },
    end(): Ended {
      if (isPlain) return { type: 'answer' };
      const whole = parseJson(text);
      if (!isRecord(whole)) return { type: 'cut' };
      if (typeof whole.tool !== 'string') return { type: 'answer' };
      return { type: 'call', name: whole.tool, arguments: JSON.stringify(whole.arguments ?? {}) };
    },
  };
}
